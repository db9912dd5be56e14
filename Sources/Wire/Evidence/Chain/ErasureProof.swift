import Crypto
public import RegistryAPI

/// The audit entries that an erasure emptied; a separate entry commits to their indices and commitments.
///
/// The committing entry contains no names. It proves which entries were emptied together, but not whose they were.
public struct ErasureProof: Sendable {
    /// The action of the entry that commits to an erasure.
    public static let action = "entries.erased"

    private var hash = SHA256()
    /// The number of emptied entries.
    public private(set) var count = 0

    public init() { hash.update(data: Array("fmb-erasure-1\0".utf8)) }

    /// Adds an entry. Call it in the order of the indices.
    public mutating func add(index: Int64, commitment: HashValue) {
        hash.update(data: stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: index >> $0) })
        hash.update(data: commitment.bytes)
        count += 1
    }

    /// The details of the erasure's entry: the number of emptied entries, and SHA-256 over `fmb-erasure-1`, a zero
    /// byte, and each index (8 bytes, big-endian) with its commitment.
    public var details: [String: String] { ["count": "\(count)", "digest": Hexadecimal.text(Array(hash.finalize()))] }

    /// Whether an audit entry commits to exactly these entries.
    public func isCommitted(by entry: AuditEntry) -> Bool {
        guard let event = entry.event, event.action == Self.action, let commitment = HashValue(entry.commitment),
            entry.computedCommitment == commitment
        else { return false }
        return details.allSatisfy { event.details[$0.key] == $0.value }
    }
}
