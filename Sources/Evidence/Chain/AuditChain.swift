/// How the audit's entries are committed to and linked.
///
/// An entry is hidden behind a commitment, SHA-256 of a salt and its content: without the salt nobody can try contents
/// out, so that erasing salt and content leaves nothing of them, and the chain goes on verifying.
///
/// Each entry's chain hash covers that of the entry before it, and that of one far back: so an entry is linked to a
/// chain's end in a few steps for each doubling of the distance, where a plain chain would need all entries between.
public enum AuditChain {
    /// Bytes of an entry's salt.
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

    /// SHA-256 over `fmb-chain-1`, a zero byte, the index (8 bytes, most significant first), the chain hash of the entry
    /// before, the chain hash of the entry that ``shortcut(from:)`` names, and the commitment.
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

    /// The earlier entry whose chain hash an entry's own covers besides that of the one before.
    ///
    /// Entries are numbered like the nodes of complete binary trees in post-order; a shortcut leads to the entry before
    /// the whole subtree that ends here. So links never cross (Buldas, Laud, Lipmaa and Villemson, “Time-stamping with
    /// binary linking schemes”, CRYPTO ’98, call that antimonotone): following the longest one that does not go too far
    /// always arrives, in at most 3 log₂ n steps. 0, whose hash is ``HashValue/zero``, stands before the first entry.
    ///
    /// - Parameter index: at least 1.
    public static func shortcut(from index: Int64) -> Int64 {
        var rest = index
        var base: Int64 = 0
        while rest & (rest + 1) != 0 {
            let offset = (1 << (Int64.bitWidth - 1 - rest.leadingZeroBitCount)) - 1
            rest -= Int64(offset)
            base += Int64(offset)
        }
        return base
    }

    private static let entryTag = Array("fmb-entry-1\0".utf8)
    private static let chainTag = Array("fmb-chain-1\0".utf8)
}
