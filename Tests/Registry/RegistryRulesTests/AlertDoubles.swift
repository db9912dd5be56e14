import RegistryAPI
import RegistryRules
import Synchronization

/// An in-memory queue of alerts, with leases like those of a real store.
actor AlertQueue: AlertStore {
    private var waiting: [AlertID: (alert: ClaimedAlert, due: Timestamp)] = [:]
    private var failures = 0
    private var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    private(set) var settlements: [AlertSettlement] = []

    init(_ alerts: [ClaimedAlert]) {
        for alert in alerts { waiting[alert.id] = (alert, alert.created) }
    }

    func add(_ alert: ClaimedAlert) { waiting[alert.id] = (alert, alert.created) }

    /// Makes the next claims fail.
    func fail(times: Int) { failures = times }

    func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) throws -> AlertClaim {
        guard failures == 0 else {
            failures -= 1
            throw DomainError.storageUnavailable("test")
        }
        guard var places = places[.webhook]?[.proven] else { return AlertClaim(next: nil) }
        var claimed: [ClaimedAlert] = []
        for entry in waiting.values.sorted(by: { $0.alert.id < $1.alert.id }) where entry.due <= now {
            var alert = entry.alert
            guard places.admits(alert.owner, server: alert.server) else { continue }
            places.take(alert.owner, server: alert.server)
            alert.attempt += 1
            waiting[alert.id] = (alert, lease)
            claimed.append(alert)
        }
        let left = waiting.values.filter { places.admits($0.alert.owner, server: $0.alert.server) }
        return AlertClaim(alerts: claimed, next: left.map(\.due).min())
    }

    func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) {
        guard let entry = waiting[id], entry.alert.attempt == attempt else { return }
        if case .retry(let next, _) = settlement { waiting[id]?.due = next } else { waiting[id] = nil }
        settlements.append(settlement)
        if let watcher, settlements.count >= watcher.count {
            self.watcher = nil
            watcher.continuation.resume()
        }
    }

    func waitUntilSettled(_ count: Int) async {
        guard settlements.count < count else { return }
        await withCheckedContinuation { watcher = (count, $0) }
    }
}

/// A notifier that returns the results that the test chooses, and records its deliveries.
final class ScriptedNotifier: Notifier {
    private let answer: @Sendable (ClaimedAlert) async -> DeliveryResult
    private let record = Mutex((attempts: [ClaimedAlert](), now: 0, most: 0))

    init(_ answer: @escaping @Sendable (ClaimedAlert) async -> DeliveryResult) { self.answer = answer }

    var kind: ChannelKind { .webhook }
    var longestDelivery: Duration { .seconds(30) }
    var attempts: [ClaimedAlert] { record.withLock { $0.attempts } }
    var mostAtOnce: Int { record.withLock { $0.most } }

    func refusals(of draft: ChannelDraft) -> [FieldError] { [] }

    func deliver(_ alert: ClaimedAlert) async -> DeliveryResult {
        record.withLock { record in
            record.attempts.append(alert)
            record.now += 1
            record.most = max(record.most, record.now)
        }
        defer { record.withLock { $0.now -= 1 } }
        await Task.yield()
        return await answer(alert)
    }
}

/// Blocks callers until it is opened.
actor Latch {
    private var isOpen = false
    private var isVisited = false
    private var visitors: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        isVisited = true
        for watcher in watchers { watcher.resume() }
        watchers = []
        guard !isOpen else { return }
        await withCheckedContinuation { visitors.append($0) }
    }

    func waitForVisitor() async {
        guard !isVisited else { return }
        await withCheckedContinuation { watchers.append($0) }
    }

    func open() {
        isOpen = true
        for visitor in visitors { visitor.resume() }
        visitors = []
    }
}
