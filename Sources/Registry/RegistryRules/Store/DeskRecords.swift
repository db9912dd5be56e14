import Passkeys
public import RegistryAPI

/// An operator's session to store; only the digest of its secret is known.
public struct NewDeskSession: Sendable {
    public var id: DeskSessionID
    /// The browser's name, for the operator.
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

/// A proof of an operator's identity; everything that can be verified without the store has been verified.
public enum DeskProof: Sendable {
    /// The counter is that of the signature.
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
    /// The passkey's counter did not grow. The audit has an entry about that.
    case copiedPasskey
}
