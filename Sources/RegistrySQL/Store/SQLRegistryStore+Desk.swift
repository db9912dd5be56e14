package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func openDeskSession(
        _ session: NewDeskSession, by proof: DeskProof
    ) async throws -> DeskProofResult {
        try await write { try DeskSessions($0).open(session, by: proof) }
    }

    public func confirmDeskSession(
        _ id: DeskSessionID, of operator: OperatorID, by proof: DeskProof, at time: Timestamp
    ) async throws -> DeskProofResult {
        try await write { try DeskSessions($0).confirm(id, of: `operator`, by: proof, at: time) }
    }

    public func deskSession(secret: SecretDigest, site: String) async throws -> StoredDeskSession? {
        try await read { try DeskSessions($0).find(secret: secret, site: site) }
    }

    public func deskSession(
        _ id: DeskSessionID, of operator: OperatorID, site: String
    ) async throws -> StoredDeskSession? {
        try await read { try DeskSessions($0).find(id, of: `operator`, site: site) }
    }

    public func deskSessions(of operator: OperatorID, site: String) async throws -> [StoredDeskSession] {
        try await read { try DeskSessions($0).all(of: `operator`, site: site) }
    }

    public func noteUse(ofDesk id: DeskSessionID, at time: Timestamp) async throws {
        try await write { try DeskSessions($0).noteUse(of: id, at: time) }
    }

    public func endDeskSession(_ id: DeskSessionID, of operator: OperatorID, at time: Timestamp) async throws {
        try await write { try DeskSessions($0).end(id, of: `operator`, at: time) }
    }

    public func deskPasskey(credentialID: [UInt8]) async throws -> StoredPasskey<OperatorID>? {
        try await read { try DeskPasskeys($0).find(credentialID: credentialID) }
    }

    public func deskPasskeys(of operator: OperatorID) async throws -> [StoredPasskey<OperatorID>] {
        try await read { try DeskPasskeys($0).all(of: `operator`) }
    }

    public func addDeskPasskey(_ passkey: NewPasskey, of operator: OperatorID) async throws {
        try await write { try DeskPasskeys($0).add(passkey, of: `operator`) }
    }

    public func removeDeskPasskey(_ id: PasskeyID, of operator: OperatorID, at time: Timestamp) async throws {
        try await write { try DeskPasskeys($0).remove(id, of: `operator`, at: time) }
    }

    public func stationMap(silentBefore: Timestamp) async throws -> StationMap {
        try await readAtLength { try StationMarks($0).map(silentBefore: silentBefore) }
    }

    public func references(_ page: PageRequest<ReportID>) async throws -> StoredPage<ReferenceReview, ReportID> {
        try await read { try ReferenceReviews($0).page(page) }
    }
}
