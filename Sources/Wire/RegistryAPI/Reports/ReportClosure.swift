/// Body of `POST /v1/bikes/{id}/reports/{rid}/closure`.
public struct ReportClosure: Codable, Hashable, Sendable {
    public var outcome: ReportOutcome
    /// The person or authority that recovered the bike; only if it was recovered.
    public var recoveredBy: Recoverer?
    /// The circumstances of the recovery, or the reason for giving up; at most 500 characters.
    public var note: String?

    public init(outcome: ReportOutcome, recoveredBy: Recoverer? = nil, note: String? = nil) {
        self.outcome = outcome
        self.recoveredBy = recoveredBy
        self.note = note
    }
}

/// The outcome of a missing report.
public enum ReportOutcome: String, Codable, CaseIterable, Hashable, Sendable {
    case recovered, falseAlarm, givenUp
    /// The report was open for ``MissingReport/lifetime``. Only the registry sets this outcome.
    case expired
}

/// The person or authority that recovered a bike.
public enum Recoverer: String, Codable, CaseIterable, Hashable, Sendable {
    case owner, police, venue, finder, other
}

extension ReportClosure: WireObject {
    public static let blank = ReportClosure(outcome: .expired)

    /// The only outcome that an owner cannot state: the registry closes old reports.
    private static let registrysOutcome = ReportOutcome.expired
    /// The outcomes that an owner can state.
    public static let ownersOutcomes = ReportOutcome.allCases.filter { $0 != registrysOutcome }

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("outcome", &outcome, .choice(except: Self.registrysOutcome))
        fields.optional("recoveredBy", &recoveredBy, .choice())
        fields.optional("note", &note, .text(0...500, multiline: true))
        if recoveredBy != nil, outcome != .recovered {
            fields.refuse("recoveredBy", "is for the outcome recovered; leave it out")
        }
    }
}
