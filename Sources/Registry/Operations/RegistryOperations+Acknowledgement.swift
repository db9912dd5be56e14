import Logging
public import RegistryAPI

extension RegistryOperations {
    /// The language of a link's page; nil for every link that does not work, whatever the reason.
    public func reader(ofLinkTo alert: String, code: String) async throws -> AlertLanguage? {
        try await linkedAlert(alert, code)?.alert.language
    }

    /// Acknowledges the sightings of the alert that contains the link; nil for every link that does not work.
    public func acknowledge(linkTo alert: String, code: String) async throws -> AlertLanguage? {
        guard let linked = try await linkedAlert(alert, code),
            let report = try await store.acknowledgeAlert(linked.id, at: clock.now)
        else { return nil }
        trailSignal.wake([report])
        logger.info("alert acknowledged", metadata: ["alert": "\(linked.id)", "report": "\(report)"])
        return linked.alert.language
    }

    /// Finds the alert of a link. An unknown alert takes the same path as a wrong code:
    /// it is checked against a secret that nobody has.
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

/// The texts of the page behind an alert's link, each a sentence or a few words without markup.
public struct AcknowledgementWords: Hashable, Sendable {
    public var title: String
    public var question: String
    public var button: String
    public var done: String
    public var unusable: String

    public init(_ language: AlertLanguage) {
        let words = language.words
        title = words.pageTitle
        question = words.pageQuestion
        button = words.pageButton
        done = words.pageDone
        unusable = words.pageUnusable
    }
}
