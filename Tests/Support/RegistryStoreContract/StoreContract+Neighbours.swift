import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let neighbours = [
        StoreContract("sightings of stations of all kinds are judged as by the rules for the whole set") {
            store, stage in
            let (owner, report, _) = try await stage.missingBike()
            let start = stage.now.advanced(by: .seconds(7200))
            let stations = try await stage.mixedStations()
            stage.clock.advance(by: .seconds(12 * 3600))
            var generator = SeededGenerator(seed: 16)
            var evidence: [SightingEvidence] = []
            for number in 0..<72 {
                let station = stations[number % stations.count]
                var visit = Samples.visit(
                    UInt64(number), from: start.advanced(by: .seconds(Int64.random(in: 0...30_000, using: &generator))),
                    lasting: .seconds(Int64.random(in: 0...1200, using: &generator)))
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    let latitude = 51.5 + Double.random(in: 0...0.2, using: &generator)
                    visit.place = Place(latitude: latitude, longitude: -0.12, accuracy: 20)
                }
                if Int.random(in: 0..<9, using: &generator) == 0 { visit.timeUncertain = true }
                if Int.random(in: 0..<6, using: &generator) == 0 {
                    let answer: VisitConfirmation.Answer = Bool.random(using: &generator) ? .seen : .absent
                    visit.confirmation = VisitConfirmation(answer: answer, time: visit.lastSeen)
                }
                _ = try await stage.record(visit, by: station.id)
                evidence.append(
                    SightingEvidence(
                        visit, at: station.id, venue: station.venue, standing: station.place,
                        isMobile: station.isMobile))
            }
            let expected = Plausibility.reasons(of: evidence)
            #expect(try await stage.sightings(of: report, by: owner).map { Set($0.reasons) } == expected)
            for reason in [SightingReason.otherVenue, .tooFast, .otherPlace, .seenAtVenue, .notSeenAtVenue] {
                #expect(expected.contains { $0.contains(reason) }, "\(reason)")
            }
        },
        StoreContract("however many sightings stations invent, a further one takes as many statements and few rows") {
            store, stage in
            _ = try await stage.missingBike(hasChannel: false)
            var stations: [StationID] = []
            for number in 0..<100 { stations.append(try await stage.station("s\(number)", venue: "chain")) }
            for round in 0..<5 as Range<UInt64> {
                stage.clock.advance(by: .seconds(600))
                let requests = stations.enumerated().map { number, station in
                    RecordRequest(
                        [Samples.visit(round * 100 + UInt64(number), from: stage.now)], by: station, at: stage.now,
                        using: stage.entropy)
                }
                let work = try await store.work(ofRecording: requests)
                // The very first sighting has none to be judged with.
                #expect(Set(work.dropFirst().map(\.statements)).count == 1, "round \(round)")
                // The numbers of each station's sightings, 256 of these, and what a single station needs.
                #expect(work.allSatisfy { $0.rows <= 100 + 256 + 30 }, "round \(round)")
            }
        },
    ]
}

extension Stage {
    /// Twelve stations of several venues: fixed ones and mobile ones, and two of a partner.
    fileprivate func mixedStations() async throws -> [(id: StationID, venue: String, place: Place, isMobile: Bool)] {
        var stations: [(id: StationID, venue: String, place: Place, isMobile: Bool)] = []
        for number in 0..<10 {
            let place = Place(latitude: 51.5 + Double(number) / 50, longitude: -0.12, accuracy: 10)
            let (venue, isMobile) = ("v\(number % 4)", number % 5 == 4)
            let id = try await station("s\(number)", venue: venue, mobile: isMobile, place: place)
            stations.append((id, venue, place, isMobile))
        }
        let partner = try await partner()
        for id in try await foreignStations(2, of: partner) {
            stations.append((id, "partner \(partner.id)", Samples.place, false))
        }
        return stations
    }
}

/// What a change did in the database.
private struct StoreWork {
    let statements: Int
    /// The number of rows that were read.
    let rows: Int
}

extension RegistryStore {
    /// Records the visits of each request after those of the one before, in one transaction.
    fileprivate func work(ofRecording requests: [RecordRequest]) async throws -> [StoreWork] {
        try await write { db in
            try requests.map { request in
                let counted = CountedTransaction(db)
                _ = try VisitRecording(counted).record(request)
                return StoreWork(statements: counted.statements, rows: counted.rows)
            }
        }
    }
}

/// A transaction that counts its statements, and the rows that they return.
private final class CountedTransaction: Transaction {
    private let base: any Transaction
    private(set) var statements = 0
    private(set) var rows = 0

    init(_ base: any Transaction) { self.base = base }

    var dialect: Dialect { base.dialect }
    var undoMark: Int { base.undoMark }
    var isLost: Bool { base.isLost }
    var changesCount: Int { base.changesCount }

    var news: StoreNews {
        get { base.news }
        set { base.news = newValue }
    }

    func visit(_ sql: String, _ parameters: Parameters, _ visitor: (any CurrentRow) throws -> Bool) throws {
        statements += 1
        try base.visit(sql, parameters) { row in
            rows += 1
            return try visitor(row)
        }
    }

    func visit(_ statement: SetStatement, _ given: Parameters, _ visitor: (any CurrentRow) throws -> Void) throws {
        statements += 1
        try base.visit(statement, given) { row in
            rows += 1
            try visitor(row)
        }
    }

    func insert(_ sql: String, _ parameters: Parameters) throws -> Int64 {
        statements += 1
        return try base.insert(sql, parameters)
    }

    func insert(_ statement: SetStatement, _ given: Parameters) throws -> [Int64] {
        statements += 1
        return try base.insert(statement, given)
    }
}
