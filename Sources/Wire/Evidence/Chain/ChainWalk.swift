public import RegistryAPI

/// Follows a chain entry by entry and finds the first entry that was changed.
public struct ChainWalk: Sendable {
    /// The fault that was found in a chain.
    public enum Fault: Error, Hashable, Sendable {
        /// An entry is missing.
        case missing(index: Int64)
        /// The salt or the content does not match the commitment.
        case changed(index: Int64)
        /// Salt and content are missing, and no erasure lists this entry.
        case emptied(index: Int64)
        /// A sighting differs from the registry's record of it.
        case changedSighting(VisitID)
        /// The stored reasons of a sighting do not follow from the recorded sightings.
        case changedReasons(VisitID)
        /// A sighting of an audit entry is missing, or a sighting has no audit entry.
        case missingSighting(VisitID)
        /// A station's place differs from the surveyed place in the audit.
        case changedPlace(StationID)
        /// The chain hash does not follow from the earlier entries.
        case unlinked(index: Int64)
        /// The last entries are missing: the chain was longer.
        case truncated(after: Int64, length: Int64)
        /// The chain differs from the chain that a checkpoint was signed for.
        case contradictsCheckpoint(length: Int64)
        /// A checkpoint that is stored with the chain was not signed by a known key.
        case forgedCheckpoint(length: Int64)
    }

    /// The index of the last entry that was followed, and its chain hash.
    public private(set) var index: Int64
    public private(set) var hash: HashValue
    /// The number of entries without salt and content. Whether an erasure lists them is for the caller to check.
    public private(set) var erased = 0

    /// Begins a walk.
    ///
    /// - Parameters:
    ///   - index: the entry before the first one to follow; 0 for a whole chain.
    ///   - hash: the chain hash of that entry, which is trusted.
    public init(after index: Int64 = 0, _ hash: HashValue = .zero) {
        self.index = index
        self.hash = hash
    }

    /// Follows the next entry.
    ///
    /// - Parameter hashes: returns the chain hash of an earlier entry, nil if it is missing; never called for 0.
    /// - Throws: ``Fault``: `missing`, `changed` or `unlinked`; or what `hashes` throws.
    public mutating func follow(_ entry: AuditEntry, hashes: (Int64) throws -> HashValue?) throws {
        guard entry.index == index + 1 else { throw Fault.missing(index: index + 1) }
        guard let commitment = HashValue(entry.commitment) else { throw Fault.changed(index: entry.index) }
        if !entry.isErased {
            guard entry.computedCommitment == commitment else { throw Fault.changed(index: entry.index) }
        } else {
            erased += 1
        }
        let shortcut = try shortcutHash(from: entry.index, hashes)
        let next = AuditChain.hash(index: entry.index, previous: hash, shortcut: shortcut, commitment: commitment)
        guard next == HashValue(entry.chain) else { throw Fault.unlinked(index: entry.index) }
        (index, hash) = (entry.index, next)
    }

    /// The chain hash that the next entry covers in addition to the previous one's.
    private func shortcutHash(from next: Int64, _ hashes: (Int64) throws -> HashValue?) throws -> HashValue {
        let target = AuditChain.shortcut(from: next)
        if target == index { return hash }
        if target == 0 { return .zero }
        guard let shortcut = try hashes(target) else { throw Fault.missing(index: target) }
        return shortcut
    }
}

extension AuditEntry {
    /// Whether both salt and content are gone.
    public var isErased: Bool { event == nil && salt == nil }

    /// The commitment computed from salt and content; nil if either is missing or the salt is invalid.
    public var computedCommitment: HashValue? {
        guard let event, let salt = salt.flatMap({ Hexadecimal.bytes($0) }), salt.count == AuditChain.saltLength else {
            return nil
        }
        return AuditChain.commitment(to: event.canonical, salt: salt)
    }
}

extension ChainWalk.Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missing(let index): "entry \(index) is missing"
        case .changed(let index): "entry \(index) was changed: it does not match its commitment"
        case .emptied(let index): "entry \(index) was emptied by something other than an erasure"
        case .changedSighting(let id): "the sighting \(id) was changed: it does not match the audit’s record"
        case .changedReasons(let id):
            "the reasons of the sighting \(id) were changed, or what they follow from: they do not follow from what was heard"
        case .missingSighting(let id): "the sighting \(id) was deleted or inserted, unlike the audit’s record"
        case .changedPlace(let id): "the place of the station \(id) was changed: it does not match the audit’s record"
        case .unlinked(let index): "entry \(index) does not follow from the entries before it"
        case .truncated(let last, let length): "the chain ends after entry \(last), but it had \(length) entries"
        case .contradictsCheckpoint(let length): "entry \(length) does not match the signed checkpoint"
        case .forgedCheckpoint(let length):
            "no key of this registry signed the stored checkpoint of entry \(length)"
        }
    }
}
