public import Logging
public import RegistryAPI
public import ServiceLifecycle
import Synchronization

/// Delivers queued alerts: claims what is due, tries each one over its channel, and settles how it goes on.
///
/// A claim is a lease. Whatever happens to this process, an unsettled alert is claimed again when its lease ends, under
/// the same identifier: a crash repeats at most the deliveries under way and loses none. Alerts are claimed as soon as
/// the signal wakes the dispatcher, otherwise when the next one is due.
public struct AlertDispatcher: Service {
    /// How much is done at once and for how long.
    public struct Limits: Sendable {
        /// Deliveries under way at any time, by kind, so that slow receivers of one kind hold up no other. A kind that
        /// is missing is not delivered.
        public var concurrency: [ChannelKind: Int] = [.webhook: 64, .apns: 500, .email: 8, .ntfy: 64, .webpush: 64]
        /// Of these, the deliveries that may be one owner's where the owner says the server, so that a slow one holds up no
        /// other owner's.
        public var concurrencyOfOwner: [ChannelKind: Int] = [.webhook: 8, .ntfy: 8, .webpush: 8]
        /// How much longer than any delivery a lease lasts: until what became of it is on disk.
        public var settling = Duration.seconds(30)
        /// Upper bound of a sleep, so that a step of the clock delays nothing for long; also the wait after a failure
        /// of the store.
        public var longestSleep = Duration.seconds(30)

        public init() {}
    }

    let store: any AlertStore
    let notifiers: [any Notifier]
    let signal: AlertSignal
    let links: AlertLinks
    let clock: WallClock
    let entropy: Entropy
    let schedule: RetrySchedule
    let limits: Limits
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger
    /// Longer than any delivery lasts: else an alert would be delivered twice.
    let lease: Duration
    private let underWay = DeliveriesUnderWay()

    public init(
        store: any AlertStore,
        notifiers: [any Notifier],
        signal: AlertSignal,
        links: AlertLinks = AlertLinks(),
        clock: WallClock = .system,
        entropy: Entropy = .system,
        schedule: RetrySchedule = RetrySchedule(),
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
        self.schedule = schedule
        self.limits = limits
        lease = limits.settling + (notifiers.map(\.longestDelivery).max() ?? .zero)
        self.sleep = sleep
        self.logger = logger
    }

    /// Runs until graceful shutdown, which lets deliveries under way finish.
    public func run() async throws {
        await withDiscardingTaskGroup { deliveries in
            while !Task.isShuttingDownGracefully && !Task.isCancelled {
                let pause = await startDueDeliveries(in: &deliveries)
                await cancelWhenGracefulShutdown { await signal.wait(atMost: pause, sleep: sleep) }
            }
        }
    }

    /// Claims due alerts up to the free places; returns how long nothing more will be due.
    private func startDueDeliveries(in deliveries: inout DiscardingTaskGroup) async -> Duration {
        do {
            let free = underWay.free(of: limits.concurrency)
            // A full house waits for the signal that each finished delivery gives.
            guard !free.isEmpty else { return limits.longestSleep }
            let alerts = try await claim(atMost: free, shares: underWay.shares(limits.concurrencyOfOwner))
            for alert in alerts {
                underWay.began(alert)
                deliveries.addTask {
                    await deliverAndSettle(alert)
                    underWay.ended(alert)
                    signal.wake()
                }
            }
            let open = Set(underWay.free(of: limits.concurrency).keys)
            let shares = underWay.shares(limits.concurrencyOfOwner)
            guard !open.isEmpty, let due = try await store.nextAlertDue(of: open, shares: shares) else {
                return limits.longestSleep
            }
            return max(.milliseconds(5), min(clock.now.duration(to: due), limits.longestSleep))
        } catch {
            logger.error("alerts cannot be claimed", metadata: ["error": "\(error)"])
            return limits.longestSleep
        }
    }
}

/// Numbers of deliveries by kind and owner, which tasks count up and down.
private final class DeliveriesUnderWay: Sendable {
    private let counts = Mutex<[ChannelKind: [OwnerID: Int]]>([:])

    /// The places that are left; a kind without one is missing.
    func free(of limits: [ChannelKind: Int]) -> [ChannelKind: Int] {
        counts.withLock { counts in
            limits.reduce(into: [:]) { free, limit in
                let left = limit.value - (counts[limit.key] ?? [:]).values.reduce(0, +)
                if left > 0 { free[limit.key] = left }
            }
        }
    }

    func shares(_ most: [ChannelKind: Int]) -> OwnerShares { OwnerShares(most: most, taken: counts.withLock { $0 }) }

    func began(_ alert: ClaimedAlert) {
        counts.withLock { $0[alert.channel.kind, default: [:]][alert.owner, default: 0] += 1 }
    }

    func ended(_ alert: ClaimedAlert) {
        counts.withLock { counts in
            let left = counts[alert.channel.kind, default: [:]][alert.owner, default: 0] - 1
            counts[alert.channel.kind]?[alert.owner] = left > 0 ? left : nil
        }
    }
}
