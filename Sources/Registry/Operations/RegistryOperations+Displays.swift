import Logging
package import RegistryAPI
package import RegistryRules
import RegistrySQL

// The displays of a station, for its operator and for itself.
extension RegistryOperations {
    /// Makes a code that turns one screen into a display of a station.
    package func createDisplay(
        _ draft: DisplayDraft, of station: StationID, by principal: Principal
    ) async throws -> DisplayCode {
        var entropy = entropy
        let now = clock.now
        let code = OneTimeCode(groups: DisplayRules.codeGroups, using: &entropy)
        let display = NewDisplay(
            id: DisplayID(at: now, using: &entropy), station: station, name: draft.name ?? "Display",
            code: code.digest, created: now)
        try await store.addDisplay(display, by: principal)
        return DisplayCode(
            display: display.id, code: code.text, expires: now.advanced(by: DisplayRules.codeLifetime),
            link: publicURL.map { "\($0)/display#\(code.text)" })
    }

    /// What a station needs to serve displays in its own network; nil if it may not.
    package func displayTerms(of station: StationID) async throws -> DisplayTerms? {
        guard allowsOwnDisplays, let station = try await store.station(station)?.station else { return nil }
        return DisplayTerms(station: station.name, contact: displayContact)
    }

    package func displays(of station: StationID) async throws -> [VenueDisplay] {
        try await store.displays(of: station, at: clock.now)
    }

    package func renameDisplay(
        _ id: DisplayID, of station: StationID, to name: String, by principal: Principal
    ) async throws -> VenueDisplay {
        try await store.renameDisplay(id, of: station, to: name, by: principal, at: clock.now)
    }

    package func revokeDisplay(_ id: DisplayID, of station: StationID, by principal: Principal) async throws {
        try await store.revokeDisplay(id, of: station, by: principal, at: clock.now)
    }
}

// Operations of a screen.
extension RegistryOperations {
    /// Exchanges a code for the secret of a display.
    ///
    /// - Parameters:
    ///   - attempt: a random identifier of the attempt; repeating it replaces a secret whose response was lost.
    ///   - former: the secret that the screen has; its display ends.
    package func pairDisplay(
        _ pairing: DisplayPairing, attempt: String?, former: AccessToken?
    ) async throws -> (view: DisplayView, secret: String) {
        var entropy = entropy
        let secret = AccessToken(.display, using: &entropy)
        let opened = try await store.pairDisplay(
            PairingAttempt(
                code: OneTimeCode(typed: pairing.code).digest, attempt: attempt.map { SecretDigest(of: $0) },
                secret: secret.digest, former: former?.digest, time: clock.now))
        logger.info(
            "display paired", metadata: ["display": "\(opened.id)", "station": "\(opened.station)"])
        return (completed(opened.view), secret.text)
    }

    /// What a display shows now.
    ///
    /// - Returns: also whether this use has prolonged the display, so that its cookie must be prolonged, too.
    package func openDisplay(_ secret: SecretDigest) async throws -> (view: DisplayView, isRenewed: Bool) {
        let now = clock.now
        let opened = try await store.openDisplay(secret, at: now)
        let isRenewed = opened.lastUsed.map { $0.advanced(by: Credential.useResolution) <= now } ?? true
        if isRenewed { await noteUse(of: opened.id, at: now) }
        return (completed(opened.view), isRenewed)
    }

    /// The station of a display.
    package func station(ofDisplay secret: SecretDigest) async throws -> StationID {
        try await store.openDisplay(secret, at: clock.now).station
    }

    /// Records the answer of staff.
    package func answerVisit(
        _ visit: VisitID, _ answer: VisitConfirmation.Answer, at display: SecretDigest
    ) async throws {
        let stored = try await store.answerVisit(
            visit, answer, at: display, time: clock.now, using: entropy)
        guard let stored else { return }
        logger.info(
            "visit answered at a display",
            metadata: ["sighting": "\(visit)", "report": "\(stored.report)", "alerts": "\(stored.alerts)"])
    }

    /// The view with the operator's contact.
    private func completed(_ view: DisplayView) -> DisplayView {
        var view = view
        view.contact = displayContact
        return view
    }

    /// If the disk cannot be written to, the display must still show the bikes.
    private func noteUse(of display: DisplayID, at time: Timestamp) async {
        do {
            try await store.noteUse(of: display, at: time)
        } catch {
            logger.warning("the use of a display cannot be recorded", metadata: ["error": "\(error)"])
        }
    }
}
