public import RegistryAPI

/// Follows a chain entry by entry and finds the first that is not what it was.
public struct ChainWalk: Sendable {
    /// What is wrong with a chain.
    public enum Fault: Error, Hashable, Sendable {
        /// An entry is gone.
        case missing(index: Int64)
        /// Salt or content is not what the commitment was made over.
        case changed(index: Int64)
        /// Salt and content are gone, and no erasure says that it emptied this entry.
        case emptied(index: Int64)
        /// A sighting is not what the registry has recorded of it.
        case changedSighting(VisitID)
        /// A sighting is gone that the audit has an entry of, or is there without one.
        case missingSighting(VisitID)
        /// A station's place is not where the audit says that it was surveyed.
        case changedPlace(StationID)
        /// The chain hash does not follow from the entries before.
        case unlinked(index: Int64)
        /// The last entries are gone: there were more.
        case truncated(after: Int64, length: Int64)
        /// The chain is not the one that a checkpoint was signed for.
        case contradictsCheckpoint(length: Int64)
        /// A checkpoint that is kept with the chain is none that a known key signed.
        case forgedCheckpoint(length: Int64)
    }

    /// The last entry that was followed, and its chain hash.
    public private(set) var index: Int64
    public private(set) var hash: HashValue
    public private(set) var erased = 0

    /// - Parameters:
    ///   - index: the entry before the first to be followed; 0 for a whole chain.
    ///   - hash: its chain hash, which is taken as right.
    public init(after index: Int64 = 0, _ hash: HashValue = .zero) {
        self.index = index
        self.hash = hash
    }

    /// Follows one entry.
    ///
    /// - Parameter hashes: brings the chain hash of an earlier entry, not of 0.
    public mutating func follow(_ entry: AuditEntry, hashes: (Int64) throws -> HashValue?) throws {
        guard entry.index == index + 1 else { throw Fault.missing(index: index + 1) }
        guard let commitment = HashValue(entry.commitment) else { throw Fault.changed(index: entry.index) }
        if !entry.isErased {
            guard entry.computedCommitment == commitment else { throw Fault.changed(index: entry.index) }
        } else {
            erased += 1
        }
        let target = AuditChain.shortcut(from: entry.index)
        let shortcut = target == index ? hash : target == 0 ? .zero : try hashes(target)
        guard let shortcut else { throw Fault.missing(index: target) }
        let next = AuditChain.hash(index: entry.index, previous: hash, shortcut: shortcut, commitment: commitment)
        guard next == HashValue(entry.chain) else { throw Fault.unlinked(index: entry.index) }
        (index, hash) = (entry.index, next)
    }
}

extension AuditEntry {
    /// Whether salt and content are gone, both.
    public var isErased: Bool { event == nil && salt == nil }

    /// The commitment that follows from salt and content; nil where one of them is missing or no salt.
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
        case .changed(let index): "entry \(index) was changed: it is not what its commitment was made over"
        case .emptied(let index): "entry \(index) was emptied by something other than an erasure"
        case .changedSighting(let id): "the sighting \(id) was changed: it is not what the audit has recorded"
        case .missingSighting(let id): "the sighting \(id) was deleted or put in: the audit says otherwise"
        case .changedPlace(let id): "the place of the station \(id) was changed: it is not what the audit has recorded"
        case .unlinked(let index): "entry \(index) does not follow from the entries before it"
        case .truncated(let last, let length): "the chain ends after entry \(last), but it had \(length)"
        case .contradictsCheckpoint(let length): "entry \(length) is not the one that the checkpoint was signed for"
        case .forgedCheckpoint(let length):
            "no key of this registry signed the checkpoint that is kept of entry \(length)"
        }
    }
}
