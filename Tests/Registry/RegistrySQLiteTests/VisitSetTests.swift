import Beacons
import Foundation
import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite
@testable import RegistryStoreContract

@Suite("Sets of visits")
struct VisitSetTests {
    @Test(
        "visits that are recorded in sets give the same results as one by one", arguments: 1...4 as ClosedRange<UInt64>)
    func sameAsOneByOne(seed: UInt64) async throws {
        let one = try await Run(seed: seed, cut: .single)
        #expect(one.results.count == 600)
        for cut in [Cut.sevens, .requests, .groups] {
            let other = try await Run(seed: seed, cut: cut)
            #expect(one.results == other.results, "\(cut)")
            for (table, rows) in one.tables { #expect(rows == other.tables[table], "\(cut): \(table)") }
        }
        // Every case of the decisions occurs.
        for action in ["sighting.stored", "sighting.changed", "beacon.proved"] {
            #expect(one.tables["audit"]?.contains { $0.contains(action) } == true, "\(action)")
        }
        for table in ["alert", "station_hour"] { #expect(one.tables[table]?.isEmpty == false, "\(table)") }
        #expect(one.tables["station_hour"]?.contains { $0.hasSuffix("1") } == true)
        #expect(one.results.contains(.ignored))
        #expect(one.results.contains(.contradicts(field: "identity")) && one.results.contains(.proved))
    }

    @Test("a station that is unknown fails only its own request")
    func unknownStation() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage(try SQLiteRegistryStore(newAt: folder.file("registry.sqlite")))
        let (_, report, station) = try await stage.missingBike()
        let store = try #require(stage.store as? SQLiteRegistryStore)
        let requests = [station, StationID(high: 9, low: 9), station].enumerated().map { number, station in
            RecordRequest(
                [Samples.visit(UInt64(number), from: stage.now)], by: station, at: stage.now, using: .seeded(1))
        }
        let results = try await store.write { try VisitRecording($0).record(requests) }
        #expect(results[1] == .failure(.notFound("station")))
        #expect(try [0, 2].map { try results[$0].get().map(\.isStored) } == [[true], [true]])
        let key: Int64? = try await store.read { try $0.integer("SELECT max(revision) FROM sighting", []) }
        #expect(key == 2 && report.closed == nil)
    }

    @Test("requests in one group get their own results, and an unknown station's is an error")
    func grouped() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage(try SQLiteRegistryStore(newAt: folder.file("registry.sqlite")))
        let (_, _, station) = try await stage.missingBike()
        let stations = (0..<40).map { $0 % 5 == 4 ? StationID(high: 9, low: 9) : station }
        let stored = try await withThrowingTaskGroup(of: Int.self) { group in
            for (number, station) in stations.enumerated() {
                group.addTask {
                    let visit = Samples.visit(UInt64(number), from: stage.now)
                    do {
                        return try await stage.record(visit, by: station).filter(\.isStored).count
                    } catch DomainError.notFound("station") {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(stored == 32)
    }

    @Test("if SQLite rolls back the transaction, each request of the group gets an error")
    func rolledBack() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage(try SQLiteRegistryStore(newAt: folder.file("registry.sqlite")))
        let (_, _, station) = try await stage.missingBike()
        let store = try #require(stage.store as? SQLiteRegistryStore)
        try await store.write { db in
            try db.run(
                "CREATE TRIGGER broken BEFORE INSERT ON sighting BEGIN SELECT RAISE(ROLLBACK, 'broken'); END", [])
        }
        let failed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    (try? await stage.record(Samples.visit(UInt64(number), from: stage.now), by: station)) == nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failed == 40)
        try await store.write { try $0.run("DROP TRIGGER broken", []) }
        #expect(try await stage.record(Samples.visit(99, from: stage.now), by: station).count == 1)
    }
}

/// The way in which visits are cut into requests.
enum Cut: Sendable {
    case single, sevens, requests, groups
}

/// A store after a random script.
private struct Run {
    private(set) var results: [RecordedVisit] = []
    private(set) var tables: [String: [String]] = [:]

    init(seed: UInt64, cut: Cut) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let stage = Stage(store)
        let stations = try await Self.fill(stage, store)
        var script = Script(seed: seed, stations: stations)
        let entropy = Entropy.seeded(seed)
        for _ in 0..<12 {
            stage.clock.advance(by: .seconds(300))
            let time = stage.now
            let step = script.step(at: time)
            let requests = step.flatMap { station, visits in
                Self.cut(visits, cut).map { RecordRequest($0, by: station, at: time, using: entropy) }
            }
            if cut == .groups {
                results += try await store.write { try VisitRecording($0).record(requests) }.flatMap { try $0.get() }
            } else {
                for request in requests {
                    results += try await store.record(
                        request.visits, by: request.station, at: time, using: entropy)
                }
            }
            try await stage.deliver()
        }
        _ = try await store.verifyAudit(nil, against: [])
        for (table, columns) in Self.columns {
            tables[table] = try await store.read { db in
                try db.rows("SELECT \(columns) AS row FROM \(table) ORDER BY 1", []).map { try $0["row"] }
            }
        }
    }

    private static func cut(_ visits: [Visit], _ cut: Cut) -> [[Visit]] {
        let size = cut == .single ? 1 : cut == .sevens ? 7 : visits.count
        return stride(from: 0, to: visits.count, by: size).map { Array(visits[$0..<min($0 + size, visits.count)]) }
    }

    /// What is compared of each table: everything but salts, hashes of them, notices, whose members have no
    /// order, and the keys and identifiers of alerts: the news of one sighting are queued for an owner's channels in no
    /// order, and in a set the notices of completed tests take their random identifiers before the alerts.
    private static let columns: [(String, String)] = [
        (
            "sighting",
            text(of: [
                "key", "station", "visit", "stay", "beacon", "report", "received", "revision", "reasons", "thread",
                "entry", "recorded", "grown", "first_seen", "last_seen", "count", "proximity", "ended",
                "time_uncertain", "answered", "latitude", "rssi_min", "receiver", "receiver_latitude",
            ])
        ),
        (
            "alert",
            text(of: [
                "sighting", "notice IS NULL", "report", "channel", "urgent", "thread", "news", "told",
                "digest", "created", "due", "attempts", "delivered", "last_error",
            ])
        ),
        ("alert_share", text(of: ["report", "station", "late", "since", "alerts"])),
        ("report", text(of: ["key", "told_last", "quiet_check"])),
        ("beacon_claim", text(of: ["bike", "since", "test_ends"])),
        ("bike_event", text(of: ["key", "bike", "time", "event", "beacon"])),
        ("station_hour", text(of: ["station", "hour", "reports", "reports_everything"])),
        (
            "audit",
            text(of: [
                "key", "time", "action", "principal", "owner", "bike", "report", "station",
                "json_extract(CAST(details AS TEXT), '$.sighting')",
            ])
        ),
    ]

    private static func text(of columns: [String]) -> String {
        columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
    }

    /// Forty missing bikes of ten owners, some of which were missing twice; three bikes whose beacons are being tested;
    /// and four stations.
    private static func fill(_ stage: Stage, _ store: SQLiteRegistryStore) async throws -> [StationID] {
        for owner in 0..<10 as Range<UInt16> {
            let id = try await stage.owner()
            for _ in 0..<owner % 3 { _ = try await stage.channel(of: id) }
            for bike in 0..<4 as Range<UInt16> {
                let bike = try await stage.bike(of: id, Samples.identity(owner * 4 + bike))
                let report = try await stage.openReport(on: bike.id, of: id)
                guard owner % 2 == 0 else { continue }
                stage.clock.advance(by: .seconds(300))
                _ = try await stage.close(report, of: id)
                if owner % 4 == 0 { _ = try await stage.openReport(on: bike.id, of: id) }
            }
        }
        let owner = try await stage.owner()
        _ = try await stage.channel(of: owner)
        let ends = stage.now.advanced(by: .seconds(3000)).milliseconds
        for number in 40..<43 as Range<UInt16> {
            let bike = try await stage.bike(of: owner, Samples.identity(number))
            try await store.write { db in
                let sql = """
                    INSERT OR REPLACE INTO beacon_claim (bike, since, test_ends)
                    SELECT key, 0, ? FROM bike WHERE id = ?
                    """
                try db.run(sql, [ends, bike.id])
            }
        }
        var stations: [StationID] = []
        for number in 0..<4 {
            let place = Place(latitude: 51.5 + Double(number) / 50, longitude: -0.12, accuracy: 10)
            stations.append(
                try await stage.station("\(number)", venue: "\(number)", mobile: number == 3, place: place))
        }
        return stations
    }
}

/// Random visits: new, repeated, of unknown beacons, and contradictory ones.
private struct Script {
    private var generator: SeededGenerator
    private let stations: [StationID]
    private var earlier: [StationID: [Visit]] = [:]

