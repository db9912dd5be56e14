import RegistryAPI
import RegistryRules
import Testing

@Suite("Quiet hours and zones")
struct QuietHoursTests {
    private static func quiet(_ from: String, _ to: String) throws -> QuietHours {
        QuietHours(from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to)))
    }

    @Test(
        "a time in quiet hours is delayed until they end, but any other is not",
        arguments: [
            // Berlin is an hour ahead of UTC in winter, two in summer.
            ("22:00", "07:00", "2026-11-21T20:59:59Z", nil),
            ("22:00", "07:00", "2026-11-21T21:00:00Z", "2026-11-22T06:00:00Z"),
            ("22:00", "07:00", "2026-11-22T03:00:00Z", "2026-11-22T06:00:00Z"),
            ("22:00", "07:00", "2026-11-22T06:00:00Z", nil),
            ("13:00", "15:00", "2026-07-01T11:30:00Z", "2026-07-01T13:00:00Z"),
            ("13:00", "15:00", "2026-07-01T13:00:00Z", nil),
            // The clocks go forward at 2:00 on 28 March 2027, and back at 3:00 on 31 October 2027.
            ("22:00", "07:00", "2027-03-27T23:00:00Z", "2027-03-28T05:00:00Z"),
            ("22:00", "02:30", "2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"),
            ("22:00", "07:00", "2027-10-30T23:00:00Z", "2027-10-31T06:00:00Z"),
        ] as [(String, String, String, String?)]
    )
    func end(from: String, to: String, time: String, end: String?) throws {
        let moment = try #require(Timestamp(time))
        let expected = end.flatMap { Timestamp($0) }
        #expect(try Self.quiet(from, to).end(at: moment, in: LocalZone("Europe/Berlin")) == expected)
    }

    @Test(
        "quiet hours never end in the past during the repeated hour",
        arguments: ["2027-10-31T00:29:00Z", "2027-10-31T01:10:00Z"])
    func repeatedHour(time: String) throws {
        let moment = try #require(Timestamp(time))
        let end = try #require(try Self.quiet("22:00", "02:30").end(at: moment, in: LocalZone("Europe/Berlin")))
        #expect(end > moment && end <= moment.advanced(by: .seconds(5400)))
    }

    @Test("a zone’s label shows its offset from UTC")
    func label() throws {
        let time = try #require(Timestamp("2026-11-21T12:00:00Z"))
        #expect(LocalZone("Europe/Berlin").label(at: time) == "Europe/Berlin, UTC+1")
        #expect(LocalZone("Asia/Kolkata").label(at: time) == "Asia/Kolkata, UTC+5:30")
        #expect(LocalZone("America/St_Johns").label(at: time) == "America/St_Johns, UTC−3:30")
        #expect(LocalZone().label(at: time) == "UTC")
        #expect(LocalZone("Nowhere/Land").name == nil && !LocalZone.exists("Nowhere/Land"))
    }

    @Test("reminders wait for daytime if the zone is known")
    func day() throws {
        let night = try #require(Timestamp("2026-11-22T02:00:00Z"))
        #expect(ReminderTimes.next(at: night, in: LocalZone("Europe/Berlin")) == Timestamp("2026-11-22T08:00:00Z"))
        #expect(ReminderTimes.next(at: night, in: LocalZone("America/Los_Angeles")) == night)
        #expect(ReminderTimes.next(at: night, in: LocalZone()) == night)
        let event = OwnerNotice.Event.insuranceEnding
        let quiet = try Self.quiet("08:00", "10:00")
        #expect(
            event.due(at: night, in: LocalZone("Europe/Berlin"), quiet: quiet) == Timestamp("2026-11-22T09:00:00Z"))
        #expect(OwnerNotice.Event.tokenCreated.due(at: night, in: LocalZone("Europe/Berlin"), quiet: quiet) == night)
    }
}
