/// One entry of the registry's audit, as `GET /v1/audit` and an evidence pack show it.
///
/// After an erasure, event and salt are absent; commitment and chain hash stay, and ``erasedBy`` names the entry that commits
/// to which entries the erasure emptied.
public struct AuditEntry: Codable, Hashable, Sendable {
    /// The place in the chain, from 1.
    public var index: Int64
    public var event: Event?
    /// 32 hexadecimal digits.
    public var salt: String?
    /// 64 hexadecimal digits, like the next.
    public var commitment: String
    public var chain: String
    /// The entry of the erasure that emptied this one.
    public var erasedBy: Int64?

    /// What was done. All values are strings, so that the canonical form of RFC 8785 needs no rules for numbers.
    public struct Event: Codable, Hashable, Sendable {
        /// As in `report.opened`.
        public var action: String
        public var time: Timestamp
        /// Who did it, as in `owner:019aa4e1-…`; absent where the registry did it by itself or no token was needed.
        public var principal: String?
        public var owner: OwnerID?
        public var bike: BikeID?
        public var report: ReportID?
        public var station: StationID?
        /// What changed, by the names of the wire's fields.
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
