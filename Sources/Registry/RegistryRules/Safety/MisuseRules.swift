public import RegistryAPI

/// When an operator should look at a search.
///
/// What stations hear hardly distinguishes a person from a bike that is ridden every day (record 66), so these facts
/// only say where to look first.
public enum MisuseRules {
    /// The time over which an owner's reports are counted.
    public static let reportsSpan = Duration.days(30)
    /// The number of reports from which they are a sign.
    public static let manyReports = 3
    /// The time over which nights are counted.
    public static let nightsSpan = Duration.days(14)
    /// The number of nights from which they are a sign.
    public static let manyNights = 2
    /// The time between two looks at a search.
    public static let interval = Duration.days(1)

    /// The reasons to look at a search.
    ///
    /// - Parameters:
    ///   - isNew: whether the beacon was new when the report was opened.
    ///   - reports: the owner's reports within ``reportsSpan``.
    ///   - nights: the nights within ``nightsSpan``.
    public static func signs(isNew: Bool, reports: Int, nights: StationNights) -> [SearchToCheck.Sign] {
        var signs: [SearchToCheck.Sign] = []
        if isNew { signs.append(.newBeacon) }
        if reports >= manyReports { signs.append(.reportedAgain) }
        if nights.mostAtOneStation >= manyNights, nights.stations > 1 { signs.append(.nightsAtOnePlace) }
        return signs
    }
}
