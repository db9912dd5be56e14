import Logging
package import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// The language of a link's page; nil for every link that does not work, whatever the reason.
    package func reader(ofLinkTo alert: String, code: String) async throws -> AlertLanguage? {
        try await linkedAlert(alert, code)?.alert.language
    }

    /// Acknowledges the sightings of the alert that contains the link; nil for every link that does not work.
    package func acknowledge(linkTo alert: String, code: String) async throws -> AlertLanguage? {
        guard let linked = try await linkedAlert(alert, code),
            let report = try await store.acknowledgeAlert(linked.id, at: clock.now)
        else { return nil }
        logger.info("alert acknowledged", metadata: ["alert": "\(linked.id)", "report": "\(report)"])
        return linked.alert.language
    }

    /// Finds the alert of a link. An unknown alert takes the same path as a wrong code: it is checked against a secret
    /// that belongs to no channel.
    private func linkedAlert(_ text: String, _ code: String) async throws -> (id: AlertID, alert: LinkedAlert)? {
        let id = AlertID(text) ?? AlertID(high: 0, low: 0)
        let found = try await store.linkedAlert(id)
        let nobodys = SigningSecret(bytes: Array(repeating: 0, count: 32))
        let isRight = AcknowledgementCode(of: id, secret: found?.secret ?? nobodys).matches(code)
        guard let found, isRight, clock.now < found.created.advanced(by: AcknowledgementCode.lifetime) else {
            return nil
        }
        return (id, found)
    }
}
