import Beacons
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

/// A visit of a slot, counted from a stage's first one.
private struct Heard {
    let number: UInt64
    let station: Int
    let slot: Int64
    /// The slot in which it was heard, also counted from the first one.
    let heard: Int64
    var second: Int64 = 300
    var lasting: Int64 = 60
    var timeUncertain = false

    /// Reports of one visit that together say what it says: it lasts longer, or its beginning comes late.
    var parts: [Heard] {
        var (begun, ended) = (self, self)
        begun.lasting = lasting / 2
        ended.second += lasting / 2
        ended.lasting -= lasting / 2
        return [ended, begun, self]
    }
}

/// A missing bike with a rotating beacon and several stations, in the middle of its search.
private struct SlotStage {
    let stage: RotationStage
    let owner: OwnerID
    let start: Int64
    private(set) var stations: [StationID] = []
    private(set) var bikes: [(bike: Bike, key: RotatingBeaconKey, report: MissingReport)] = []

    /// - Parameters:
    ///   - bikes: the number of missing bikes, which are heard in the same way.
    ///   - days: how long they have been missing.
    init(_ store: any RegistryStore, bikes count: Int = 1, stations: Int = 3, days: Int) async throws {
        stage = try RotationStage(store)
        stage.nextSlot()
        start = stage.slot
        owner = try await stage.stage.owner()
        _ = try await stage.stage.channel(of: owner)
        for number in 0..<stations {
            self.stations.append(try await stage.stage.station("s\(number)", venue: "v\(number)"))
        }
        for _ in 0..<count {
            let (bike, key) = try await stage.bike(of: owner)
            bikes.append((bike, key, try await stage.open(bike, of: owner)))
        }
        for _ in 0..<days * 4 {
            stage.nextSlot(21)
            await stage.upkeep.round()
        }
    }

    func visit(_ heard: Heard, of bike: Int = 0) throws -> Visit {
        let slot = try #require(RotatingSlot(start + heard.slot))
        let first = Timestamp(milliseconds: ((start + heard.heard) * 1024 + heard.second) * 1000)
        var visit = Samples.visit(
            heard.number, of: bikes[bike].key.identity(at: slot), from: first, lasting: .seconds(heard.lasting))
        visit.id = VisitID(high: UInt64(bike + 1), low: heard.number)
        visit.stay = StayID(high: UInt64(bike + 1), low: heard.number)
        if heard.timeUncertain { visit.timeUncertain = true }
        return visit
    }

    func record(_ heard: Heard..., of bike: Int = 0) async throws {
        for heard in heard {
            let recorded = try await stage.stage.record(try visit(heard, of: bike), by: stations[heard.station])
            guard case .stored = recorded.first else {
                Issue.record("\(heard) is not stored")
                continue
            }
        }
    }

    /// The reasons that follow from slots, by visit.
    func reasons(of bike: Int = 0) async throws -> [UInt64: Set<SightingReason>] {
        let page = try await stage.store.sightings(
            of: ReportPath(bikes[bike].report, of: owner), PageRequest(limit: 1000))
        return Dictionary(
            page.items.map { ($0.id.low, Set($0.reasons).intersection([.beaconProved, .replayed])) },
            uniquingKeysWith: { one, _ in one })
    }

    /// The same, as the pure rules see them.
    func expected(_ all: [Heard], _ clock: BeaconClock) throws -> [UInt64: Set<SightingReason>] {
        let evidence = try all.map { heard in
            SightingEvidence(
                try visit(heard), at: stations[heard.station], venue: "v\(heard.station)", standing: Samples.place,
                slot: HeardSlot(slot: start + heard.slot, clock: clock))
        }
        let reasons = Plausibility.reasons(of: evidence).map { $0.intersection([.beaconProved, .replayed]) }
        return Dictionary(uniqueKeysWithValues: zip(all.map(\.number), reasons))
    }

    func clock(of bike: Int = 0) throws -> BeaconClock {
        let rotation = try #require(bikes[bike].bike.rotation)
        return BeaconClock(lag: rotation.lag, checked: rotation.checked)
    }

