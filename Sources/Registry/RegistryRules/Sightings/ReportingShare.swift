/// Judges whether a station reports more of the missing list within an hour than can be heard at any place.
public enum ReportingShare {
    /// The length of the window in milliseconds; windows begin at full hours of the visits' own time.
    public static let window: Int64 = 3_600_000
    /// Up to this number, no share is too large: a list can be short, and several stolen bikes can be in one cellar.
    public static let fewest = 10
    /// From this number on, any share is too large.
    public static let most = 200
    /// The share in percent that is too large in between.
    static let percent = 5

    /// The maximum number of missing bikes that have to be counted: on a longer list, ``most`` is reached first.
    public static let countedAtMost = most * 100 / percent

    /// Whether this many different bikes within an hour are too many for a list of this length.
    public static func isTooLarge(reports: Int, ofMissing missing: Int) -> Bool {
        reports >= most || (reports > fewest && reports * 100 > missing * percent)
    }
}
