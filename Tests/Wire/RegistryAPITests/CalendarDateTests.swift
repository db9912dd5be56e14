import RegistryAPI
import Testing

@Suite("Dates and times of day")
struct CalendarDateTests {
    @Test(
        "a date is written in the form in which it is parsed",
        arguments: ["2026-11-21", "2028-02-29", "1970-01-01", "1885-12-31"])
    func text(text: String) throws {
        #expect(try #require(CalendarDate(text)).description == text)
    }

    @Test(
        "an invalid date is refused",
        arguments: ["2027-02-29", "2026-13-01", "2026-1-1", "21.11.2026", "", "2026-11-21Z"])
    func malformed(text: String) { #expect(CalendarDate(text) == nil) }

    @Test("each month has its own number of days")
    func months() throws {
        let date = try #require(CalendarDate("2027-01-31"))
        #expect(date.advanced(byMonths: 1).description == "2027-02-28")
        #expect(date.advanced(byMonths: 13).description == "2028-02-29")
        #expect(date.advanced(byMonths: -2).description == "2026-11-30")
        #expect((date.year, date.month, date.dayOfMonth) == (2027, 1, 31))
    }

    @Test("a time of day is written in the form in which it is parsed", arguments: ["00:00", "07:05", "23:59"])
    func time(text: String) throws {
        #expect(try #require(TimeOfDay(text)).description == text)
    }

    @Test("an invalid time of day is refused", arguments: ["24:00", "7:05", "07:60", "0705", "07:05:00"])
    func malformedTime(text: String) { #expect(TimeOfDay(text) == nil) }
}
