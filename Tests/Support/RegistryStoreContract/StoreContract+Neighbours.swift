import Beacons
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
            _, stage in
            _ = try await stage.missingBike(hasChannel: false)
            var stations: [StationID] = []
            // The five rounds together have more sightings than the 256 that are compared.
            for number in 0..<TestDepth.cases(60, of: 100) {
                stations.append(try await stage.station("s\(number)", venue: "chain"))
            }
            for round in 0..<5 as Range<UInt64> {
                stage.clock.advance(by: .seconds(600))
                let work = try await stage.hear(round * 100, at: stations)
                // The very first sighting has none to be judged with.
                #expect(Set(work.dropFirst().map(\.statements)).count == 1, "round \(round)")
                // The numbers of each station's sightings, 256 of these, and what a single station needs.
                #expect(work.allSatisfy { $0.rows <= stations.count + 256 + 30 }, "round \(round)")
            }
        },
        StoreContract("however many stations a partner invents, later ones of this registry confirm each other") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, _) = try await stage.missingBike(hasChannel: false)
            let start = stage.now
            // More than are looked at to find a partner's stations.
            let invented = try await stage.foreignStations(TestDepth.cases(130, of: 300), of: partner, at: farPlace)
            _ = try await stage.hear(1000, at: invented)
            stage.clock.advance(by: .seconds(10 * 3600))
            let late = [try await stage.station("a", venue: "a"), try await stage.station("b", venue: "b")]
            _ = try await stage.hear(2000, at: late)
            func reasons() async throws -> [Set<SightingReason>] {
                let sightings = try await stage.allSightings(of: report, by: owner)
                return sightings.filter { late.contains($0.station.id) }.map { Set($0.reasons) }
            }
            #expect(try await reasons() == [[.otherVenue], [.otherVenue]])
            // What the partner invents for the same time contradicts them, as a station's sightings do.
            let work = try await stage.hear(3000, at: invented)
            // The numbers of 34 stations' sightings, at most three of each, and what a single station needs.
            #expect(work.allSatisfy { $0.rows <= 34 + 3 * 34 + 30 })
            #expect(try await reasons() == [[.otherVenue, .tooFast], [.otherVenue, .tooFast]])
            func suspend(_ isSuspended: Bool, since: Timestamp?) async throws {
                _ = try await store.changePartner(
                    partner.id, PartnerPatch(suspended: isSuspended), quarantineSince: since,
                    by: stage.operatorOfPartners, at: stage.now)
            }
            try await suspend(true, since: start)
            try await stage.judge(limit: 100)
            #expect(try await reasons() == [[.otherVenue], [.otherVenue]])
            // The stations under quarantine take no places of those that the partner gets afterwards.
            try await suspend(false, since: nil)
            stage.clock.advance(by: .seconds(3 * 3600))
            let new = try await stage.foreignStations(1, of: partner)
            _ = try await stage.hear(4000, at: [new[0], late[0]])
            #expect(try await reasons() == [[.otherVenue], [.otherVenue], [.otherVenue]])
        },
        StoreContract("a partner's many stations take no places of another partner's, which still confirm and refute") {
            store, stage in
            let hostile = try await stage.partner()
            let invitation = try await stage.partnerInvitation(code: "other", name: "Lyon")
            try await stage.join("other", token: "other", key: 8, url: "https://lyon.example.net")
            let honest = try await store.activePartner(invitation.id)
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let far = try await stage.foreignStations(1, of: honest, at: farPlace)
            let near = Array(try await stage.foreignStations(41, of: honest).dropFirst())
            // What stations heard a week earlier takes no places either.
            _ = try await stage.hear(1000, at: near)
            stage.clock.advance(by: .days(7))
            let invented = try await stage.foreignStations(TestDepth.cases(80, of: 300), of: hostile)
            _ = try await stage.hear(2000, at: invented)
            stage.clock.advance(by: .seconds(10 * 3600))
            func lastReasons() async throws -> [Set<SightingReason>] {
                try await stage.allSightings(of: report, by: owner).suffix(2).map { Set($0.reasons) }
            }
            _ = try await stage.hear(3000, at: [near[0], own])
            #expect(try await lastReasons() == [[.otherVenue], [.otherVenue]])
            stage.clock.advance(by: .seconds(3 * 3600))
            _ = try await stage.hear(4000, at: [far[0], own])
            #expect(try await lastReasons() == [[.tooFast], [.tooFast]])
        },
        StoreContract("many sightings between two of this registry do not keep these from confirming each other") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let invented = try await stage.foreignStations(1, of: partner)[0]
            let later = try await stage.station("later", venue: "later")
            _ = try await stage.hear(1000, at: [own])
            try await stage.hearUncertain(2000, of: [Samples.identity(1)], at: invented)
            _ = try await stage.hear(3000, at: [later])
            let sightings = try await stage.allSightings(of: report, by: owner)
            let reasons = sightings.filter { [own, later].contains($0.station.id) }.map { Set($0.reasons) }
            #expect(reasons == [[.otherVenue], [.otherVenue]])
        },
        StoreContract("many sightings in between do not keep reasons by a station that has lost its trust") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let start = stage.now
            let near = try await stage.foreignStations(1, of: partner)[0]
            let far = try await stage.station("far", venue: "far", place: farPlace)
            let between = try await stage.station("between", venue: "between")
            func reasons() async throws -> Set<SightingReason> {
                let sightings = try await stage.allSightings(of: report, by: owner)
                return Set(try #require(sightings.first { $0.station.id == own }).reasons)
            }
            _ = try await stage.hear(1000, at: [own])
            try await stage.hearUncertain(2000, of: [Samples.identity(1)], at: between)
            _ = try await stage.hear(3000, at: [near, far])
            #expect(try await reasons() == [.otherVenue, .tooFast])
            _ = try await store.dismissSighting(
                VisitID(high: 1, low: 3001), of: report.id, on: report.bike, owner: owner, at: stage.now)
            #expect(try await reasons() == [.otherVenue])
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: start, by: stage.operatorOfPartners,
                at: stage.now)
            try await stage.judge()
            #expect(try await reasons() == [])
        },
        StoreContract("however many sightings of others are nearer, a station that has lost its trust disputes none") {
            store, stage in
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let start = stage.now
            let far = try await stage.station("far", venue: "far", place: otherSide)
            _ = try await stage.hear(1000, at: [far])
            for number in 1...30 as ClosedRange<UInt64> {
                stage.clock.advance(by: .seconds(300))
                _ = try await stage.hear(1000 + number, at: [own])
            }
            func disputed() async throws -> Int {
                try await stage.allSightings(of: report, by: owner).count { $0.level == .disputed }
            }
            #expect(try await disputed() == 31)
            _ = try await store.revokeStation(
                far, quarantineSince: start, by: .operator(stage.newID()), at: stage.now)
            for _ in 1...2 {
                #expect(try await disputed() == 1, "before and after it is stored")
                try await stage.judge()
            }
        },
        StoreContract("a mobile station that comes nearer step by step takes back that it was too far away") {
            _, stage in
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let van = try await stage.station("van", venue: "van", mobile: true)
            _ = try await stage.hear(1000, at: [own])
            var visit = Samples.visit(1001, from: stage.now)
            for step in (0...100).reversed() {
                visit.place = Place(latitude: 51.5 + Double(step) / 1000, longitude: -0.12, accuracy: 10)
                visit.count += 1
                _ = try await stage.record(visit, by: van)
                let reasons = try await stage.allSightings(of: report, by: owner).map { Set($0.reasons) }
                if step == 100 { #expect(reasons == [[.tooFast], [.tooFast]]) }
                if step == 0 { #expect(reasons == [[.otherVenue], [.otherVenue]]) }
            }
            try await stage.judge()
            let reasons = try await stage.allSightings(of: report, by: owner).map { Set($0.reasons) }
            #expect(reasons == [[.otherVenue], [.otherVenue]])
        },
        StoreContract("a dismissed sighting of days ago no longer makes a round with those after it") { store, stage in
            let (owner, report, _) = try await stage.missingBike(hasChannel: false)
            let far = try await stage.station("far", venue: "far", place: otherSide)
            _ = try await stage.hear(1000, at: [far])
            for number in 1...3 as ClosedRange<UInt64> {
                stage.clock.advance(by: .seconds(82_000))
                let place = Place(latitude: 51.5 + Double(number) / 50, longitude: -0.12, accuracy: 10)
                let station = try await stage.station("s\(number)", venue: "\(number)", place: place)
                _ = try await stage.hear(1000 + number, at: [station])
            }
            func reasons() async throws -> [Set<SightingReason>] {
                try await stage.allSightings(of: report, by: owner).dropFirst().map { Set($0.reasons) }
            }
            #expect(try await reasons() == [[.tooFast], [.tooManyHops], [.tooManyHops]])
            _ = try await store.dismissSighting(
                VisitID(high: 1, low: 1000), of: report.id, on: report.bike, owner: owner, at: stage.now)
            for _ in 1...2 {
                #expect(try await reasons() == [[], [], []], "before and after it is stored")
                try await stage.judge()
            }
        },
        StoreContract("a quarantine that frees many sightings is worked on in several steps") { store, stage in
            let (owner, first, _) = try await stage.missingBike(hasChannel: false)
            let identities = (1...6).map { Samples.identity($0) }
            var reports = [first]
            for identity in identities.dropFirst() {
                let bike = try await stage.bike(of: owner, identity)
                reports.append(try await stage.openReport(on: bike.id, of: owner))
            }
            func visits(_ number: UInt64) -> [Visit] {
                zip(number..., identities).map { Samples.visit($0, of: $1, from: stage.now) }
            }
            let start = stage.now
            for number in 0..<60 as Range<UInt64> {
                let station = try await stage.station("s\(number)", venue: "chain")
                _ = try await store.record(visits(1000 + 10 * number), by: station, at: stage.now, using: stage.entropy)
            }
            try await stage.hearUncertain(2000, of: identities, at: try await stage.station("between", venue: "chain"))
            let far = try await stage.station("far", venue: "chain", place: farPlace)
            _ = try await store.record(visits(3000), by: far, at: stage.now, using: stage.entropy)
            func countDisputed() async throws -> Int {
                var count = 0
                for report in reports {
                    count += try await stage.allSightings(of: report, by: owner).count { $0.level == .disputed }
                }
                return count
            }
            #expect(try await countDisputed() == 6 * 61)
            _ = try await store.revokeStation(
                far, quarantineSince: start, by: .operator(stage.newID()), at: stage.now)
            var steps = 0
            while try await store.judgeAnew(limit: 100, at: stage.now) { steps += 1 }
            // One for the station, and two for each report.
            #expect(steps == 13)
            // Those under quarantine are left.
            #expect(try await countDisputed() == 6)
        },
        StoreContract("old sightings under quarantine do not keep later ones from being judged by a new one") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, own) = try await stage.missingBike(hasChannel: false)
            let start = stage.now
            let foreign = try await stage.foreignStations(90, of: partner, at: farPlace)
            for round in 0..<3 as Range<UInt64> {
                _ = try await stage.hear(round * 100, at: foreign)
                stage.clock.advance(by: .seconds(600))
            }
            stage.clock.advance(by: .days(10))
            _ = try await stage.hear(1000, at: [foreign[0]])
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: start, by: stage.operatorOfPartners,
                at: stage.now)
            try await stage.judge(limit: 100)
            _ = try await stage.hear(2000, at: [own])
            let reasons = try await stage.allSightings(of: report, by: owner).suffix(2).map { Set($0.reasons) }
            #expect(reasons == [[.quarantined, .tooFast], []])
        },
    ]
}

