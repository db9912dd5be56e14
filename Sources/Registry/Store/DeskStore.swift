import Passkeys
public import RegistryAPI

/// An operator's session to store; its secret is known only by its digest.
public struct NewDeskSession: Sendable {
    public var id: DeskSessionID
    public var name: String
    public var digest: SecretDigest
    public var began: Timestamp

    public init(id: DeskSessionID, name: String, digest: SecretDigest, began: Timestamp) {
        self.id = id
        self.name = name
        self.digest = digest
        self.began = began
    }
}

/// A proof of who an operator is; all of it that can be verified without the store has been.
public enum DeskProof: Sendable {
    case passkey(PasskeyID, counter: UInt32)
    case token(SecretDigest)

    public var kind: DeskProofKind {
        switch self {
        case .passkey: .passkey
        case .token: .token
        }
    }
}

/// The result of an act that a ``DeskProof`` allows.
public enum DeskProofResult: Hashable, Sendable {
    case accepted(DeskSessionID, OperatorID)
    /// The passkey's counter did not grow. The audit says so.
    case copiedPasskey
}

/// The browsers in which operators are signed in, and operators' passkeys. All of an operator's end when the operator is
/// revoked.
///
/// `site` is the host for which passkeys are made: passkeys for another one do not count.
public protocol DeskStore: Sendable {
    /// Opens a session. The operator's session that was unused longest ends if there are ``DeskSessionState/most``.
    ///
    /// - Throws: `tokenUnusable`, `passkeyRefused`.
    func openDeskSession(_ session: NewDeskSession, by proof: DeskProof) async throws -> DeskProofResult

    /// Records that the operator has given a passkey or the token.
    ///
    /// - Throws: `notFound`, `tokenUnusable`, `passkeyRefused`.
    func confirmDeskSession(
        _ id: DeskSessionID, of operator: OperatorID, by proof: DeskProof, at time: Timestamp
    ) async throws -> DeskProofResult

    /// The session whose secret has this digest, whether or not it has ended by time; nil if there is none.
    func deskSession(secret: SecretDigest, site: String) async throws -> StoredDeskSession?

    func deskSession(
        _ id: DeskSessionID, of operator: OperatorID, site: String
    ) async throws -> StoredDeskSession?

    /// The sessions of an operator, at most ``DeskSessionState/most``, in the order of their beginning.
    func deskSessions(of operator: OperatorID, site: String) async throws -> [StoredDeskSession]

    /// Records the use of a session.
    func noteUse(ofDesk id: DeskSessionID, at time: Timestamp) async throws

    /// Ends a session.
    ///
    /// - Throws: `notFound`.
    func endDeskSession(_ id: DeskSessionID, of operator: OperatorID, at time: Timestamp) async throws

    /// The passkey with this identifier of the authenticator.
    func deskPasskey(credentialID: [UInt8]) async throws -> StoredPasskey<OperatorID>?

    /// All passkeys of an operator, at most ``DeskSessionState/mostPasskeys``, in the order of their creation.
    func deskPasskeys(of operator: OperatorID) async throws -> [StoredPasskey<OperatorID>]

    /// - Throws: `tooManyPasskeys`, `passkeyKnown`, `notFound`.
    func addDeskPasskey(_ passkey: NewPasskey, of operator: OperatorID) async throws

    /// Removes a passkey with the sessions that it opened.
    ///
    /// - Throws: `notFound`.
    func removeDeskPasskey(_ id: PasskeyID, of operator: OperatorID, at time: Timestamp) async throws
}
