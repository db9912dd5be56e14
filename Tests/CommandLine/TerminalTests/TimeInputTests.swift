import Foundation
import RegistryAPI
import Terminal
import Testing

@Suite("Times as people write them")
struct TimeInputTests {
    /// A Saturday in winter, 20:15 in Berlin.
    private let now = Timestamp("2026-11-21T19:15:00Z") ?? Timestamp(milliseconds: 0)

    @Test(
        "a time is parsed in the person’s zone",
        arguments: [
            ("now", "2026-11-21T19:15:00Z"), ("2h ago", "2026-11-21T17:15:00Z"), ("90 min ago", "2026-11-21T17:45:00Z"),
            ("3 days ago", "2026-11-18T19:15:00Z"), ("1 week ago", "2026-11-14T19:15:00Z"),
            ("in 30 days", "2026-12-21T19:15:00Z"), ("18:30", "2026-11-21T17:30:00Z"), ("8:05", "2026-11-21T07:05:00Z"),
            ("18:30:15", "2026-11-21T17:30:15Z"), ("6:30pm", "2026-11-21T17:30:00Z"),
            ("yesterday 12:05AM", "2026-11-19T23:05:00Z"), ("23:00", "2026-11-20T22:00:00Z"),
            ("today", "2026-11-20T23:00:00Z"),
            ("today 18:30", "2026-11-21T17:30:00Z"), ("Yesterday 18:30", "2026-11-20T17:30:00Z"),
            ("yesterday", "2026-11-19T23:00:00Z"), ("tomorrow", "2026-11-21T23:00:00Z"),
            ("2026-11-21", "2026-11-20T23:00:00Z"), ("2026-07-01", "2026-06-30T22:00:00Z"),
            ("2026-11-21 18:30", "2026-11-21T17:30:00Z"), ("2026-11-21T18:30", "2026-11-21T17:30:00Z"),
            ("2026-11-21T18:30:00+02:00", "2026-11-21T16:30:00Z"), ("2026-11-21T18:30:00Z", "2026-11-21T18:30:00Z"),
            // This hour does not exist: clocks go forward from 02:00 to 03:00.
            ("2026-03-29 02:30", "2026-03-29T01:00:00Z"),
        ])
    func understood(text: String, time: String) throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(TimeInput.time(text, now: now, zone: berlin)?.description == Timestamp(time)?.description)
    }

    @Test(
        "an invalid time is refused",
        arguments: [
            "", " ", "ago", "in", "2 ago", "h ago", "2 fortnights ago", "-2h ago", "99999999999999999999h ago", "24:00",
            "18:60", "18", "13:30pm", "0:30am", "6pm", "18:3", "1:2:3:4", "2026-02-30", "2026-11-21 25:00",
            "21.11.2026", "2026-11-21 18:30 ago",
            "yesterday yesterday", "٣h ago", "+1:30", "T18:30",
        ])
    func refused(text: String) throws {
        #expect(TimeInput.time(text, now: now, zone: try #require(TimeZone(identifier: "Europe/Berlin"))) == nil)
    }
}
