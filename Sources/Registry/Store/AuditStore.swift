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

    /// Follows the chain through the range and compares every entry with its commitment.
    ///
    /// - Parameters:
    ///   - range: the hash before it is taken as right; nil for the whole chain.
    ///   - checkpoint: what the chain must agree with.
    /// - Throws: ``ChainWalk/Fault``.
    func verifyAudit(_ range: ClosedRange<Int64>?, against checkpoint: Checkpoint?) async throws -> AuditVerification
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

    public init(entries: Int64, erased: Int64, length: Int64, end: HashValue) {
        self.entries = entries
        self.erased = erased
        self.length = length
        self.end = end
    }
}
