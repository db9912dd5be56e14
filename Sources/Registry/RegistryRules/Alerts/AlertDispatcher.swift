public import Logging
public import OperatingSystem
import RegistryAPI
public import ServiceLifecycle
import Synchronization

/// Delivers queued alerts: claims those that are due, tries each one over its channel, and settles the result.
///
/// A claim is a lease. If this process fails, an unsettled alert is claimed again when its lease ends, under the same
/// identifier. So a crash repeats at most the deliveries in progress and loses none. Alerts are claimed as soon as the
/// signal wakes the dispatcher, and otherwise when the next one is due.
public struct AlertDispatcher: Service {
    /// Limits on concurrency and waiting.
    public struct Limits: Sendable {
        /// The slots for concurrent deliveries, by kind and by the receiver's standing, so that slow receivers delay
        /// neither other kinds nor receivers that respond. Alerts of a kind that is not listed here are not delivered.
        public var places: AllDeliveryPlaces = [
            .webhook: Limits.ownersServers, .ntfy: Limits.ownersServers, .webpush: Limits.ownersServers,
            .apns: [.proven: DeliveryPlaces(500, ofOwner: 100)], .email: [.proven: DeliveryPlaces(8, ofOwner: 4)],
        ]
        /// The extra time of a lease beyond the longest delivery, for writing the result to disk.
        public var settling = Duration.seconds(30)
        /// The longest sleep, so that a step of the clock delays nothing for long;
        /// also the wait after a failure of the store.
        public var longestSleep = Duration.seconds(30)

        public init() {}

        /// The slots for servers that owners choose; together fewer than a notifier's concurrent transfers. A popular
        /// server has many owners, so a proven server has no limit.
        private static let ownersServers: [ReceiverStanding: DeliveryPlaces] = [
            .proven: DeliveryPlaces(64, ofOwner: 8), .fresh: DeliveryPlaces(20, ofOwner: 2, ofServer: 5),
            .failing: DeliveryPlaces(14, ofOwner: 2, ofServer: 4),
        ]
    }

    let store: any AlertStore
    /// One for each kind of channel that is served.
    let notifiers: [any Notifier]
    /// Wakes the dispatcher when an alert may be due (``StoreSignals/alerts``), or a slot is free.
    let signal: WakeUp
    /// Given to each alert before it is delivered.
    let links: AlertLinks
    let clock: WallClock
    let entropy: Entropy
    let limits: Limits
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger
    /// The duration of a lease, longer than any delivery: otherwise an alert would be delivered twice.
    let lease: Duration
    private let inProgress: DeliveriesInProgress

    public init(
        store: any AlertStore,
        notifiers: [any Notifier],
        signal: WakeUp,
        links: AlertLinks = AlertLinks(),
        clock: WallClock = .system,
        entropy: Entropy = .system,
        limits: Limits = Limits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.notifiers = notifiers
        self.signal = signal
        self.links = links
        self.clock = clock
        self.entropy = entropy
        self.limits = limits
        inProgress = DeliveriesInProgress(limits.places)
        lease = limits.settling + (notifiers.map(\.longestDelivery).max() ?? .zero)
        self.sleep = sleep
        self.logger = logger
    }

    /// Runs until graceful shutdown, which lets deliveries in progress finish.
    public func run() async throws {
        await withDiscardingTaskGroup { deliveries in
            while !Task.isShuttingDownGracefully && !Task.isCancelled {
                let pause = await startDueDeliveries(in: &deliveries)
                await cancelWhenGracefulShutdown { await signal.wait(atMost: pause, sleep: sleep) }
            }
        }
    }

    /// The shortest sleep, so that an alert that is due but cannot be claimed does not keep a processor busy.
    private static let shortestSleep = Duration.milliseconds(5)

    /// Claims due alerts for the free slots; returns the time until the next alert is due.
    private func startDueDeliveries(in deliveries: inout DiscardingTaskGroup) async -> Duration {
        do {
            // If all slots are taken, wait for the signal that each finished delivery gives.
            guard !inProgress.isFull else { return limits.longestSleep }
            let claim = try await claim(places: inProgress.places)
            for alert in claim.alerts {
                inProgress.add(alert)
                deliveries.addTask {
                    await deliverAndSettle(alert)
                    inProgress.remove(alert)
                    signal.wake()
                }
            }
            guard let due = claim.next else { return limits.longestSleep }
            let wait = min(clock.now.duration(to: due), limits.longestSleep)
            return max(wait, Self.shortestSleep)
        } catch {
            // Do not log this when the program ends.
            if !Task.isCancelled { logger.error("alerts cannot be claimed", metadata: ["error": "\(error)"]) }
            return limits.longestSleep
        }
    }
}

// From a claim to its settlement.
extension AlertDispatcher {
    /// Claims alerts that are due; no other worker gets them until the lease ends.
    func claim(places: AllDeliveryPlaces) async throws -> AlertClaim {
        let now = clock.now
        return try await store.claimAlerts(at: now, leaseUntil: now.advanced(by: lease), places: places)
    }

