public import RegistryAPI

/// The rules for reminders: pure functions of a bike's details.
public enum ReminderRules {
    /// The stages of reminders, in days before the date.
    public static let stages = [30, 7]

    /// The time without a sighting after which the owner of a missing bike is asked whether it is back.
    public static let quietReport = Duration.days(14)

    /// The reminders of a bike's dates, one for each stage, without past dates. A reminder may already be due.
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

/// A date in a bike's data that its owner is reminded of.
public struct Reminder: Hashable, Sendable {
    /// The date that the reminder is about.
    public var date: CalendarDate
    public var event: OwnerNotice.Event
    /// The number of days before the date when the reminder is sent.
    public var daysBefore: Int

    public init(_ event: OwnerNotice.Event, on date: CalendarDate, daysBefore: Int) {
        self.event = event
        self.date = date
        self.daysBefore = daysBefore
    }

    /// The day on which the reminder is sent.
    public var day: CalendarDate { date.advanced(byDays: -daysBefore) }

    /// The morning of the day on which the reminder is sent.
    public func due(in zone: LocalZone) -> Timestamp {
        zone.time(of: LocalClock(date: day, minute: ReminderTimes.morning.minute))
    }
}

extension BikeUpkeep {
    /// The expected end of the beacon's battery, by the life that its owner states or its typical one; nil if its age
    /// is not known.
    public var batteryEnds: CalendarDate? {
        guard let batteryFitted else { return nil }
        let life = batteryMonths ?? (battery ?? .other).typicalMonths
        return batteryFitted.advanced(byMonths: life)
    }
}

extension BeaconBattery {
    /// The typical life of the battery in a beacon that sends once a second, in months: longer with less transmit
    /// power or a longer interval, shorter in the cold.
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

/// The times for reminders: during the day, if the reader's zone is known.
public enum ReminderTimes {
    static let morning = TimeOfDay(minute: 9 * 60)
    static let evening = TimeOfDay(minute: 20 * 60)

    /// The next time during the day: now, or the coming morning. In an unknown zone, every hour is allowed.
    public static func next(at time: Timestamp, in zone: LocalZone) -> Timestamp {
        guard zone.name != nil else { return time }
        return QuietHours(from: evening, to: morning).end(at: time, in: zone) ?? time
    }
}
