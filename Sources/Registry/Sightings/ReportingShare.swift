/// When a station reports more of the missing list within an hour than any place can hear.
public enum ReportingShare {
    /// Length of the window in milliseconds; it begins at full hours of the visits' own time.
    public static let window: Int64 = 3_600_000
    /// Below this no share is too large: short lists and stolen bikes in one cellar.
    public static let fewest = 10
    /// From here on any share is too large.
    public static let most = 200
    /// The share that is too large in between, in percent.
    static let percent = 5

    /// Missing bikes that have to be counted at most to judge.
    public static let countedAtMost = most * 100 / percent

    /// Whether so many different bikes within an hour are too many for a list of this length.
    public static func isTooLarge(reports: Int, ofMissing missing: Int) -> Bool {
        reports >= most || (reports > fewest && reports * 100 > missing * percent)
    }
}
