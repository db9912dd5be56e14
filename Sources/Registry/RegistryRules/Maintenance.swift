public import Logging
public import OperatingSystem
import RegistryAPI
public import ServiceLifecycle

/// Does the work that depends only on time: ends reports, deletes expired data,
/// and notifies the owners of found bikes.
///
/// Finds and finders' messages are processed as soon as the signal wakes the service; everything else is checked at
/// intervals.
public struct Maintenance: Service {
    private let store: any MaintenanceStore
    private let signal: WakeUp
    private let findSenders: FindSenders?
    private let clock: WallClock
    private let entropy: Entropy
    /// The time between two rounds.
    private let interval: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    /// The maximum number of rows that one transaction changes, so that none holds the database for long.
    private static let batch = 100

    /// - Parameters:
    ///   - signal: wakes the service when finds or finders' messages wait.
    ///   - findSenders: gets its keys in each round; nil if it is not used.
    ///   - interval: the time between two rounds.
    public init(
        store: any MaintenanceStore,
        signal: WakeUp,
        findSenders: FindSenders? = nil,
        clock: WallClock = .system,
        entropy: Entropy = .system,
        interval: Duration = .seconds(60),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.signal = signal
        self.findSenders = findSenders
        self.clock = clock
        self.entropy = entropy
        self.interval = interval
        self.sleep = sleep
        self.logger = logger
    }

    /// Works until graceful shutdown.
    public func run() async throws {
        var next = clock.now
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            await tellFinds()
            // A clock that is set back must not stop the rounds.
            if clock.now >= next || clock.now.advanced(by: interval) < next {
                await round()
                next = clock.now.advanced(by: interval)
            }
            await cancelWhenGracefulShutdown { await signal.wait(atMost: interval, sleep: sleep) }
        }
    }

    /// Notifies the owners of all waiting finds and finders' messages.
    public func tellFinds() async {
        await perform("finds told") { try await store.tellFinds(limit: $0, at: $1, using: entropy) }
        await perform("messages told") { try await store.tellMessages(limit: $0, at: $1, using: entropy) }
    }

    /// Does all work that is due now.
    public func round() async {
        await findSenders?.prepare(at: clock.now)
        await perform("reports expired") { try await store.expireReports(limit: $0, at: $1, using: entropy) }
        await perform("expiries announced") { try await store.announceExpiries(limit: $0, at: $1, using: entropy) }
        await perform("reminders told") { try await store.tellReminders(limit: $0, at: $1, using: entropy) }
        await perform("quiet reports asked after") {
            try await store.askAfterQuietReports(limit: $0, at: $1, using: entropy)
        }
        await perform("search ends announced") {
            try await store.announceSearchEnds(limit: $0, at: $1, using: entropy)
        }
        await perform("notices told together") {
            try await store.tellHeldNotices(limit: $0, at: $1, using: entropy)
        }
        await perform("reports suspended") { try await store.suspendReports(limit: $0, at: $1, using: entropy) }
        await perform("searches looked at") { try await store.noteSigns(limit: $0, at: $1) }
        await perform("beacon tests ended") { try await store.endBeaconTests(limit: $0, at: $1) }
        await perform("visits recorded that go on") { try await store.recordGrowth(limit: $0, at: $1) }
        await perform("sightings deleted") { try await store.deleteOldSightings(limit: $0, at: $1) }
        await perform("days of coverage deleted") { try await store.deleteOldCoverage(limit: $0, at: $1) }
        await perform("conversations ended or deleted") { try await store.ageConversations(limit: $0, at: $1) }
        await perform("leftovers deleted") { _, time in
            try await store.deleteLeftovers(at: time)
            return 0
        }
    }

    /// Repeats a part until nothing is left, and logs its total under the name. A part that fails is retried in the
    /// next round, and does not stop other parts.
    private func perform(_ name: String, _ part: (Int, Timestamp) async throws -> Int) async {
        guard !Task.isCancelled else { return }
        var total = 0
        do {
            var count = 0
            repeat {
                count = try await part(Self.batch, clock.now)
                total += count
            } while count >= Self.batch && !Task.isCancelled
        } catch  where Task.isCancelled {
            // The program ends, so this part has not failed.
        } catch {
            logger.error("maintenance failed", metadata: ["part": "\(name)", "error": "\(error)"])
        }
        if total > 0 { logger.info("\(name)", metadata: ["count": "\(total)"]) }
    }
}