    /// Makes one delivery attempt over the channel's notifier, and settles it. If the alert cannot be settled, it is
    /// delivered again after its lease ends.
    func deliverAndSettle(_ alert: ClaimedAlert) async {
        let result: DeliveryResult
        if let notifier = notifiers.first(where: { $0.kind == alert.channel.kind }) {
            var linked = alert
            linked.links = links
            result = await notifier.deliver(linked)
        } else {
            result = .retry(after: nil, reason: "this registry does not serve this kind of channel")
        }
        let settlement = settlement(of: alert, after: result)
        do {
            try await store.settle(alert.id, attempt: alert.attempt, as: settlement, at: clock.now, using: entropy)
            log(alert, settlement)
        } catch {
            logger.error("alert cannot be settled", metadata: ["alert": "\(alert.id)", "error": "\(error)"])
        }
    }

    /// How a claim ends after an attempt: a failed one is repeated later, until the alert is too old.
    private func settlement(of alert: ClaimedAlert, after result: DeliveryResult) -> AlertSettlement {
        switch result {
        case .delivered: return .delivered
        case .giveUp(let reason): return .givenUp(reason: reason)
        case .gone(let reason): return .gone(reason: reason)
        case .deliveredBy(let environment): return .deliveredBy(environment)
        case .retry(let asked, let reason):
            var entropy = entropy
            let next = RetrySchedule.nextAttempt(
                after: alert.attempt, created: alert.created, now: clock.now, asked: asked, using: &entropy
            )
            guard let next else { return .givenUp(reason: "given up after 3 days: \(reason)") }
            return .retry(at: next, reason: reason)
        }
    }

    /// Logs identifiers only: a channel's URL can contain a secret, and a sighting's place belongs to the owner.
    private func log(_ alert: ClaimedAlert, _ settlement: AlertSettlement) {
        var metadata: Logger.Metadata = [
            "alert": "\(alert.id)", "channel": "\(alert.channel.id)", "attempt": "\(alert.attempt)",
        ]
        switch alert.content {
        case .sighting(let content):
            metadata["sighting"] = "\(content.sighting.id)"
            metadata["report"] = "\(content.sighting.report)"
        case .digest(let content):
            metadata["sightings"] = "\(content.count)"
            metadata["report"] = "\(content.report)"
        case .notice(let notice):
            metadata["notice"] = "\(notice.event.rawValue)"
        }
        switch settlement {
        case .delivered, .deliveredBy:
            logger.info("alert delivered", metadata: metadata)
        case .retry(let time, let reason):
            metadata["reason"] = "\(reason)"
            metadata["next"] = "\(time)"
            logger.info("alert failed", metadata: metadata)
        case .givenUp(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("alert given up", metadata: metadata)
        case .gone(let reason):
            metadata["reason"] = "\(reason)"
            logger.warning("channel gone", metadata: metadata)
        }
    }
}

/// The slots taken by the deliveries in progress.
private final class DeliveriesInProgress: Sendable {
    private let taken: Mutex<AllDeliveryPlaces>

    init(_ places: AllDeliveryPlaces) { taken = Mutex(places) }

    var places: AllDeliveryPlaces { taken.withLock { $0 } }
    var isFull: Bool { taken.withLock { $0.values.allSatisfy { $0.values.allSatisfy(\.isFull) } } }

    func add(_ alert: ClaimedAlert) {
        taken.withLock { _ = $0[alert.channel.kind]?[alert.standing]?.take(alert.owner, server: alert.server) }
    }

    func remove(_ alert: ClaimedAlert) {
        taken.withLock { _ = $0[alert.channel.kind]?[alert.standing]?.release(alert.owner, server: alert.server) }
    }
}

/// The times of retries after a failed delivery: waits that double, with random spread, until the alert is too old.
enum RetrySchedule {
    /// The first wait.
    private static let base = Duration.seconds(5)
    /// The longest wait, unless the receiver asks for a longer one.
    private static let longest = Duration.seconds(3600)
    /// The longest wait that a receiver may ask for.
    private static let longestAsked = Duration.days(1)

    /// The time of the next attempt after this many attempts, or nil if the alert is given up: it would then be older
    /// than ``ClaimedAlert/lifetime``.
    ///
    /// - Parameter asked: the receiver's `Retry-After`; the wait is not shorter, up to ``longestAsked``.
    static func nextAttempt(
        after attempts: Int, created: Timestamp, now: Timestamp, asked: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Timestamp? {
        // More doublings than any schedule needs; bounded so that the product cannot overflow.
        let doublings = min(max(attempts - 1, 0), 20)
        let wait = min(base * (1 << doublings), longest) * Double.random(in: 0.8...1.2, using: &generator)
        let askedWait = min(asked ?? .zero, longestAsked)
        let next = now.advanced(by: max(wait, askedWait))
        return created.duration(to: next) <= ClaimedAlert.lifetime ? next : nil
    }
}