    /// Visits as a real beacon, replays, wrong clocks and lies would cause them.
    static func visits(_ count: UInt64, using generator: inout SeededGenerator) -> [Heard] {
        let lags: [Int64] = [0, 0, 0, 0, 1, 1, 2, 9, 9, 10, 30, -3, -2, -1]
        return (1...count).map { number in
            let heard = Int64.random(in: 90...480, using: &generator)
            let isReplay = Int.random(in: 0..<4, using: &generator) == 0
            let lag = isReplay ? .random(in: 2...90, using: &generator) : lags.randomElement(using: &generator) ?? 0
            return Heard(
                number: number, station: .random(in: 0...2, using: &generator), slot: heard - lag, heard: heard,
                second: .random(in: 0...1023, using: &generator), lasting: .random(in: 0...1300, using: &generator),
                timeUncertain: Int.random(in: 0..<9, using: &generator) == 0)
        }
    }
}

extension StoreContract {
    static let slots = [
        StoreContract("slots are judged alike in any order, and as by the rules for the whole set") { store, _ in
            let stage = try await SlotStage(store, bikes: TestDepth.cases(6, of: 9), days: 6)
            var generator = SeededGenerator(seed: 57)
            for bike in stage.bikes.indices {
                let heard = bike < 5 ? stage.sample : SlotStage.visits(60, using: &generator)
                var parts = heard.flatMap(\.parts)
                if bike > 0 { parts.shuffle(using: &generator) }
                for part in parts { try await stage.record(part, of: bike) }
                try await stage.stage.stage.judge()
                let expected = try stage.expected(heard, try stage.clock(of: bike))
                let found = try await stage.reasons(of: bike)
                #expect(found == expected, "bike \(bike): \(expected.filter { found[$0.key] != $0.value })")
                #expect(Set(expected.values).count == 4 || bike >= 5, "\(Set(expected.values))")
            }
        },
        StoreContract("a replay is seen however much later it is, and whenever it arrives") { store, _ in
            let stage = try await SlotStage(store, bikes: 2, days: 6)
            let recorded = Heard(number: 1, station: 0, slot: 10, heard: 10)
            let later = Heard(number: 2, station: 0, slot: 12, heard: 12)
            let replay = Heard(number: 3, station: 1, slot: 10, heard: 450)
            let others = (4...40).map { Heard(number: $0, station: 1, slot: 10, heard: 450, second: Int64($0)) }
            for (bike, order) in [[recorded, later] + others + [replay], [replay] + others + [recorded, later]]
                .enumerated()
            {
                for heard in order { try await stage.record(heard, of: bike) }
                let reasons = try await stage.reasons(of: bike)
                #expect(reasons[1] == [.beaconProved] && reasons[2] == [.beaconProved])
                #expect(reasons[3] == [.replayed] && reasons[40] == [.replayed])
            }
            // Without the later sighting, nothing shows that they are replays.
            _ = try await store.dismissSighting(
                VisitID(high: 1, low: 2), of: stage.bikes[0].report.id, on: stage.bikes[0].bike.id,
                by: stage.stage.stage.act(of: stage.owner))
            #expect(try await stage.reasons()[3] == [])
        },
        StoreContract("one station alone neither refutes others by a lag of its own nor proves that lag") { store, _ in
            let stage = try await SlotStage(store, bikes: 2, days: 2)
            // The battery was changed: the beacon's lag is 20. A station whose clock is behind hears it with a lag of 12.
            let behind = (0..<4).map { Heard(number: UInt64(1 + $0), station: 0, slot: 50 + $0, heard: 62 + $0) }
            let honest = Heard(number: 9, station: 1, slot: 48, heard: 68)
            for heard in behind + [honest] { try await stage.record(heard) }
            #expect(try await stage.reasons().values.allSatisfy { $0 == [] })
            // A second station that agrees makes it the beacon's.
            try await stage.record(Heard(number: 10, station: 2, slot: 54, heard: 66))
            let reasons = try await stage.reasons()
            #expect(reasons[1] == [.beaconProved] && reasons[10] == [.beaconProved] && reasons[9] == [.replayed])
        },
        StoreContract("many sightings are judged again in the background; until then, readers see the result") {
            store, _ in
            let stage = try await SlotStage(store, days: 6)
            let late = (1...150).map { Heard(number: $0, station: 0, slot: Int64($0), heard: Int64($0) + 9) }
            for heard in late { try await stage.record(heard) }
            let all = late + [Heard(number: 200, station: 1, slot: 151, heard: 160)]
            #expect(try await stage.reasons().values.allSatisfy { $0 == [] })
            #expect(try await !store.judgeAnew(limit: 50, at: stage.stage.now))
            try await stage.record(all[150])
            for step in 0...4 {
                #expect(try await stage.reasons() == (try stage.expected(all, try stage.clock())), "step \(step)")
                let isDone = try await !store.judgeAnew(limit: 50, at: stage.stage.now)
                #expect(isDone == (step == 4))
            }
            #expect(try await stage.reasons()[1] == [.beaconProved])
        },
        StoreContract("a check while the bike is missing judges earlier sightings again") { store, _ in
            let stage = try await SlotStage(store, days: 2)
            let late = (1...3).map { Heard(number: $0, station: 0, slot: Int64($0), heard: Int64($0) + 2) }
            for heard in late { try await stage.record(heard) }
            #expect(try await stage.reasons().values.allSatisfy { $0 == [] })
            _ = try await store.checkBeacon(
                of: stage.bikes[0].bike.id, lag: 2, by: stage.stage.stage.act(of: stage.owner))
            #expect(try await stage.reasons().values.allSatisfy { $0 == [.beaconProved] }, "readers see it at once")
            let inner = stage.stage.stage
            #expect(
                try await inner.woken(among: [stage.bikes[0].report]) { try await inner.judge() }
                    == [stage.bikes[0].report.id])
            #expect(try await stage.reasons().values.allSatisfy { $0 == [.beaconProved] })
            #expect(try await !store.judgeAnew(limit: 2, at: stage.stage.now))
        },
        StoreContract("a report that changes while it is judged again waits behind the others") { store, _ in
            let stage = try await SlotStage(store, bikes: 2, days: 2)
            let act = stage.stage.stage.act(of: stage.owner)
            for bike in 0...1 {
                let heard = Heard(number: UInt64(1 + bike), station: 0, slot: 1, heard: 3)
                try await stage.record(heard, of: bike)
            }
            for bike in [0, 0, 1] { _ = try await store.checkBeacon(of: stage.bikes[bike].bike.id, lag: 2, by: act) }
            let later = act.time.advanced(by: .seconds(60))
            let reports = stage.bikes[0...1].map(\.report)
            for report in reports {
                let woken = try await stage.stage.stage.woken(among: reports) {
                    _ = try await store.judgeAnew(limit: 50, at: later)
                }
                #expect(woken == [report.id])
            }
            #expect(try await store.judgeAnew(limit: 50, at: later), "the first one is repeated")
            #expect(try await !store.judgeAnew(limit: 50, at: later))
        },
        StoreContract("a quarantined station refutes nothing, from that moment on") { store, _ in
            let stage = try await SlotStage(store, days: 2)
            try await stage.record(
                Heard(number: 1, station: 0, slot: 20, heard: 20), Heard(number: 2, station: 1, slot: 10, heard: 30))
            #expect(try await stage.reasons()[2] == [.replayed])
            _ = try await store.revokeStation(
                stage.stations[0], quarantineSince: Timestamp(milliseconds: 0),
                by: .operator(stage.stage.stage.newID()), at: stage.stage.now)
            #expect(try await stage.reasons()[2] == [], "readers see it at once")
            try await stage.stage.stage.judge()
            #expect(try await stage.reasons()[2] == [])
        },
    ]
}

extension SlotStage {
    /// The visits that are recorded in several orders.
    fileprivate var sample: [Heard] {
        var generator = SeededGenerator(seed: 5)
        return Self.visits(60, using: &generator)
    }
}
