/// Response to `GET /v1/stations/{id}/coverage` and `GET /v1/station/coverage`: what a station heard on one day.
public struct StationCoverage: Codable, Hashable, Sendable {
    /// The day in UTC.
    public var day: CalendarDate
    /// The quarters of an hour that are known, at most 96, in the order of time.
    public var quarters: [CoverageQuarter]

    public init(day: CalendarDate, quarters: [CoverageQuarter]) {
        self.day = day
        self.quarters = quarters
    }
}

/// Response to a heartbeat that has quarters of an hour, or that comes from a station that may serve displays or of a
/// registry with partners. The station need not send these quarters again.
public struct CoverageReceipt: Codable, Hashable, Sendable {
    /// The number of quarters that are now stored.
    public var stored: Int
    /// The number of quarters that were known already, had not ended yet, or had ended too long ago.
    public var ignored: Int
    /// The number of ignored quarters that are stored with other values. For the registry's operator, so not part of
    /// the response.
    public var contradicted = 0
    /// Present if the station may serve displays in its own network.
    public var displays: DisplayTerms?
    /// The partner registries for whose missing bikes the station listens, too, by the names that the registry gives
    /// them; absent if there are none.
    public var partners: [String]?

    private enum CodingKeys: CodingKey {
        case stored, ignored, displays, partners
    }

    public init(
        stored: Int, ignored: Int, contradicted: Int = 0, displays: DisplayTerms? = nil, partners: [String]? = nil
    ) {
        self.stored = stored
        self.ignored = ignored
        self.contradicted = contradicted
        self.displays = displays
        self.partners = partners
    }
}
