import Beacons
import Logging
import OperatingSystem
import RegistryAPI
import RegistryClient
import RegistryRules
import Synchronization
import TestSupport
import Testing

@testable import Monitor

/// Whatever happens in whatever order, the registry ends up with every visit once and unchanged.
@Suite("Random schedules", .timeLimit(.minutes(20)))
struct ScheduleTests {
    /// One run of a station: visits begin, continue and end while network, registry, clock and power fail.
    private struct Life {
        let folder: TemporaryFolder
        let clocks: HandClocks
        let registry: RegistryModel
        var outbox: Outbox
        var clock: StationClock
        var pace = ReportPace()
        var generator: SeededGenerator
        /// The actual times of each visit, which the station does not know.
        var truth: [VisitID: (first: Timestamp, last: Timestamp, count: Int64)] = [:]
        /// The visits in progress, with their times by the boot clock.
        var open: [VisitID: (visit: Visit, span: BootSpan)] = [:]
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        init(seed: UInt64) throws {
            folder = try TemporaryFolder(isInMemory: true)
            let generator = Mutex(SeededGenerator(seed: seed &* 31))
            let clocks = seed % 3 == 0 ? HandClocks.withoutBattery() : HandClocks()
            self.clocks = clocks
            registry = RegistryModel(now: { clocks.truth }) { _ in
                generator.withLock { random in
                    guard Bool.random(using: &random) else { return .answered }
                    return RegistryModel.Fate.allCases.randomElement(using: &random) ?? .answered
                }
            }
            outbox = try Outbox(path: folder.file("outbox.sqlite"))
            clock = clocks.clock()
            self.generator = SeededGenerator(seed: seed)
        }

        var venue: Venue { Venue(clock: clock) }

        mutating func begin() async throws {
            let now = clock.now
            let id = VisitID(at: clock.wallTime, using: &generator)
            let visit = Visit(
                id: id, stay: StayID(at: clock.wallTime, using: &generator),
                identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 1), major: 1, minor: .random(in: 1...9)),
                firstSeen: clock.wallTime, lastSeen: clock.wallTime, count: 2, rssi: nil, measuredPower: -59,
                proximity: .near, place: nil, ended: false)
            truth[id] = (clocks.truth, clocks.truth, 2)
            open[id] = (visit, BootSpan(boot: clock.boot, first: now, last: now))
            try await write(id)
        }

        mutating func hear(ending: Bool) async throws {
            guard let id = open.keys.sorted().randomElement(using: &generator), var entry = open[id] else { return }
            entry.visit.count += 7
            entry.visit.ended = ending
            entry.span.last = clock.now
            truth[id]?.last = clocks.truth
            truth[id]?.count = entry.visit.count
            open[id] = entry
            try await write(id)
            if ending { open[id] = nil }
        }

        /// A visit as the recorder passes it on.
        private mutating func write(_ id: VisitID) async throws {
            guard let entry = open[id] else { return }
            var visit = entry.visit
            let span = entry.span
            let isCertain = clock.isCertain
            visit.firstSeen = clock.timeline.timestamp(of: span.first)
            visit.lastSeen = clock.timeline.timestamp(of: span.last)
            visit.timeUncertain = isCertain ? nil : true
            try await outbox.record([StationVisit(visit, span: isCertain ? nil : span)])
        }

        /// One attempt of the reporter, at its pace but without its waits.
        mutating func report() async throws {
            let batch = try await outbox.pending(by: &pace)
            guard !batch.isEmpty else { return pace.rest() }
            do {
                let answer = try await registry.report(
                    VisitBatch(visits: batch.map { $0.kept.reported(by: clock) }))
                // A crash may occur between the response and its record.
                if Int.random(in: 0..<6, using: &generator) == 0 { return try await restart(reboot: false) }
                try await outbox.settle(Array(zip(batch, answer.results)))
                pace.succeeded(batch.map(\.visit.id))
            } catch let error as RegistryError {
                _ = pace.failed(error, visits: batch.map(\.visit.id), using: &generator)
            }
        }

        /// The power is cut or the program killed: everything in memory is lost.
        mutating func restart(reboot: Bool) async throws {
            if reboot {
                let isSet = Bool.random(using: &generator)
                clocks.reboot(
                    after: .seconds(Int.random(in: 10...5000, using: &generator)),
                    error: isSet ? .zero : .seconds(Int.random(in: -1_795_000_000...0, using: &generator)),
                    isSynchronised: isSet)
            }
            outbox = try Outbox(path: folder.file("outbox.sqlite"))
            clock = clocks.clock()
            pace = ReportPace()
            let upkeep = OutboxUpkeep(outbox: outbox, venue: venue, signal: WakeUp(), logger: logger)
            try await upkeep.prepare()
            guard reboot else { return }
            for kept in try await outbox.openVisits() {
                var ended = kept
                ended.visit.ended = true
                try await outbox.record([ended])
            }
            open = [:]
        }

        mutating func setClock() async throws {
            clocks.set(error: .zero, isSynchronised: true)
            try await OutboxUpkeep(outbox: outbox, venue: venue, signal: WakeUp(), logger: logger).attach()
        }

        mutating func step() async throws {
            clocks.pass(.seconds(Int.random(in: 1...900, using: &generator)))
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<4: try await begin()
            case 4..<8: try await hear(ending: false)
            case 8..<12: try await hear(ending: true)
            case 12..<17: try await report()
            case 17: try await restart(reboot: false)
            case 18: try await restart(reboot: Int.random(in: 0..<3, using: &generator) == 0)
            default: try await setClock()
            }
        }

        /// Restores normal operation: the clock is set, visits end, the registry responds.
        mutating func end() async throws {
            try await setClock()
            while !open.isEmpty { try await hear(ending: true) }
            var attempts = 0
            while try await outbox.depth() > 0, attempts < 500 {
                attempts += 1
                try await report()
            }
        }
    }

    @Test(
        "every visit is stored exactly once, with its count, and with its times if they could be known",
        arguments: 0..<4 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        for seed in part * 250 + 1...part * 250 + TestDepth.cases(60, of: 250) {
            var life = try Life(seed: seed)
            for _ in 0..<30 { try await life.step() }
            try await life.end()
            let state = life.registry.current
            try #require(Set(state.visits.keys) == Set(life.truth.keys), "seed \(seed)")
            try #require(state.insertions.values.allSatisfy { $0 == 1 }, "seed \(seed)")
            for (id, truth) in life.truth {
                let stored = try #require(state.visits[id], "seed \(seed)")
                try #require(stored.ended, "seed \(seed), \(id)")
                try #require(stored.count == truth.count, "seed \(seed), \(id)")
                guard stored.timeUncertain != true else { continue }
                try #require(abs(stored.firstSeen.duration(to: truth.first)) < .seconds(1), "seed \(seed), \(id)")
                try #require(abs(stored.lastSeen.duration(to: truth.last)) < .seconds(1), "seed \(seed), \(id)")
            }
            try #require(try await life.outbox.refusals().map(\.reason) == [], "seed \(seed)")
            try await life.outbox.flush()
            try #require(try await life.outbox.summary() == OutboxSummary(), "seed \(seed)")
        }
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
