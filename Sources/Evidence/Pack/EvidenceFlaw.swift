/// The reason why an evidence pack is not one that the registry signed.
public enum EvidenceFlaw: Error, Hashable, Sendable {
    case archive(ZIPArchive.Flaw)
    case missing(file: String)
    /// The manifest does not match the files.
    case manifest
    case signature
    /// The pack was signed with a different key than expected.
    case otherKey(HashValue)
    case checkpoint
    /// A signed file cannot be read by this version.
    case unreadable(file: String)
    /// The salt or event of an audit entry does not match its commitment.
    case entry(index: Int64)
    /// A sighting or a station's place does not match what this audit entry commits to.
    case record(entry: Int64)
    case chain(ChainProof.Flaw)
    /// The chain does not lead to an audit entry.
    case unlinked(index: Int64)
    /// Files contradict one another.
    case contradiction(String)
}

extension EvidenceFlaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .archive(.tooLarge): "the file is larger than any evidence pack"
        case .archive(.notCanonical):
            "the archive was changed, cut off, or is no evidence pack: use the file as it was downloaded"
        case .archive(.tooManyFiles), .archive(.badName): "the archive holds files that no evidence pack has"
        case .missing(let file): "\(file) is missing from the archive"
        case .manifest: "the files are not those of the manifest: something was changed, added or taken away"
        case .signature: "the signature does not fit: the manifest, the key or the signature was changed"
        case .otherKey(let found): "it was signed by another key, with the fingerprint \(found)"
        case .checkpoint: "the audit’s checkpoint does not have the registry’s signature"
        case .unreadable(let file): "\(file) cannot be read: a newer version of this program may be needed"
        case .entry(let index): "audit entry \(index) is not what the registry committed itself to"
        case .record(let index): "a sighting or a station’s place is not what audit entry \(index) has recorded"
        case .chain(.broken(let index)): "the audit’s chain breaks at entry \(index)"
        case .chain(.gap(let index)): "the audit’s chain has a gap before entry \(index)"
        case .unlinked(let index): "audit entry \(index) is not linked to the checkpoint"
        case .contradiction(let detail): detail
        }
    }
}
