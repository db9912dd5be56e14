public import Evidence
public import RegistryAPI

/// Which entries of the audit to show; nil is any.
public struct AuditFilter: Hashable, Sendable {
    public var owner: OwnerID?
    public var bike: BikeID?
    public var report: ReportID?
    public var station: StationID?
    /// As on the wire, so that one that this version does not know simply finds nothing.
    public var action: String?
    /// Not before this time.
    public var since: Timestamp?
    /// Before this time.
    public var until: Timestamp?

    public init(
        owner: OwnerID? = nil, bike: BikeID? = nil, report: ReportID? = nil, station: StationID? = nil,
        action: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil
    ) {
        self.owner = owner
        self.bike = bike
        self.report = report
        self.station = station
        self.action = action
        self.since = since
        self.until = until
    }
}

/// The record of every change. Writing verbs append to it in their own transaction; nothing is ever taken out.
public protocol AuditStore: Sendable {
    /// Entries that fit the filter, in the order in which they were made, erased ones only where nothing is filtered.
    ///
    /// A page may hold fewer than its limit and still not be the last: what is looked through for one is bounded.
    func auditEntries(_ filter: AuditFilter, _ page: PageRequest<Int64>) async throws -> StoredPage<AuditEntry, Int64>

    /// The chain's last entry and its hash; 0 and ``HashValue/zero`` while there is none.
    func auditEnd() async throws -> (length: Int64, hash: HashValue)

    /// Keeps a checkpoint for good; without effect where one of the same length is kept already.
    func keep(_ checkpoint: SignedCheckpoint, length: Int64) async throws

    /// The checkpoints that are kept, the latest first; the cursor is a checkpoint's length.
    func auditCheckpoints(_ page: PageRequest<Int64>) async throws -> StoredPage<SignedCheckpoint, Int64>

    /// Follows the chain through the range and compares every entry with its commitment.
    ///
    /// - Parameters:
    ///   - range: the hash before it is taken as right; nil for the whole chain.
    ///   - checkpoints: what the chain must agree with, beside the checkpoints that are kept.
    /// - Throws: ``ChainWalk/Fault``.
    func verifyAudit(_ range: ClosedRange<Int64>?, against checkpoints: [Checkpoint]) async throws -> AuditVerification
}

extension AuditStore {
    /// The audit's length and end, signed now.
    public func signedEnd(by keyring: Keyring, at time: Timestamp) async throws -> (Checkpoint, SignedCheckpoint) {
        let end = try await auditEnd()
        let checkpoint = Checkpoint(length: end.length, chain: end.hash, time: time, key: keyring.current.version)
        return (checkpoint, try checkpoint.signed(by: keyring))
    }
}

/// What a chain without fault holds.
public struct AuditVerification: Hashable, Sendable {
    /// Entries that were followed.
    public var entries: Int64
    /// Those of them whose content was erased.
    public var erased: Int64
    /// The chain's whole length.
    public var length: Int64
    /// The chain hash of the last entry that was followed.
    public var end: HashValue
    /// The checkpoints that are kept, with all of which it agrees.
    public var checkpoints: Int64
    /// What else agrees with the entries; nil where a part of the chain was followed.
    public var contents: Contents?

    /// What the audit has records of.
    public struct Contents: Hashable, Sendable {
        /// Sightings that are what was recorded.
        public var sightings: Int64
        /// Of these, those that have gone on since: when they were last heard, how often and how well is not recorded yet.
        public var growing: Int64
        /// Sightings that were stored before there were records.
        public var unrecorded: Int64
        /// Entries that were erased before erasures were recorded.
        public var unexplained: Int64

        public init(sightings: Int64 = 0, growing: Int64 = 0, unrecorded: Int64 = 0, unexplained: Int64 = 0) {
            self.sightings = sightings
            self.growing = growing
            self.unrecorded = unrecorded
            self.unexplained = unexplained
        }
    }

    public init(
        entries: Int64, erased: Int64, length: Int64, end: HashValue, checkpoints: Int64 = 0, contents: Contents? = nil
    ) {
        self.contents = contents
        self.entries = entries
        self.erased = erased
        self.length = length
        self.end = end
        self.checkpoints = checkpoints
    }
}
