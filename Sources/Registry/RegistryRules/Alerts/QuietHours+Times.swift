public import RegistryAPI

extension QuietHours {
    /// The end of the quiet time that contains a moment; nil if there is none.
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
        // When clocks are set back, an hour occurs twice, and the end can seem to be in the past: then the second
        // occurrence is the end.
        let end = zone.time(of: LocalClock(date: day, minute: to.minute))
        return end > time ? end : end.advanced(by: .seconds(3600))
    }
}
