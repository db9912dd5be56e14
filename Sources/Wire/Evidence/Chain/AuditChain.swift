/// Commitments to the audit's entries, and the hashes that link them.
///
/// An entry is hidden behind a commitment, the SHA-256 of a salt and its content. Without the salt, the content cannot
/// be found by guessing. So erasing salt and content removes the information, and the chain still verifies.
///
/// The chain hash of an entry covers the hash of the previous entry and that of an entry far back. So an entry is
/// linked to the end of the chain in a few steps for each doubling of the distance; a plain chain would need all
/// entries between.
public enum AuditChain {
    /// The length of an entry's salt in bytes.
    public static let saltLength = 16

    /// SHA-256 over `fmb-entry-1`, a zero byte, the salt and the content.
    public static func commitment(to content: [UInt8], salt: [UInt8]) -> HashValue {
        var input: [UInt8] = []
        input.reserveCapacity(entryTag.count + salt.count + content.count)
        input += entryTag
        input += salt
        input += content
        return HashValue(of: input)
    }

    /// SHA-256 over `fmb-chain-1`, a zero byte, the index (8 bytes, big-endian), the chain hash of the previous entry,
    /// the chain hash of the entry that ``shortcut(from:)`` names, and the commitment.
    public static func hash(
        index: Int64, previous: HashValue, shortcut: HashValue, commitment: HashValue
    ) -> HashValue {
        var input: [UInt8] = []
        input.reserveCapacity(chainTag.count + 104)
        input += chainTag
        for shift in stride(from: 56, through: 0, by: -8) { input.append(UInt8(truncatingIfNeeded: index >> shift)) }
        input += previous.bytes
        input += shortcut.bytes
        input += commitment.bytes
        return HashValue(of: input)
    }

    /// The earlier entry whose chain hash this entry's chain hash covers, in addition to the previous entry's.
    ///
    /// Entries are numbered like the nodes of complete binary trees in post-order; a shortcut leads to the entry before
    /// the whole subtree that ends here. So links never cross (Buldas, Laud, Lipmaa and Villemson, “Time-stamping with
    /// binary linking schemes”, CRYPTO ’98, call this antimonotone): always following the longest link that does not
    /// overshoot reaches every entry, in at most 3 log₂ n steps. The index 0, whose hash is ``HashValue/zero``, is the
    /// place before the first entry.
    ///
    /// - Parameter index: the index of an entry, at least 1.
    public static func shortcut(from index: Int64) -> Int64 {
        var rest = index
        var base: Int64 = 0
        // The highest index, which an untrusted proof may name, is also the last one of a complete tree.
        while rest & (rest &+ 1) != 0 {
            let offset = (1 << (Int64.bitWidth - 1 - rest.leadingZeroBitCount)) - 1
            rest -= Int64(offset)
            base += Int64(offset)
        }
        return base
    }

    private static let entryTag = Array("fmb-entry-1\0".utf8)
    private static let chainTag = Array("fmb-chain-1\0".utf8)
}
