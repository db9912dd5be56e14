package import RegistryAPI
package import RegistryRules

/// The browsers in which operators are signed in, and operators' passkeys. When an operator is revoked, all of the
/// operator's sessions and passkeys end.
///
/// `site` is the host for which passkeys are made: passkeys for another one do not count.
extension RegistryStore {
    /// Opens a session. The operator's session that was unused longest ends if there are ``DeskSessionState/most``.
    ///
    /// - Throws: `tokenUnusable`, `passkeyRefused`.
    public func openDeskSession(
        _ session: NewDeskSession, by proof: DeskProof
    ) async throws -> DeskProofResult {
        try await write { try DeskSessions($0).open(session, by: proof) }
    }

    /// Records that the operator has given a passkey or the token.
    ///
    /// - Throws: `notFound`, `tokenUnusable`, `passkeyRefused`.
    public func confirmDeskSession(
        _ id: DeskSessionID, of operator: OperatorID, by proof: DeskProof, at time: Timestamp
    ) async throws -> DeskProofResult {
        try await write { try DeskSessions($0).confirm(id, of: `operator`, by: proof, at: time) }
    }

    /// The session whose secret has this digest, whether or not it has ended by time; nil if there is none.
    public func deskSession(secret: SecretDigest, site: String) async throws -> StoredDeskSession? {
        try await read { try DeskSessions($0).find(secret: secret, site: site) }
    }

    /// The session of an operator, whether or not it has ended by time; nil if there is none.
    public func deskSession(
        _ id: DeskSessionID, of operator: OperatorID, site: String
    ) async throws -> StoredDeskSession? {
        try await read { try DeskSessions($0).find(id, of: `operator`, site: site) }
    }

    /// The sessions of an operator, at most ``DeskSessionState/most``, in the order of their beginning.
    public func deskSessions(of operator: OperatorID, site: String) async throws -> [StoredDeskSession] {
        try await read { try DeskSessions($0).all(of: `operator`, site: site) }
    }

    /// Records the use of a session.
    public func noteUse(ofDesk id: DeskSessionID, at time: Timestamp) async throws {
        try await write { try DeskSessions($0).noteUse(of: id, at: time) }
    }

    /// Ends a session.
    ///
    /// - Throws: `notFound`.
    public func endDeskSession(_ id: DeskSessionID, of operator: OperatorID, at time: Timestamp) async throws {
        try await write { try DeskSessions($0).end(id, of: `operator`, at: time) }
    }

    /// The passkey with this identifier of the authenticator.
    public func deskPasskey(credentialID: [UInt8]) async throws -> StoredPasskey<OperatorID>? {
        try await read { try DeskPasskeys($0).find(credentialID: credentialID) }
    }

    /// All passkeys of an operator, at most ``DeskSessionState/mostPasskeys``, in the order of their creation.
    public func deskPasskeys(of operator: OperatorID) async throws -> [StoredPasskey<OperatorID>] {
        try await read { try DeskPasskeys($0).all(of: `operator`) }
    }

    /// Adds a passkey of an operator.
    ///
    /// - Throws: `tooManyPasskeys`, `passkeyKnown`, `notFound`.
    public func addDeskPasskey(_ passkey: NewPasskey, of operator: OperatorID) async throws {
        try await write { try DeskPasskeys($0).add(passkey, of: `operator`) }
    }

    /// Removes a passkey with the sessions that it opened.
    ///
    /// - Throws: `notFound`.
    public func removeDeskPasskey(_ id: PasskeyID, of operator: OperatorID, at time: Timestamp) async throws {
        try await write { try DeskPasskeys($0).remove(id, of: `operator`, at: time) }
    }

    /// The stations that are not revoked, in the order of their enrolment, at most ``StationMap/most``.
    ///
    /// - Parameter silentBefore: a station counts as silent if its last heartbeat is older.
    public func stationMap(silentBefore: Timestamp) async throws -> StationMap {
        try await readAtLength { try StationMarks($0).map(silentBefore: silentBefore) }
    }

    /// Open reports with an unconfirmed police reference, in the order of their opening.
    public func references(_ page: PageRequest<ReportID>) async throws -> StoredPage<ReferenceReview, ReportID> {
        try await read { try ReferenceReviews($0).page(page) }
    }
}
