/// An open search that an operator should look at, with the facts that suggest so. The facts are not a verdict.
public struct SearchToCheck: Codable, Hashable, Sendable {
    /// A sign that is rare for true owners, and frequent for people who follow somebody.
    public enum Sign: String, Codable, CaseIterable, Hashable, Sendable {
        /// The beacon was new when the report was opened (``MissingReport/newBeacon``).
        case newBeacon
        /// An owner whom no operator has verified reports bikes missing again and again.
        case reportedAgain
        /// One station heard the beacon for hours in several nights, and others heard it too: the pattern of a person
        /// who lives near that station. The same is true of a bike whose owner forgot to close the report.
        case nightsAtOnePlace
    }

    public var owner: OwnerID
    public var report: ReportReview
    public var signs: [Sign]
    /// How often the owner reported a bike missing in the last 30 days.
    public var reports: Int
    /// In how many of the last 14 nights the same station heard the beacon for hours.
    public var nights: Int

    public init(owner: OwnerID, report: ReportReview, signs: [Sign], reports: Int, nights: Int) {
        self.owner = owner
        self.report = report
        self.signs = signs
        self.reports = reports
        self.nights = nights
    }
}
