public import RegistryAPI

extension QuietHours {
    /// The end of the quiet time that a moment lies in; nil where it lies in none.
    public func end(at time: Timestamp, in zone: LocalZone) -> Timestamp? {
        let clock = zone.clock(at: time)
        let isOverMidnight = to.minute <= from.minute
        let isQuiet =
            isOverMidnight
            ? clock.minute >= from.minute || clock.minute < to.minute
            : (from.minute..<to.minute).contains(clock.minute)
        guard isQuiet else { return nil }
        let endsTomorrow = isOverMidnight && clock.minute >= from.minute
        let day = endsTomorrow ? clock.date.advanced(byDays: 1) : clock.date
        // Where clocks are set, the end may seem to lie behind: then an hour comes twice, and it is the second one.
        let end = zone.time(of: LocalClock(date: day, minute: to.minute))
        return end > time ? end : end.advanced(by: .seconds(3600))
    }
}

/// When reminders are told: by day, where the reader's zone is known.
public enum ReminderTimes {
    static let morning = TimeOfDay(minute: 9 * 60)
    static let evening = TimeOfDay(minute: 20 * 60)

    /// The next moment of day: now, or the coming morning. In an unknown zone every hour is like another.
    public static func next(at time: Timestamp, in zone: LocalZone) -> Timestamp {
        guard zone.name != nil else { return time }
        return QuietHours(from: evening, to: morning).end(at: time, in: zone) ?? time
    }
}
