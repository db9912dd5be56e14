import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let reports = [
        StoreContract("an open report can be read back, appears on the bike and puts it on the list") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let before = try await store.missingListVersion()
            let report = try await stage.openReport(on: bike.id, of: owner)
            #expect(try await store.report(ReportPath(report, of: owner)) == report)
            #expect(try await store.bike(bike.id, of: owner)?.openReport == report.id)
            let list = try await store.missingList()
            #expect(list.identities == [Samples.identity(1)])
            #expect(list.version > before)
            #expect(try await store.missingListVersion() == list.version)
        },
        StoreContract("a second report on a missing bike is refused, with the first one's identifier") { _, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner)
            await #expect(throws: DomainError.reportAlreadyOpen(report.id)) {
                try await stage.openReport(on: bike.id, of: owner)
            }
        },
        StoreContract("a closed report keeps its outcome, leaves the list and cannot be closed again") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner)
            let version = try await store.missingListVersion()
            stage.clock.advance(by: .seconds(60))
            let closed = try await stage.close(report, of: owner)
            #expect(closed.closed == stage.now)
            #expect(closed.closure == ReportClosure(outcome: .recovered, recoveredBy: .police, note: "found"))
            #expect(try await store.report(ReportPath(report, of: owner)) == closed)
            #expect(try await store.missingList().identities == [])
            #expect(try await store.missingListVersion() > version)
            await #expect(throws: DomainError.reportAlreadyClosed(report.id)) {
                try await stage.close(report, of: owner)
            }
            let second = try await stage.openReport(on: bike.id, of: owner)
            let all = try await store.reports(on: bike.id, of: owner, PageRequest(limit: 9)).items
            #expect(all.map(\.id) == [report.id, second.id])
        },
        StoreContract("an open report's time can be corrected, but is never later than the report") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner)
            let change = { (time: Timestamp) in
                try await store.changeReport(
                    report.id, on: bike.id, MissingReportPatch(["missingSince": .string("\(time)")]),
                    by: stage.act(of: owner))
            }
            stage.clock.advance(by: .seconds(120))
            let earlier = report.opened.advanced(by: .seconds(-7200))
            #expect(try await change(earlier).missingSince == earlier)
            #expect(try await store.report(ReportPath(report, of: owner))?.missingSince == earlier)
            #expect(try await change(stage.now).missingSince == report.opened)
            _ = try await stage.close(report, of: owner)
            await #expect(throws: DomainError.reportAlreadyClosed(report.id)) { _ = try await change(earlier) }
        },
        StoreContract("another bike's report is not found") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let other = try await stage.bike(of: owner, Samples.identity(2))
            let report = try await stage.openReport(on: bike.id, of: owner)
            #expect(try await store.report(ReportPath(report.id, on: other.id, of: owner)) == nil)
            await #expect(throws: DomainError.notFound("report")) {
                _ = try await store.sightings(of: ReportPath(report.id, on: other.id, of: owner), PageRequest(limit: 1))
            }
        },
        StoreContract("the list is sorted by UUID, major and minor") { store, stage in
            let owner = try await stage.owner()
            for minor in [300, 2, 65_535, 1] as [UInt16] {
                let bike = try await stage.bike(of: owner, Samples.identity(minor))
                _ = try await stage.openReport(on: bike.id, of: owner)
            }
            let identities = try await store.missingList().identities
            #expect(identities == identities.sorted())
            #expect(identities.count == 4)
        },
    ]

    static let stations = [
        StoreContract("a code enrols one station, once, with the invitation's name and place") { store, stage in
            let id = try await stage.station("code")
            let stations = try await store.stations(PageRequest(limit: 9)).items
            #expect(stations == [Station(id: id, name: "Café", place: Samples.place, enrolled: stage.now)])
            await #expect(throws: DomainError.codeUnusable) {
                _ = try await stage.enrol("code")
            }
        },
        StoreContract("an expired or unknown code enrols no station") { store, stage in
            _ = try await stage.invitation(code: "old")
            stage.clock.advance(by: .days(1))
            for code in ["old", "never"] {
                await #expect(throws: DomainError.codeUnusable) {
                    _ = try await stage.enrol(code)
                }
            }
            #expect(try await store.stations(PageRequest(limit: 9)).items == [])
        },
    ]

    static let once = [
        StoreContract("a repeated call returns what the first one created") { _, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1), once: stage.onceKey("a", of: owner))
            #expect(try await stage.bike(of: owner, Samples.identity(1), once: stage.onceKey("a", of: owner)) == bike)
            let report = try await stage.openReport(on: bike.id, of: owner, once: stage.onceKey("b", of: owner))
            let again = try await stage.openReport(on: bike.id, of: owner, once: stage.onceKey("b", of: owner))
            #expect(again == report)
            let closed = try await stage.close(report, of: owner, once: stage.onceKey("c", of: owner))
            #expect(try await stage.close(report, of: owner, once: stage.onceKey("c", of: owner)) == closed)
            let channel = try await stage.channel(of: owner, once: stage.onceKey("d", of: owner))
            let channelAgain = try await stage.channel(of: owner, once: stage.onceKey("d", of: owner))
            #expect(channel == channelAgain)
        },
        StoreContract("an idempotency key is bound to its principal and its request") { _, stage in
            let owner = try await stage.owner()
            let other = try await stage.owner()
            let key = stage.onceKey("a", of: owner)
            let bike = try await stage.bike(of: owner, Samples.identity(1), once: key)
            let theirs = try await stage.bike(of: other, Samples.identity(2), once: stage.onceKey("a", of: other))
            #expect(theirs.id != bike.id)
            let reused = stage.onceKey("a", of: owner, request: "another")
            await #expect(throws: DomainError.idempotencyKeyReused) {
                try await stage.bike(of: owner, Samples.identity(3), once: reused)
            }
        },
        StoreContract("an idempotency key is deleted after its lifetime") { _, stage in
            let owner = try await stage.owner()
            let first = try await stage.bike(of: owner, Samples.identity(1), once: stage.onceKey("a", of: owner))
            stage.clock.advance(by: IdempotencyKey.lifetime + .seconds(1))
            let second = try await stage.bike(of: owner, Samples.identity(2), once: stage.onceKey("a", of: owner))
            #expect(first.id != second.id)
        },
        StoreContract("a repeated invitation renews its code until a station has enrolled") { _, stage in
            let owner = try await stage.owner()
            let key = stage.onceKey("a", of: owner)
            let first = try await stage.invitation(code: "one", once: key)
            #expect(try await stage.invitation(code: "two", once: key) == first)
            await #expect(throws: DomainError.codeUnusable) {
                _ = try await stage.enrol("one")
            }
            _ = try await stage.enrol("two")
            await #expect(throws: DomainError.invitationAccepted(first)) {
                try await stage.invitation(code: "three", once: key)
            }
        },
    ]
}
