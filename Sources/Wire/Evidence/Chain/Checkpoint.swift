public import RegistryAPI
import Syntax

/// The length of the audit's chain at a time, and its last hash. A signed copy kept elsewhere proves that no earlier
/// entry was changed or cut off since.
public struct Checkpoint: Hashable, Sendable {
    /// The number of entries in the chain.
    public var length: Int64
    /// The chain hash of the last entry; ``HashValue/zero`` for an empty chain.
    public var chain: HashValue
    /// When it was made.
    public var time: Timestamp
    /// The version of the signing key.
    public var key: Int

    public init(length: Int64, chain: HashValue, time: Timestamp, key: Int) {
        self.length = length
        self.chain = chain
        self.time = time
        self.key = key
    }

    /// The text that is signed: five lines.
    public var text: String {
        "\(Self.title)\nlength \(length)\nchain \(chain)\ntime \(time)\nkey \(key)\n"
    }

    /// Parses a checkpoint; nil unless the text is exactly what ``text`` would write.
    public init?(_ text: String) {
        let lines = text.split(at: "\n", omittingEmptySubsequences: false)
        guard lines.count == 6, let length = Self.value("length", in: lines[1]).flatMap({ Int64($0) }), length >= 0,
            let chain = Self.value("chain", in: lines[2]).flatMap({ HashValue(String($0)) }),
            let time = Self.value("time", in: lines[3]).flatMap({ Timestamp($0) }),
            let key = Self.value("key", in: lines[4]).flatMap({ Int($0) })
        else { return nil }
        self.init(length: length, chain: chain, time: time, key: key)
        guard self.text == text else { return nil }
    }

    private static let title = "findmybike audit checkpoint 1"

    /// The rest of a line that begins with this name; nil for any other line.
    private static func value(_ name: String, in line: Substring) -> Substring? {
        line.dropping(prefix: name + " ")
    }
}

extension Checkpoint {
    /// The checkpoint with the signature of the keyring's current key.
    public func signed(by keyring: Keyring) throws -> SignedCheckpoint {
        SignedCheckpoint(checkpoint: text, signature: Hexadecimal.text(try keyring.sign(Array(text.utf8))))
    }
}

extension SignedCheckpoint {
    /// The checkpoint, if this key signed it; otherwise nil.
    public func verified(by key: PublicKey) -> Checkpoint? {
        guard let signature = Hexadecimal.bytes(signature),
            key.isSignature(signature, of: Array(checkpoint.utf8))
        else { return nil }
        return Checkpoint(checkpoint)
    }
}
