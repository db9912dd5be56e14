/// One entry of the registry's audit, as in `GET /v1/audit` and in an evidence pack.
///
/// After an erasure, event and salt are absent. Commitment and chain hash stay, and ``erasedBy`` is the index of the
/// entry that commits to the list of entries that the erasure emptied.
public struct AuditEntry: Codable, Hashable, Sendable {
    /// The index in the chain, from 1.
    public var index: Int64
    public var event: Event?
    /// 32 hexadecimal digits.
    public var salt: String?
    /// 64 hexadecimal digits, like the chain hash below.
    public var commitment: String
    public var chain: String
    /// The index of the erasure's entry that emptied this one.
    public var erasedBy: Int64?

    /// The recorded event. All values are strings, so that the canonical form of RFC 8785 needs no rules for numbers.
    public struct Event: Codable, Hashable, Sendable {
        /// The name of the action, such as `report.opened`.
        public var action: String
        public var time: Timestamp
        /// The actor, such as `owner:019aa4e1-…`; absent if the registry acted by itself or no token was needed.
        public var principal: String?
        public var owner: OwnerID?
        public var bike: BikeID?
        public var report: ReportID?
        public var station: StationID?
        /// The changes, keyed by field names of the API.
        public var details: [String: String]

        public init(
            action: String, time: Timestamp, principal: String? = nil, owner: OwnerID? = nil, bike: BikeID? = nil,
            report: ReportID? = nil, station: StationID? = nil, details: [String: String] = [:]
        ) {
            self.action = action
            self.time = time
            self.principal = principal
            self.owner = owner
            self.bike = bike
            self.report = report
            self.station = station
            self.details = details
        }
    }

    public init(index: Int64, event: Event?, salt: String?, commitment: String, chain: String, erasedBy: Int64? = nil) {
        self.index = index
        self.event = event
        self.salt = salt
        self.commitment = commitment
        self.chain = chain
        self.erasedBy = erasedBy
    }
}
