import Logging
import OperatingSystem
import RegistryAPI
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import RegistryRules

@Suite("Delivery of alerts")
struct AlertDispatcherTests {
    private let clock = HandClock()
    private let signal = WakeUp()

    private func dispatcher(
        _ queue: AlertQueue, _ notifier: ScriptedNotifier, concurrency: Int = 16, ofOwner: Int? = nil,
        sleep: (@Sendable (Duration) async throws -> Void)? = nil
    ) -> AlertDispatcher {
        var limits = AlertDispatcher.Limits()
        limits.places = [.webhook: [.proven: DeliveryPlaces(concurrency, ofOwner: ofOwner ?? .max)]]
        return AlertDispatcher(
            store: queue, notifiers: [notifier], signal: signal, clock: clock.wallClock, entropy: .seeded(1),
            limits: limits,
            sleep: sleep ?? { _ in try await Task.sleep(for: .seconds(3600)) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func queue(_ count: UInt64) -> AlertQueue {
        AlertQueue((0..<count).map { Samples.alert($0, attempt: 0, created: clock.now) })
    }

    @Test(
        "each kind of channel has slots for each standing that its new receivers can have",
        arguments: ChannelKind.allCases)
    func hasSlots(kind: ChannelKind) throws {
        let slots = try #require(AlertDispatcher.Limits().places[kind])
        #expect((slots[ReceiverStanding(ofNew: kind)]?.most ?? 0) > 0)
    }

    @Test("a signal starts a delivery at once, without any time passing")
    func signalled() async throws {
        let queue = AlertQueue([])
        let notifier = ScriptedNotifier { _ in .delivered }
        try await running(dispatcher(queue, notifier)) {
            await queue.add(Samples.alert(1, attempt: 0, created: clock.now))
            signal.wake()
            await queue.waitUntilSettled(1)
        }
        #expect(await queue.settlements == [.delivered])
    }

    @Test("alerts that were queued at the start are delivered once each, within the limit of concurrent deliveries")
    func backlog() async throws {
        let queue = queue(100)
        let notifier = ScriptedNotifier { _ in .delivered }
        try await running(dispatcher(queue, notifier, concurrency: 4)) { await queue.waitUntilSettled(100) }
        #expect(notifier.attempts.count == 100)
        #expect(Set(notifier.attempts.map(\.id)).count == 100)
        #expect(notifier.mostAtOnce <= 4)
    }

    @Test("an owner whose server does not respond does not delay the alerts of other owners")
    func slowOwner() async throws {
        let (slow, other) = (OwnerID(high: 9, low: 1), OwnerID(high: 9, low: 2))
        let queue = AlertQueue(
            (0..<30).map { Samples.alert($0, of: $0 < 20 ? slow : other, attempt: 0, created: clock.now) }
        )
        let latch = Latch()
        let notifier = ScriptedNotifier { alert in
            if alert.owner == slow { await latch.pass() }
            return .delivered
        }
        try await running(dispatcher(queue, notifier, concurrency: 4, ofOwner: 2)) {
            await queue.waitUntilSettled(10)
            #expect(notifier.attempts.count { $0.owner == slow } <= 2)
            #expect(notifier.attempts.count { $0.owner == other } == 10)
            await latch.open()
            await queue.waitUntilSettled(30)
        }
        #expect(notifier.mostAtOnce <= 4)
    }

    @Test("a failed delivery is retried when it is due, with the same identifier")
    func retry() async throws {
        let queue = queue(1)
        let notifier = ScriptedNotifier { $0.attempt < 3 ? .retry(after: nil, reason: "busy") : .delivered }
        // Each sleep ends at once and advances the clock by its duration.
        try await running(
            dispatcher(queue, notifier) { [clock] duration in
                try Task.checkCancellation()
                clock.advance(by: duration)
            }
        ) { await queue.waitUntilSettled(3) }
        #expect(notifier.attempts.map(\.attempt) == [1, 2, 3])
        #expect(Set(notifier.attempts.map(\.id)).count == 1)
        #expect(await queue.settlements.last == .delivered)
    }

    @Test("after a crash during a delivery it is repeated once, with the same identifier, when the lease has ended")
    func crashAfterDelivery() async throws {
        let queue = queue(1)
        let notifier = ScriptedNotifier { _ in .delivered }
        let first = dispatcher(queue, notifier)
        // The process ends between the delivery and its settlement.
        let claimed = try #require(try await first.claim(places: .atMost([.webhook: 1])).alerts.first)
        _ = await notifier.deliver(claimed)
        let second = dispatcher(queue, notifier)
        // For the longest duration of a delivery, it may still be in progress.
        clock.advance(by: notifier.longestDelivery)
        #expect(try await second.claim(places: .atMost([.webhook: 1])).alerts.isEmpty)
        clock.advance(by: AlertDispatcher.Limits().settling)
        for alert in try await second.claim(places: .atMost([.webhook: 1])).alerts {
            await second.deliverAndSettle(alert)
        }
        #expect(notifier.attempts.map(\.id) == [claimed.id, claimed.id])
        #expect(await queue.settlements == [.delivered])
        clock.advance(by: .days(1))
        #expect(try await second.claim(places: .atMost([.webhook: 1])).alerts.isEmpty)
    }

    @Test("an alert that cannot be delivered is given up, and so is one that failed for three days")
    func givesUp() async throws {
        let queue = queue(2)
        let notifier = ScriptedNotifier {
            $0.id.low == 0 ? .giveUp(reason: "gone") : .retry(after: nil, reason: "busy")
        }
        let dispatcher = dispatcher(queue, notifier)
        clock.advance(by: .days(3))
        for alert in try await dispatcher.claim(places: .atMost([.webhook: 2])).alerts {
            await dispatcher.deliverAndSettle(alert)
        }
        #expect(
            await queue.settlements
                == [.givenUp(reason: "gone"), .givenUp(reason: "given up after 3 days: busy")]
        )
    }

    @Test("a shutdown lets a delivery in progress finish and be settled")
    func shutdown() async throws {
        let queue = queue(1)
        let latch = Latch()
        let notifier = ScriptedNotifier { _ in
            await latch.pass()
            return .delivered
        }
        let group = serviceGroup(dispatcher(queue, notifier))
        async let ended: Void = group.run()
        await latch.waitForVisitor()
        await group.triggerGracefulShutdown()
        #expect(await queue.settlements.isEmpty)
        await latch.open()
        try await ended
        #expect(await queue.settlements == [.delivered])
    }

    @Test("a store error does not end the dispatcher")
    func storeFailure() async throws {
        let queue = queue(1)
        await queue.fail(times: 2)
        let notifier = ScriptedNotifier { _ in .delivered }
        try await running(
            dispatcher(queue, notifier) { [clock] duration in
                try Task.checkCancellation()
                clock.advance(by: duration)
            }
        ) { await queue.waitUntilSettled(1) }
        #expect(await queue.settlements == [.delivered])
    }

    private func serviceGroup(_ service: any Service) -> ServiceGroup {
        ServiceGroup(
            configuration: .init(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        )
    }

    /// Runs the dispatcher during the body, then stops it.
    private func running(_ dispatcher: AlertDispatcher, _ body: () async throws -> Void) async throws {
        let group = serviceGroup(dispatcher)
        async let ended: Void = group.run()
        try await body()
        await group.triggerGracefulShutdown()
        try await ended
    }
}
