import RegistryAPI
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "RFC 3339 is parsed with any offset and any fraction",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-21T06:13:05.250Z", 1_795_241_585_250),
            ("2026-11-21T07:13:05.25+01:00", 1_795_241_585_250),
            ("2026-11-20t22:13:05.250999-08:00", 1_795_241_585_250),
            ("2024-02-29T23:59:60Z", 1_709_251_200_000),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59Z", 253_402_300_799_000),
        ] as [(String, Int64)]
    )
    func reads(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(
        "text that is not RFC 3339 is refused",
        arguments: [
            "", "2026", "2026-11-21", "2026-11-21T06:13:05", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
            "2026-11-21T24:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:13:61Z", "2026-11-21 06:13:05Z",
            "2026-11-21T06:13:05.Z", "2026-11-21T06:13:05Zx", "2026-11-21T06:13:05+24:00", "2026-11-21T06:13:05+1:00",
            "２026-11-21T06:13:05Z", "+026-11-21T06:13:05Z",
            "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01",
        ]
    )
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "printed text is parsed back", arguments: [0, 1, -1, 951_782_400_000, 4_107_542_399_999, -11_644_473_600_000])
    func roundTrip(milliseconds: Int64) {
        let timestamp = Timestamp(milliseconds: milliseconds)
        #expect(Timestamp(timestamp.description) == timestamp)
    }

    @Test("every time is within the years 0 to 9999, whatever its origin")
    func bounds() {
        let (start, end) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(start.description == "0000-01-01T00:00:00.000Z" && end.description == "9999-12-31T23:59:59.999Z")
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(start.advanced(by: .seconds(-1)) == start)
        for duration in [Duration.seconds(Int64.max), Duration(attoseconds: .max)] {
            #expect(Timestamp(milliseconds: 0).advanced(by: duration) == end)
            #expect(end.advanced(by: .zero - duration) == start)
        }
        #expect(start.duration(to: end) == .milliseconds(end.milliseconds - start.milliseconds))
    }

    @Test("days have the same bounds as times")
    func days() {
        #expect(CalendarDate(day: .max).description == "9999-12-31" && CalendarDate(day: .min).year == 0)
        #expect(CalendarDate(day: 0).advanced(byDays: .max) == CalendarDate(day: .max))
        #expect(CalendarDate(day: 0).advanced(byMonths: .max).year == 9999)
        #expect(CalendarDate(day: 0).advanced(byMonths: .min).year == 0)
    }
}
