import RegistryAPI
import RegistryRules
import Testing

@Suite("Rules of reminders")
struct ReminderRulesTests {
    private static func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    @Test("each date has reminders a month and a week before it, and a past date has none")
    func stages() throws {
        let upkeep = BikeUpkeep(
            inspectionDue: try Self.date("2027-03-31"), insuranceEnds: try Self.date("2026-11-20"),
            breakdownCoverEnds: try Self.date("2026-11-21")
        )
        let reminders = ReminderRules.reminders(of: upkeep, after: try Self.date("2026-11-21"))
        #expect(
            reminders.map(\.event) == [.inspectionDue, .inspectionDue, .breakdownCoverEnding, .breakdownCoverEnding])
        #expect(reminders.map(\.day.description) == ["2027-03-01", "2027-03-24", "2026-10-22", "2026-11-14"])
    }

    @Test(
        "a battery lasts as long as its type does, or as its owner specifies",
        arguments: [
            (BeaconBattery.cr2032, nil, "2027-11-30"), (.cr2477, nil, "2029-11-30"), (.aa, nil, "2030-11-30"),
            (nil, nil, "2027-11-30"), (.cr2477, 3, "2027-02-28"),
        ] as [(BeaconBattery?, Int?, String)]
    )
    func battery(type: BeaconBattery?, months: Int?, ends: String) throws {
        let upkeep = BikeUpkeep(battery: type, batteryFitted: try Self.date("2026-11-30"), batteryMonths: months)
        #expect(upkeep.batteryEnds?.description == ends)
        #expect(BikeUpkeep(battery: type, batteryMonths: months).batteryEnds == nil)
    }
}
