import Foundation
public import RegistryAPI

/// A person's time zone by its IANA name; UTC where none is known.
public struct LocalZone: Hashable, Sendable {
    /// As in `Europe/Berlin`; nil where the zone is not known.
    public let name: String?

    /// - Parameter name: a name that this system does not know counts as none.
    public init(_ name: String? = nil) {
        self.name = name.flatMap { TimeZone(identifier: $0) == nil ? nil : $0 }
    }

    /// Whether the system knows a zone of this name.
    public static func exists(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

    /// Seconds east of UTC at a time.
    public func offset(at time: Timestamp) -> Int {
        guard let name, let zone = TimeZone(identifier: name) else { return 0 }
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000))
    }

    /// What a wall clock in the zone shows.
    public func clock(at time: Timestamp) -> LocalClock {
        let shifted = time.advanced(by: .seconds(offset(at: time)))
        return LocalClock(date: CalendarDate(shifted), minute: Int(shifted.milliseconds / 60_000 % 1440 + 1440) % 1440)
    }

    /// When a wall clock in the zone shows this first; where it is skipped in spring, as much later.
    public func time(of clock: LocalClock) -> Timestamp {
        let utc = clock.date.start.advanced(by: .seconds(clock.minute * 60))
        let first = utc.advanced(by: .seconds(-offset(at: utc)))
        let earlier = utc.advanced(by: .seconds(-offset(at: first.advanced(by: .seconds(-6 * 3600)))))
        if self.clock(at: earlier) == clock { return earlier }
        let later = utc.advanced(by: .seconds(-offset(at: first)))
        return self.clock(at: later) == clock ? later : earlier
    }

    /// The zone as people read it, with its distance from UTC: `Europe/Berlin, UTC+1`.
    public func label(at time: Timestamp) -> String {
        guard let name else { return "UTC" }
        let minutes = offset(at: time) / 60
        let hours = "UTC\(minutes < 0 ? "−" : "+")\(abs(minutes) / 60)"
        let rest = abs(minutes) % 60
        return "\(name), \(hours)\(rest == 0 ? "" : ":\(rest < 10 ? "0" : "")\(rest)")"
    }
}

/// A day and a minute of it, as a wall clock shows them.
public struct LocalClock: Hashable, Sendable {
    public var date: CalendarDate
    /// 0…1439.
    public var minute: Int

    public init(date: CalendarDate, minute: Int) {
        self.date = date
        self.minute = minute
    }

    /// As in `07:05`.
    public var text: String { TimeOfDay(minute: minute).description }
}
