import Foundation
public import RegistryAPI

/// A person's time zone by its IANA name; UTC if none is known.
public struct LocalZone: Hashable, Sendable {
    /// The name, such as `Europe/Berlin`; nil if the zone is not known.
    public let name: String?

    /// - Parameter name: a name unknown to this system is ignored.
    public init(_ name: String? = nil) {
        if let name, Self.exists(name) {
            self.name = name
        } else {
            self.name = nil
        }
    }

    /// Whether the system knows a zone of this name.
    public static func exists(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

    /// The offset from UTC at a time, in seconds east.
    public func offset(at time: Timestamp) -> Int {
        guard let name, let zone = TimeZone(identifier: name) else { return 0 }
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    /// The time that a wall clock in the zone shows.
    public func clock(at time: Timestamp) -> LocalClock {
        let shifted = time.advanced(by: .seconds(offset(at: time)))
        // The remainder is negative before 1970.
        let minute = shifted.milliseconds / 60_000 % 1440
        return LocalClock(date: CalendarDate(shifted), minute: Int(minute + 1440) % 1440)
    }

    /// The first time at which a wall clock in the zone shows this reading;
    /// if the reading is skipped in spring, the result is later by the length of the gap.
    public func time(of clock: LocalClock) -> Timestamp {
        let utc = clock.date.start.advanced(by: .seconds(clock.minute * 60))
        let guess = utc.advanced(by: .seconds(-offset(at: utc)))
        // If clocks are changed near this time, the zone still had its earlier offset six hours before.
        let hoursBefore = guess.advanced(by: .seconds(-6 * 3600))
        let earlier = utc.advanced(by: .seconds(-offset(at: hoursBefore)))
        if self.clock(at: earlier) == clock { return earlier }
        let later = utc.advanced(by: .seconds(-offset(at: guess)))
        return self.clock(at: later) == clock ? later : earlier
    }

    /// The zone as people read it, with its offset from UTC: `Europe/Berlin, UTC+1`.
    public func label(at time: Timestamp) -> String {
        guard let name else { return "UTC" }
        let minutes = offset(at: time) / 60
        let sign = minutes < 0 ? "−" : "+"
        let (hours, rest) = abs(minutes).quotientAndRemainder(dividingBy: 60)
        guard rest > 0 else { return "\(name), UTC\(sign)\(hours)" }
        let padding = rest < 10 ? "0" : ""
        return "\(name), UTC\(sign)\(hours):\(padding)\(rest)"
    }
}

/// A day and a minute of it, as shown by a wall clock.
public struct LocalClock: Hashable, Sendable {
    public var date: CalendarDate
    /// The minute of the day, 0…1439.
    public var minute: Int

    public init(date: CalendarDate, minute: Int) {
        self.date = date
        self.minute = minute
    }

    /// The time as text, such as `07:05`.
    public var text: String { TimeOfDay(minute: minute).description }
}
