import Foundation
import Logging
import OperatingSystem
import RegistryAPI
import RegistrySQLiteTestSupport
import RegistryTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RegistryRules
@testable import RegistrySQL
@testable import RegistrySQLite
@testable import RegistryStoreContract

@Suite("Alerts after a crash, an outage and a flood")
struct AlertCrashTests {
    /// The last step of the process before it ends.
    enum Step: CaseIterable {
        case queued, claimed, delivered, settled
    }

    @Test("a crash after any step loses no alert, and repeats only deliveries in progress", arguments: Step.allCases)
    func crash(step: Step) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("registry.sqlite")
        let stage = Stage(try SQLiteRegistryStore(newAt: path, quotas: Quotas(channels: 20)))
        let (owner, _, station) = try await stage.missingBike()
        for _ in 1..<20 { _ = try await stage.channel(of: owner) }
        _ = try await stage.record(Samples.visit(from: stage.now), by: station)
        let notifier = CountingNotifier()
        let first = dispatcher(stage, stage.store, notifier)
        let claimed = step == .queued ? [] : try await first.claim(places: .atMost([.webhook: 5])).alerts
        for alert in claimed {
            switch step {
            case .queued, .claimed: break
            case .delivered: _ = await notifier.deliver(alert)
            case .settled: await first.deliverAndSettle(alert)
            }
        }
        // Another process finds only what is on the disk at this moment.
        let remains = try TemporaryFolder()
        for file in ["registry.sqlite", "registry.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: folder.file(file), toPath: remains.file(file))
        }
        let store = try SQLiteRegistryStore(path: remains.file("registry.sqlite"))
        try await drain(dispatcher(stage, store, notifier), store, stage.clock, for: .seconds(3600))
        let repeated = step == .delivered ? 5 : 0
        #expect(notifier.deliveries.count == 20)
        #expect(notifier.deliveries.values.filter { $0 == 2 }.count == repeated)
        #expect(notifier.deliveries.values.filter { $0 == 1 }.count == 20 - repeated)
    }

    @Test("after an outage of a provider for hours each alert arrives once, and late ones say that they are late")
    func outage() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let stage = Stage(store)
        let (_, _, station) = try await stage.missingBike()
        let back = stage.now.advanced(by: .seconds(6 * 3600))
        let notifier = CountingNotifier(stage.clock) { $0 < back ? .retry(after: nil, reason: "away") : .delivered }
        let dispatcher = dispatcher(stage, store, notifier)
        let visits = 1...18 as ClosedRange<UInt64>
        for number in visits {
            _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
            try await drain(dispatcher, store, stage.clock, for: .seconds(1200))
        }
        #expect(notifier.delivered.isEmpty)
        try await drain(dispatcher, store, stage.clock, for: .seconds(2 * 3600))
        let delivered = notifier.delivered.compactMap(\.content.sighting)
        #expect(delivered.map(\.sighting.id.low).sorted() == Array(visits))
        #expect(notifier.times.count == delivered.count)
        for (content, time) in zip(delivered, notifier.times) {
            #expect(content.isLate == (content.sighting.lastSeen.duration(to: time) > SightingRules.lateAfter))
        }
        let late = try #require(notifier.delivered.first { $0.content.sighting?.isLate == true })
        #expect(late.text.paragraphs[0].contains("an hour late") && !late.isUrgent)
        #expect(try await store.nextAlertDue() == nil)
    }

    @Test("thousands of alerts are sent once each, urgent ones first, a few at a time", .timeLimit(.minutes(20)))
    func flood() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let stage = Stage(store)
        let owner = try await stage.owner()
        _ = try await stage.channel(of: owner)
        let (time, entropy) = (stage.now, stage.entropy)
        let count = TestDepth.cases(2_000, of: 10_000)
        try await store.write { db in
            let key = try Owners(db).key(of: owner)
            for number in 0..<count {
                // Use a separate bike for each notice, since notices of one kind are rate-limited.
                var bike = Samples.bikeSummary
                bike.id = BikeID(high: 9, low: UInt64(number))
                let event: OwnerNotice.Event = number % 10 == 9 ? .tokenCreated : .taxDue
                let notice = OwnerNotice(event, bike: bike, subject: "\(number)")
                try Notices(db).queue(notice, toOwner: key, at: time, using: entropy)
            }
        }
        let notifier = CountingNotifier()
        let dispatcher = dispatcher(stage, store, notifier)
        var claims: [[ClaimedAlert]] = []
        while case let alerts = try await dispatcher.claim(places: .atMost([.webhook: 16])).alerts, !alerts.isEmpty {
            claims.append(alerts)
            await withTaskGroup { group in
                for alert in alerts { group.addTask { await dispatcher.deliverAndSettle(alert) } }
            }
        }
        #expect(claims.allSatisfy { $0.count <= 16 })
        let first = claims.joined().prefix(count / 10)
        #expect(first.allSatisfy { $0.isUrgent } && first.count == count / 10)
        #expect(notifier.delivered.count == count && notifier.deliveries.count == count)
    }

    private func dispatcher(
        _ stage: Stage, _ store: any AlertStore, _ notifier: CountingNotifier
    ) -> AlertDispatcher {
        AlertDispatcher(
            store: store, notifiers: [notifier], signal: WakeUp(), clock: stage.clock.wallClock,
            entropy: .seeded(9), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Delivers everything that is due within this time, and advances the clock to its end.
    private func drain(
        _ dispatcher: AlertDispatcher, _ store: any AlertStore, _ clock: HandClock, for time: Duration
    ) async throws {
        let end = clock.now.advanced(by: time)
        while let due = try await store.nextAlertDue(), due <= end {
            clock.advance(by: max(.zero, clock.now.duration(to: due)))
            for alert in try await dispatcher.claim(places: .atMost([.webhook: 16])).alerts {
                await dispatcher.deliverAndSettle(alert)
            }
        }
        clock.advance(by: clock.now.duration(to: end))
    }
}

/// Counts its deliveries and records their times.
private final class CountingNotifier: Notifier {
    private let clock: HandClock
    private let answer: @Sendable (Timestamp) -> DeliveryResult
    private let taken = Mutex<[(alert: ClaimedAlert, time: Timestamp)]>([])

    init(
        _ clock: HandClock = HandClock(),
        _ answer: @escaping @Sendable (Timestamp) -> DeliveryResult = { _ in .delivered }
    ) {
        self.clock = clock
        self.answer = answer
    }

    var kind: ChannelKind { .webhook }
    var longestDelivery: Duration { .seconds(30) }
    var delivered: [ClaimedAlert] { taken.withLock { $0.map(\.alert) } }
    var times: [Timestamp] { taken.withLock { $0.map(\.time) } }
    var deliveries: [AlertID: Int] { delivered.reduce(into: [:]) { $0[$1.id, default: 0] += 1 } }

    func refusals(of draft: ChannelDraft) -> [FieldError] { [] }

    func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        let time = clock.now
        let result = answer(time)
        if result == .delivered { taken.withLock { $0.append((alert, time)) } }
        return result
    }
}
