package import RegistryAPI
package import RegistryRules

/// Screens at venues. Each shows one station's bikes, and nothing else accepts its secret.
///
/// Operations that take the secret check it in their own transaction and throw `displayUnpaired`, including if the
/// station was revoked.
extension RegistryStore {
    /// Adds a display that waits for its code to be used. It replaces one of the same station that still waits.
    ///
    /// - Throws: `notFound` for a station that is unknown or revoked, `displaysFull`.
    public func addDisplay(_ display: NewDisplay, by principal: Principal) async throws {
        try await write { try Displays($0).add(display, by: principal) }
    }

    /// The displays of a station in the order of their creation, without those that have expired.
    ///
    /// - Throws: `notFound`.
    public func displays(of station: StationID, at time: Timestamp) async throws -> [VenueDisplay] {
        try await read { try Displays($0).all(of: station, at: time) }
    }

    /// Renames a display; the same name again changes nothing.
    ///
    /// - Throws: `notFound`.
    public func renameDisplay(
        _ id: DisplayID, of station: StationID, to name: String, by principal: Principal, at time: Timestamp
    ) async throws -> VenueDisplay {
        try await write { try Displays($0).rename(id, of: station, to: name, by: principal, at: time) }
    }

    /// Deletes a display, which then shows nothing more.
    ///
    /// - Throws: `notFound`.
    public func revokeDisplay(
        _ id: DisplayID, of station: StationID, by principal: Principal, at time: Timestamp
    ) async throws {
        try await write { try Displays($0).revoke(id, of: station, by: principal, at: time) }
    }

    /// Exchanges a code that is unused and younger than ``DisplayRules/codeLifetime``.
    ///
    /// - Throws: `codeUnusable`.
    public func pairDisplay(_ pairing: PairingAttempt) async throws -> OpenedDisplay {
        try await write { db in
            _ = try Displays(db).pair(pairing)
            return try DisplayReading(db, pairing.secret, at: pairing.time).open()
        }
    }

    /// What a display shows now.
    public func openDisplay(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedDisplay {
        try await read { try DisplayReading($0, secret, at: time).open() }
    }

    /// Records a use, which prolongs the display; nothing happens if it has ended.
    public func noteUse(of display: DisplayID, at time: Timestamp) async throws {
        try await write { try Displays($0).noteUse(of: display, at: time) }
    }

    /// Merges the answer of staff into a visit of the display's station, as if the station had reported it: it changes
    /// the sighting, its judgement and the owner's alerts in the same way, and the latest answer applies.
    ///
    /// - Returns: nil if the last answer is the same, so that nothing was changed.
    /// - Throws: also `notFound` for a visit that is unknown, is not shown to staff, or was last heard longer than
    ///   ``DisplayRules/answerable`` ago.
    public func answerVisit(
        _ visit: VisitID, _ answer: VisitConfirmation.Answer, at display: SecretDigest, time: Timestamp,
        using entropy: Entropy
    ) async throws -> StoredVisit? {
        try await write { try DisplayReading($0, display, at: time).answer(visit, answer, using: entropy) }
    }
}
