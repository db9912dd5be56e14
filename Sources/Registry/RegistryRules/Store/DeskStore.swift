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
