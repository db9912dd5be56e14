import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let reminders = [
        StoreContract("a bike’s date causes one reminder a month before and one a week before") { store, stage in
            let (owner, bike) = try await stage.keptBike(BikeUpkeep(insuranceEnds: stage.today.advanced(byDays: 60)))
            let tell = { try await store.tellReminders(limit: 9, at: stage.now, using: stage.entropy) }
            var told: [(day: Int, notice: OwnerNotice)] = []
            for day in 1...70 {
                stage.clock.advance(by: .days(1))
                _ = try await tell()
                #expect(try await tell() == 0)
                told += try await stage.deliver().compactMap(\.content.notice).map { (day, $0) }
            }
            #expect(told.map(\.day) == [30, 53])
            #expect(told.allSatisfy { $0.notice.event == .insuranceEnding && $0.notice.bike?.id == bike.id })
            #expect(Set(told.map(\.notice.date)) == [bike.upkeep?.insuranceEnds])
            #expect(try await store.bike(bike.id, of: owner)?.upkeep == bike.upkeep)
        },
        StoreContract("a date that is already near causes one reminder, and one that is set again causes none") {
            store, stage in
            let upkeep = BikeUpkeep(
                breakdownCoverEnds: stage.today.advanced(byDays: 3), breakdownCoverNumber: "0161 496 0000")
            let (owner, bike) = try await stage.keptBike(upkeep)
            let tell = { () async throws -> [OwnerNotice] in
                while try await store.tellReminders(limit: 1, at: stage.now, using: stage.entropy) > 0 {}
                return try await stage.deliver().compactMap(\.content.notice)
            }
            #expect(try await tell().map(\.subject) == ["0161 496 0000"])
            var changed = bike
            changed.notes = "new tyres"
            changed = try await store.changeBike(bike, to: changed, by: stage.act(of: owner))
            #expect(try await tell() == [])
            var later = changed
            later.upkeep?.breakdownCoverEnds = stage.today.advanced(byDays: 5)
            _ = try await store.changeBike(changed, to: later, by: stage.act(of: owner))
            #expect(try await tell().map(\.date) == [stage.today.advanced(byDays: 5)])
        },
        StoreContract("removed dates cause no reminders, and a handed-over bike keeps none") { store, stage in
            let (owner, bike) = try await stage.keptBike(BikeUpkeep(taxDue: stage.today.advanced(byDays: 40)))
            var changed = bike
            changed.upkeep = nil
            changed = try await store.changeBike(bike, to: changed, by: stage.act(of: owner))
            stage.clock.advance(by: .days(39))
            #expect(try await store.tellReminders(limit: 9, at: stage.now, using: stage.entropy) == 0)
            #expect(changed.upkeep == nil)
        },
        StoreContract("if the zone is known, a reminder waits for daytime") { store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            try await stage.change(owner, OwnerPatch(["zone": "Asia/Tokyo"]))
            _ = try await stage.deliver()
            // Noon in UTC is nine in the evening in Tokyo.
            _ = try await stage.keptBike(BikeUpkeep(taxDue: stage.today.advanced(byDays: 3)), of: owner)
            #expect(try await store.tellReminders(limit: 9, at: stage.now, using: stage.entropy) > 0)
            #expect(try await stage.deliver() == [])
            stage.clock.advance(by: .seconds(12 * 3600))
            let told = try await stage.deliver()
            #expect(told.compactMap(\.content.notice).map(\.event) == [.taxDue])
            #expect(told.map(\.isUrgent) == [false])
        },
        StoreContract("an owner is asked once about a missing bike that was heard and then not again") { store, stage in
            let (_, report, station) = try await stage.missingBike()
            let ask = { () async throws -> [OwnerNotice] in
                _ = try await store.askAfterQuietReports(limit: 9, at: stage.now, using: stage.entropy)
                return try await stage.deliver().compactMap(\.content.notice)
            }
            stage.clock.advance(by: ReminderRules.quietReport)
            #expect(try await ask() == [])
            let visit = Samples.visit(1, from: stage.now)
            _ = try await stage.record(visit, by: station)
            _ = try await stage.deliver()
            // The bike stays there for a week.
            stage.clock.advance(by: .days(7))
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            _ = try await stage.deliver()
            stage.clock.advance(by: ReminderRules.quietReport)
            #expect(try await ask() == [])
            stage.clock.advance(by: .seconds(60))
            let asked = try await ask()
            #expect(asked.map(\.event) == [.reportQuiet])
            #expect(asked.map(\.bike?.id) == [report.bike])
            stage.clock.advance(by: ReminderRules.quietReport * 3)
            #expect(try await ask() == [])
        },
    ]
}

extension Stage {
    var today: CalendarDate { CalendarDate(now) }

    /// A bike with dates, whose owner has a channel.
    func keptBike(_ upkeep: BikeUpkeep, of known: OwnerID? = nil) async throws -> (owner: OwnerID, bike: Bike) {
        let owner: OwnerID
        if let known { owner = known } else { owner = try await self.owner() }
        if known == nil { _ = try await channel(of: owner) }
        var draft = Samples.bike
        draft.upkeep = upkeep
        let bike = try await store.registerBike(
            NewBike(id: newID(), owner: owner, details: draft, identity: .given(Samples.identity(7)), created: now),
            once: nil
        )
        return (owner, bike)
    }
}
