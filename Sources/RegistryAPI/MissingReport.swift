/// Body of `POST /v1/bikes/{id}/reports`.
public struct MissingReportDraft: Codable, Hashable, Sendable {
    /// When the bike was last known to be safe; at most 30 days ago, absent means now.
    public var missingSince: Timestamp?
    public var lastPlace: Place?
    /// At most 64 characters.
    public var policeReference: String?
    /// At most 500 characters.
    public var note: String?

    public init(
        missingSince: Timestamp? = nil, lastPlace: Place? = nil, policeReference: String? = nil, note: String? = nil
    ) {
        self.missingSince = missingSince
        self.lastPlace = lastPlace
        self.policeReference = policeReference
        self.note = note
    }
}

/// How a missing report ended.
public enum ReportOutcome: String, Codable, CaseIterable, Hashable, Sendable {
    case recovered, falseAlarm, givenUp
}

/// Body of `POST /v1/bikes/{id}/reports/{rid}/closure`.
public struct ReportClosure: Codable, Hashable, Sendable {
    public var outcome: ReportOutcome
    /// At most 500 characters.
    public var note: String?

    public init(outcome: ReportOutcome, note: String? = nil) {
        self.outcome = outcome
        self.note = note
    }
}

/// A missing report: opens when the owner says that the bike is gone, closes with an outcome.
public struct MissingReport: Codable, Hashable, Sendable {
    public var id: ReportID
    public var bike: BikeID
    public var opened: Timestamp
    public var missingSince: Timestamp
    public var lastPlace: Place?
    public var policeReference: String?
    public var note: String?
    /// Absent while the report is open.
    public var closed: Timestamp?
    public var closure: ReportClosure?

    public init(
        id: ReportID, bike: BikeID, opened: Timestamp, missingSince: Timestamp, lastPlace: Place? = nil,
        policeReference: String? = nil, note: String? = nil, closed: Timestamp? = nil, closure: ReportClosure? = nil
    ) {
        self.id = id
        self.bike = bike
        self.opened = opened
        self.missingSince = missingSince
        self.lastPlace = lastPlace
        self.policeReference = policeReference
        self.note = note
        self.closed = closed
        self.closure = closure
    }
}
