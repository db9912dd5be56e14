import Crypto
public import RegistryAPI

/// Which entries of the audit an erasure emptied: an entry of its own commits to their indices and commitments.
///
/// That entry names nobody. It shows that entries were emptied together, and which, but not whose they were.
public struct ErasureProof: Sendable {
    /// The action of the entry that commits to an erasure.
    public static let action = "entries.erased"

    private var hash = SHA256()
    /// How many entries there are.
    public private(set) var count = 0

    public init() { hash.update(data: Array("fmb-erasure-1\0".utf8)) }

    /// Adds an entry; they come in the order of their indices.
    public mutating func add(index: Int64, commitment: HashValue) {
        hash.update(data: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: index >> $0) })
        hash.update(data: commitment.bytes)
        count += 1
    }

    /// What the entry says: how many there are, and SHA-256 over `fmb-erasure-1`, a zero byte, and of each index (8 bytes,
    /// most significant first) and commitment.
    public var details: [String: String] { ["count": "\(count)", "digest": Hexadecimal.text(hash.finalize())] }

    /// Whether an entry of the audit commits to exactly these.
    public func isCommitted(by entry: AuditEntry) -> Bool {
        guard let event = entry.event, event.action == Self.action, let commitment = HashValue(entry.commitment),
            entry.computedCommitment == commitment
        else { return false }
        return details.allSatisfy { event.details[$0.key] == $0.value }
    }
}
