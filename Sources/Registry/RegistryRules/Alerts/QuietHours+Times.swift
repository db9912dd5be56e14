public import RegistryAPI

extension QuietHours {
    /// The end of the quiet time that contains a moment; nil if the moment is not in the quiet hours.
    ///
    /// Quiet hours whose end is not after their beginning last until the next day.
    public func end(at time: Timestamp, in zone: LocalZone) -> Timestamp? {
        let clock = zone.clock(at: time)
        let isOverMidnight = to.minute <= from.minute
        let hasBegun = clock.minute >= from.minute
        let hasNotEnded = clock.minute < to.minute
        let isQuiet = isOverMidnight ? hasBegun || hasNotEnded : hasBegun && hasNotEnded
        guard isQuiet else { return nil }
        let endsTomorrow = isOverMidnight && hasBegun
        let day = endsTomorrow ? clock.date.advanced(byDays: 1) : clock.date
        // When clocks are set back, an hour occurs twice, and the end can seem to be in the past: then the second
        // occurrence is the end.
        let end = zone.time(of: LocalClock(date: day, minute: to.minute))
        return end > time ? end : end.advanced(by: .seconds(3600))
    }
}
