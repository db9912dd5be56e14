public import RegistryAPI

/// A day in a bike's life that its owner is reminded of.
public struct Reminder: Hashable, Sendable {
    /// The day that it is about.
    public var date: CalendarDate
    public var event: OwnerNotice.Event
    /// How many days before it is told.
    public var daysBefore: Int

    public init(_ event: OwnerNotice.Event, on date: CalendarDate, daysBefore: Int) {
        self.event = event
        self.date = date
        self.daysBefore = daysBefore
    }

    /// The day on which it is told.
    public var day: CalendarDate { date.advanced(byDays: -daysBefore) }

    /// That day's morning.
    public func due(in zone: LocalZone) -> Timestamp {
        zone.time(of: LocalClock(date: day, minute: ReminderTimes.morning.minute))
    }
}

/// Of what and when an owner is reminded: pure functions of what the bike's details say.
public enum ReminderRules {
    /// The stages, in days before the date.
    public static let stages = [30, 7]

    /// How long a missing bike has not been heard when its owner is asked whether it is back.
    public static let quietReport = Duration.seconds(14 * 86_400)

    /// The reminders of a bike's dates, without those whose date is over.
    public static func reminders(of upkeep: BikeUpkeep, after today: CalendarDate) -> [Reminder] {
        let dates: [(OwnerNotice.Event, CalendarDate?)] = [
            (.inspectionDue, upkeep.inspectionDue), (.insuranceEnding, upkeep.insuranceEnds),
            (.taxDue, upkeep.taxDue), (.breakdownCoverEnding, upkeep.breakdownCoverEnds),
            (.batteryAging, upkeep.batteryEnds),
        ]
        return dates.flatMap { event, date in
            guard let date, date >= today else { return [Reminder]() }
            return stages.map { Reminder(event, on: date, daysBefore: $0) }
        }
    }
}

extension BikeUpkeep {
    /// When the beacon's battery is as old as such batteries get; nil where its age is not known.
    public var batteryEnds: CalendarDate? {
        guard let batteryFitted else { return nil }
        return batteryFitted.advanced(byMonths: batteryMonths ?? (battery ?? .other).typicalMonths)
    }
}

extension BeaconBattery {
    /// How long one lasts in an ordinary beacon that sends once a second: with less current or a slower pulse longer, in
    /// the cold shorter.
    public var typicalMonths: Int {
        switch self {
        case .cr2032: 12
        case .cr2450: 24
        case .cr2477: 36
        case .aaa: 24
        case .aa: 48
        case .other: 12
        }
    }
}
