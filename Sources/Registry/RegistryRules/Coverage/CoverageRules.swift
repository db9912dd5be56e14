public import RegistryAPI

/// Which of a station's quarters of an hour the registry stores, and for how long.
public enum CoverageRules {
    /// How long coverage is kept.
    public static let retention = Duration.days(90)
    /// The maximum time between the end of a quarter and its arrival. It covers two days without a network; a longer
    /// time would let the holder of a station's token write more of the past.
    public static let lateness = Duration.days(2)

    /// The first day that is kept.
    public static func firstDay(at time: Timestamp) -> CalendarDate {
        CalendarDate(time.advanced(by: .zero - retention))
    }

    /// The quarters that a station may still report at a time.
    public static func acceptable(_ quarters: [CoverageQuarter], at time: Timestamp) -> [CoverageQuarter] {
        let earliest = time.advanced(by: .zero - lateness)
        return quarters.filter { $0.ends <= time && $0.ends >= earliest }
    }

    /// Adds quarters to those of the same day. Known quarters stay as they are, and cannot be changed later, not even
    /// with the station's token.
    ///
    /// - Returns: all quarters in the order of time, the number of new ones, and the number of those that contradict
    ///   what is known.
    public static func adding(
        _ new: [CoverageQuarter], to known: [CoverageQuarter]
    ) -> (all: [CoverageQuarter], stored: Int, contradicted: Int) {
        let unchanged = Set(known)
        var begins = Set(known.map(\.begins))
        let contradicted = new.count { begins.contains($0.begins) && !unchanged.contains($0) }
        let added = new.filter { begins.insert($0.begins).inserted }
        return ((known + added).sorted { $0.begins < $1.begins }, added.count, contradicted)
    }
}
