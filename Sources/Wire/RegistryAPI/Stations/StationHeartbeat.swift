/// Body of `PUT /v1/station/heartbeat`, which a station sends every few minutes.
public struct StationHeartbeat: Codable, Hashable, Sendable {
    /// The monitor's version, 1–64 characters.
    public var version: String
    /// The state of each adapter, at most 16.
    public var adapters: [AdapterHealth]
    /// The version of the missing list that the station matches against; absent before the first.
    public var listVersion: UInt64?
    /// What the station heard in quarters of an hour that have ended, at most ``maximumQuarters``; absent if there is
    /// nothing new. The registry stores it apart from the heartbeat.
    public var coverage: [CoverageQuarter]?
    /// `false` if the venue does not want partner registries to get what the station hears: what still waits for them is
    /// deleted. Absent means that they may.
    public var partners: Bool?

    /// The maximum number of quarters in one heartbeat.
    public static let maximumQuarters = 48

    /// The state of one radio.
    public struct AdapterHealth: Codable, Hashable, Sendable {
        /// The adapter's name, such as `hci0`, 1–32 characters.
        public var name: String
        /// The state, such as `scanning` or `failed`, 1–32 characters.
        public var state: String
        /// Seconds since the last advertisement; absent before the first.
        public var silentSeconds: Int?
        /// Advertisements heard since the monitor started.
        public var reports: Int
        /// Advertisements lost since the monitor started.
        public var dropped: Int
        /// The last error, at most 200 characters.
        public var lastError: String?

        public init(
            name: String, state: String, silentSeconds: Int? = nil, reports: Int = 0, dropped: Int = 0,
            lastError: String? = nil
        ) {
            self.name = name
            self.state = state
            self.silentSeconds = silentSeconds
            self.reports = reports
            self.dropped = dropped
            self.lastError = lastError
        }
    }

    public init(
        version: String, adapters: [AdapterHealth], listVersion: UInt64? = nil, coverage: [CoverageQuarter]? = nil,
        partners: Bool? = nil
    ) {
        self.version = version
        self.adapters = adapters
        self.listVersion = listVersion
        self.coverage = coverage
        self.partners = partners
    }
}

extension StationHeartbeat: WireObject {
    public static let blank = StationHeartbeat(version: "", adapters: [])

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("version", &version, .text(1...64))
        fields.required("adapters", &adapters, .array(of: .object(), 0...16, "a list of at most 16 adapters"))
        fields.optional("listVersion", &listVersion, .integer(0...1 << 53))
        fields.optional(
            "coverage", &coverage,
            .array(of: .object(), 0...Self.maximumQuarters, "a list of at most 48 quarters of an hour")
        )
        fields.optional("partners", &partners, .boolean)
    }
}

extension StationHeartbeat.AdapterHealth: WireObject {
    public static let blank = Self(name: "", state: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("name", &name, .text(1...32))
        fields.required("state", &state, .text(1...32))
        fields.optional("silentSeconds", &silentSeconds, .integer(0...1 << 53))
        fields.defaulted("reports", &reports, .integer(0...1 << 53))
        fields.defaulted("dropped", &dropped, .integer(0...1 << 53))
        fields.optional("lastError", &lastError, .text(0...200))
    }
}
