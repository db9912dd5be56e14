/// The reason why an evidence pack is not one that the registry signed.
public enum EvidenceFlaw: Error, Hashable, Sendable {
    /// The file is not an archive that a registry makes.
    case archive(ZIPArchive.Flaw)
    /// The archive has no file with this name.
    case missing(file: String)
    /// The manifest does not match the files.
    case manifest
    /// The signature of the manifest is not that of the key in the archive.
    case signature
    /// The pack was signed with a different key than expected, whose fingerprint is given.
    case otherKey(HashValue)
    /// The checkpoint has no valid signature of the key in the archive, or cannot be read.
    case checkpoint
    /// A signed file cannot be read by this version.
    case unreadable(file: String)
    /// The salt or event of an audit entry does not match its commitment.
    case entry(index: Int64)
    /// A sighting or a station's place does not match what this audit entry commits to.
    case record(entry: Int64)
    /// The signature of a partner registry, over the sighting that this audit entry is about.
    case partner(PartnerVerification.Flaw, entry: Int64)
    /// The proof is not valid.
    case chain(ChainProof.Flaw)
    /// The chain does not lead to an audit entry.
    case unlinked(index: Int64)
    /// Files contradict one another: the message for people.
    case contradiction(String)
}

extension EvidenceFlaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .archive(.tooLarge): "the file is larger than any evidence pack"
        case .archive(.notCanonical):
            "the archive was changed, cut off, or is not an evidence pack: use the file as it was downloaded"
        case .archive(.tooManyFiles), .archive(.badName): "the archive contains files that an evidence pack cannot have"
        case .missing(let file): "\(file) is missing from the archive"
        case .manifest: "the files do not match the manifest: something was changed, added or removed"
        case .signature: "the signature is invalid: the manifest, the key or the signature was changed"
        case .otherKey(let found): "it was signed by another key, with the fingerprint \(found)"
        case .checkpoint: "the audit’s checkpoint does not have the registry’s signature"
        case .unreadable(let file): "\(file) cannot be read: a newer version of this program may be needed"
        case .entry(let index): "audit entry \(index) does not match the registry’s commitment"
        case .record(let index): "a sighting or a station’s place does not match the record of audit entry \(index)"
        case .partner(let flaw, let index): "the partner’s signature of audit entry \(index) \(flaw)"
        case .chain(.broken(let index)): "the audit’s chain breaks at entry \(index)"
        case .chain(.gap(let index)): "the audit’s chain has a gap before entry \(index)"
        case .unlinked(let index): "audit entry \(index) is not linked to the checkpoint"
        case .contradiction(let detail): detail
        }
    }
}

extension PartnerVerification.Flaw: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing: "was left out"
        case .misplaced: "belongs to something else"
        case .forged: "is invalid: the statement or the signature was changed"
        case .unpinned: "is of a key that the registry had not recorded by then"
        case .untrusted: "is of a key other than the given one of this partner"
        case .unmatched(let key):
            "is of a key other than the given ones; \(key) signed nothing here, so leave it out if its registry’s "
                + "stations did not hear the bike"
        }
    }
}