/// 111 kilometres from ``Samples/place``.
private let farPlace = Place(latitude: 52.5, longitude: -0.12, accuracy: 10)
/// 17,000 kilometres from ``Samples/place``.
private let otherSide = Place(latitude: -33.9, longitude: 151.2, accuracy: 10)

extension Stage {
    /// Records a visit of each station, from now on and in one transaction.
    ///
    /// - Parameter number: the number of the first visit.
    fileprivate func hear(_ number: UInt64, at stations: [StationID]) async throws -> [StoreWork] {
        try await store.work(
            ofRecording: stations.enumerated().map { place, station in
                RecordRequest(
                    [Samples.visit(number + UInt64(place), from: now)], by: station, at: now, using: entropy)
            })
    }

    /// Records many visits by one station, ten minutes later and ten minutes before the next ones. Their times are
    /// uncertain, so they affect no other sightings.
    fileprivate func hearUncertain(
        _ number: UInt64, of identities: [BeaconIdentity], at station: StationID
    ) async throws {
        clock.advance(by: .seconds(600))
        for number in number..<number + 20 {
            for (place, identity) in identities.enumerated() {
                var visit = Samples.visit(number + 100 * UInt64(place), of: identity, from: now)
                visit.timeUncertain = true
                _ = try await record(visit, by: station)
            }
        }
        clock.advance(by: .seconds(600))
    }

    fileprivate func allSightings(of report: MissingReport, by owner: OwnerID) async throws -> [Sighting] {
        try await store.sightings(of: ReportPath(report, of: owner), PageRequest(limit: 10_000)).items
    }

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
                _ = try VisitRecording(counted).record([request])[0].get()
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
