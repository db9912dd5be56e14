import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension Stage {
    /// Sends a heartbeat with quarters, given by their distance from noon.
    @discardableResult
    fileprivate func tell(
        _ quarters: some Sequence<Int>, of station: StationID, listened: Int = 900, listAge: Int? = 0
    ) async throws -> CoverageReceipt {
        let coverage = quarters.map { number in
            CoverageQuarter(
                begins: Self.quarter(number), listened: listened, adverts: 9, devices: 3, listAge: listAge)
        }
        let heartbeat = StationHeartbeat(version: "1.0", adapters: [], coverage: coverage)
        return try await store.recordHeartbeat(heartbeat, of: station, at: now)
    }

    fileprivate static func quarter(_ number: Int) -> Timestamp {
        HandClock().now.advanced(by: CoverageQuarter.length * number)
    }

    /// The spans of each station in the evidence, as distances from noon.
    fileprivate func silence(
        of report: MissingReport, by owner: OwnerID, limit: Int = 100
    ) async throws -> [StationID: [Range<Int>]] {
        let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: limit, at: now)
        let noon = HandClock().now
        let number = { (time: Timestamp) in CoverageQuarter.count(from: noon, to: time) }
        return Dictionary(
            uniqueKeysWithValues: evidence.coverage.stations.map { station in
                (station.id, station.spans.map { number($0.from)..<number($0.until) })
            })
    }
}

extension StoreContract {
    static let coverage = [
        StoreContract("a quarter of an hour is stored once, when it has ended, and for two days") { store, stage in
            let id = try await stage.station()
            let day = CalendarDate(stage.now)
            #expect(try await store.coverage(of: id, on: day) == StationCoverage(day: day, quarters: []))
            #expect(try await stage.tell([-1, 0, 1], of: id, listened: 800) == CoverageReceipt(stored: 1, ignored: 2))
            #expect(
                try await stage.tell([-1, -3, -3], of: id) == CoverageReceipt(stored: 1, ignored: 2, contradicted: 1))
            #expect(try await store.coverage(of: id, on: day).quarters.map(\.listened) == [900, 800])
            #expect(
                try await stage.tell([-194, -193, -192], of: id) == CoverageReceipt(stored: 2, ignored: 1),
                "two days and one quarter ago one began that ended exactly two days ago")
            #expect(
                try await store.coverage(of: id, on: day.advanced(byDays: -2)).quarters.map(\.numberInDay) == [47, 48])
            let other = try await stage.station("other")
            #expect(try await store.coverage(of: other, on: day).quarters.isEmpty)
            #expect(try await stage.tell([], of: id) == CoverageReceipt(stored: 0, ignored: 0))
            #expect(try await store.station(id)?.station.heartbeat?.heartbeat.coverage == nil)
            let none: StationID = stage.newID()
            await #expect(throws: DomainError.notFound("station")) { try await store.coverage(of: none, on: day) }
            await #expect(throws: DomainError.notFound("station")) { try await stage.tell([-1], of: none) }
        },
        StoreContract("coverage is deleted after 90 days, in steps") { store, stage in
            let stations = [try await stage.station(), try await stage.station("other")]
            let day = CalendarDate(stage.now)
            for station in stations { try await stage.tell([-1, -50], of: station) }
            stage.clock.advance(by: CoverageRules.retention)
            #expect(try await store.deleteOldCoverage(limit: 9, at: stage.now) == 2, "those of the day before")
            stage.clock.advance(by: .days(1))
            #expect(try await store.deleteOldCoverage(limit: 1, at: stage.now) == 1)
            #expect(try await store.deleteOldCoverage(limit: 9, at: stage.now) == 1)
            #expect(try await store.deleteOldCoverage(limit: 9, at: stage.now) == 0)
            #expect(try await store.coverage(of: stations[0], on: day).quarters.isEmpty)
        },
        StoreContract("evidence says when stations nearby listened with the bike on their list and had not reported it")
        {
            store, stage in
            let (owner, report, cafe) = try await stage.missingBike()
            let bar = try await stage.station("bar", place: Place(latitude: 51.51, longitude: -0.11))
            let far = try await stage.station("far", place: Place(latitude: 51.6, longitude: -0.12))
            let bus = try await stage.station("bus", mobile: true)
            stage.clock.advance(by: .seconds(3 * 3600))
            for station in [cafe, bar, far, bus] { try await stage.tell(-4..<12, of: station) }
            let heard = Stage.quarter(5).advanced(by: .seconds(10))
            _ = try await stage.record(Samples.visit(from: heard), by: cafe)
            #expect(try await stage.silence(of: report, by: owner) == [cafe: [1..<5, 6..<12], bar: [1..<12]])
            let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 100, at: stage.now)
            #expect(evidence.coverage.from == report.opened && evidence.coverage.until == stage.now)
            let area = evidence.coverage.stations.first { $0.id == bar }?.area
            #expect(area?.centre == Place(latitude: 51.51, longitude: -0.11))
            #expect(evidence.stations.map(\.id) == [cafe], "the name and the place of the others are not told")
            #expect(try await stage.silence(of: report, by: owner, limit: 1).values.flatMap(\.self).count <= 1)
            let closed = try await stage.close(report, of: owner)
            stage.clock.advance(by: .seconds(3600))
            try await stage.tell([12, 13], of: bar)
            #expect(try await stage.silence(of: closed, by: owner)[bar] == [1..<12])
            stage.clock.advance(by: MissingReport.retention)
            #expect(try await store.deleteOldSightings(limit: 9, at: stage.now) == 1)
            #expect(try await stage.silence(of: closed, by: owner) == [:])
        },
        StoreContract("a short or deaf quarter and one with an old or unknown list say nothing about a search") {
            _, stage in
            let (owner, report, station) = try await stage.missingBike()
            stage.clock.advance(by: .seconds(3 * 3600))
            try await stage.tell([1], of: station, listened: 839)
            try await stage.tell([2], of: station, listAge: nil)
            try await stage.tell([3], of: station, listAge: 45 * 60)
            try await stage.tell([5], of: station, listAge: 45 * 60)
            #expect(try await stage.silence(of: report, by: owner) == [station: [5..<6]])
        },
        StoreContract("a station says nothing about the time before it was moved or after it was revoked") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let other = try await stage.station("other")
            stage.clock.advance(by: .seconds(3 * 3600))
            for station in [station, other] { try await stage.tell(0..<12, of: station) }
            let patch = StationPatch(place: Place(latitude: 51.501, longitude: -0.12), since: Stage.quarter(6))
            let by = Principal.operator(stage.newID())
            _ = try await store.changeStation(station, patch, version: nil, by: by, at: stage.now)
            _ = try await store.revokeStation(other, quarantineSince: Stage.quarter(4), by: by, at: stage.now)
            #expect(try await stage.silence(of: report, by: owner) == [station: [6..<12]])
        },
        StoreContract("time for which the bike was off the missing list says nothing, even if it is on it again") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            stage.clock.advance(by: .seconds(3600))
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            stage.clock.advance(by: .seconds(3600))
            try await stage.tell(0..<8, of: station)
            #expect(try await stage.silence(of: report, by: owner) == [station: [1..<4]])
            _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            stage.clock.advance(by: .seconds(3600))
            try await stage.tell(8..<12, of: station)
            #expect(try await stage.silence(of: report, by: owner) == [station: [9..<12]])
        },
    ]
}
