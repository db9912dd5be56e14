public import RegistryAPI

/// When an operator should look at a search.
///
/// What stations hear hardly distinguishes a person from a bike that is ridden every day (record 66), so these facts
/// only say where to look first.
public enum MisuseRules {
    /// The time over which an owner's reports are counted, and the number from which they are a sign.
    public static let (reportsSpan, manyReports) = (Duration.seconds(30 * 86_400), 3)
    /// The time over which nights are counted, and the number from which they are a sign.
    public static let (nightsSpan, manyNights) = (Duration.seconds(14 * 86_400), 2)
    /// The time between two looks at a search.
    public static let interval = Duration.seconds(86_400)

    public static func signs(isNew: Bool, reports: Int, nights: StationNights) -> [SearchToCheck.Sign] {
        var signs: [SearchToCheck.Sign] = []
        if isNew { signs.append(.newBeacon) }
        if reports >= manyReports { signs.append(.reportedAgain) }
        if nights.most >= manyNights, nights.stations > 1 { signs.append(.nightsAtOnePlace) }
        return signs
    }
}