    init(seed: UInt64, stations: [StationID]) {
        generator = SeededGenerator(seed: seed)
        self.stations = stations
    }

    /// Fifty visits, by their stations.
    mutating func step(at time: Timestamp) -> [(StationID, [Visit])] {
        var rest = 50
        var step: [(StationID, [Visit])] = []
        while rest > 0 {
            let station = stations[random(4)]
            let visits = (0..<min(rest, 1 + random(40))).map { _ in visit(by: station, at: time) }
            step.append((station, visits))
            rest -= visits.count
        }
        return step
    }

    private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    private mutating func visit(by station: StationID, at time: Timestamp) -> Visit {
        let known = earlier[station] ?? []
        var visit = known.isEmpty || random(4) > 0 ? new(at: time) : known[random(known.count)]
        switch random(12) {
        case 0...3: visit.lastSeen = visit.lastSeen.advanced(by: .seconds(random(600)))
        case 4: visit.ended = true
        case 5: visit.identity = Samples.identity(UInt16(random(45)))
        case 6: visit.stay = StayID(high: 2, low: UInt64(random(9)))
        case 7: visit.confirmation = VisitConfirmation(answer: random(2) == 0 ? .seen : .absent, time: time)
        case 8: visit.place = Place(latitude: 51.5 + Double(random(9)) / 20, longitude: -0.12, accuracy: 20)
        case 9: visit.timeUncertain = true
        default: visit.count += Int64(random(9))
        }
        earlier[station, default: []].append(visit)
        return visit
    }

    private mutating func new(at time: Timestamp) -> Visit {
        let first = time.advanced(by: .seconds(-random(9000)))
        var visit = Samples.visit(
            of: Samples.identity(UInt16(random(45))), from: first, lasting: .seconds(random(1200)))
        visit.id = VisitID(high: UInt64(first.milliseconds) << 16, low: generator.next() >> 1)
        visit.stay = StayID(high: 3, low: UInt64(random(3) == 0 ? random(20) : random(1_000_000)))
        return visit
    }
}
