package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func addDisplay(_ display: NewDisplay, by principal: Principal) async throws {
        try await write { try Displays($0).add(display, by: principal) }
    }

    public func displays(of station: StationID, at time: Timestamp) async throws -> [VenueDisplay] {
        try await read { try Displays($0).all(of: station, at: time) }
    }

    public func revokeDisplay(
        _ id: DisplayID, of station: StationID, by principal: Principal, at time: Timestamp
    ) async throws {
        try await write { try Displays($0).revoke(id, of: station, by: principal, at: time) }
    }

    public func pairDisplay(_ pairing: PairingAttempt) async throws -> OpenedDisplay {
        try await write { db in
            _ = try Displays(db).pair(pairing)
            return try DisplayReading(db, pairing.secret, at: pairing.time).open()
        }
    }

    public func openDisplay(_ secret: SecretDigest, at time: Timestamp) async throws -> OpenedDisplay {
        try await read { try DisplayReading($0, secret, at: time).open() }
    }

    public func noteUse(of display: DisplayID, at time: Timestamp) async throws {
        try await write { try Displays($0).noteUse(of: display, at: time) }
    }

    public func answerVisit(
        _ visit: VisitID, _ answer: VisitConfirmation.Answer, at display: SecretDigest, time: Timestamp,
        using entropy: Entropy
    ) async throws -> StoredVisit? {
        try await write { try DisplayReading($0, display, at: time).answer(visit, answer, using: entropy) }
    }
}
