import Logging
import MissingList
import NIOCore
import OperatingSystem
import RegistryAPI
import RegistryRules
import RegistrySQL
import ServiceLifecycle
import Synchronization

/// Keeps the latest version of the missing list ready, and wakes the stations and the partners that are waiting for it.
///
/// The store signals each commit that changes the list. Changes within a quarter of a second after a version become one
/// version, so ten thousand simultaneous requests put no load on the store.
final class MissingListPublisher: Service {
    /// The stations that wait for the next version.
    let waiting = WaitingCallers<StationID>()
    /// The partners that wait for a change of what they get of the list.
    let waitingPartners = WaitingCallers<PartnerID>()
    private let store: any RegistryStore
    private let wallClock: WallClock
    private let logger: Logger
    private let clock = ContinuousClock()
    private let revocationInterval: Duration
    private let state = Mutex(State())

    private struct State {
        var latest: PublishedList?
        var isRunning = false
        var refreshing: Task<PublishedList, any Error>?
    }

    /// How long changes are collected after a version; also the pause after a failure.
    private static let window = Duration.milliseconds(250)
    /// The longest time between two reads of the store. Another process on the same database can change the list
    /// without a signal here.
    private static let longestSilence = Duration.seconds(30)
    /// How late a wait can end.
    private static let tick = Duration.milliseconds(500)
    /// How often the journal is trimmed.
    private static let trimInterval = Duration.seconds(3600)
    /// How far back the journal of the list's changes reaches.
    private static let journal = Duration.days(7)

    /// - Parameter revocationInterval: how often to check the tokens of those who wait.
    init(
        store: any RegistryStore, clock: WallClock, logger: Logger,
        revocationInterval: Duration = .seconds(20)
    ) {
        self.store = store
        wallClock = clock
        self.logger = logger
        self.revocationInterval = revocationInterval
    }

    /// Whether requests may wait.
    var isRunning: Bool { state.withLock(\.isRunning) }

    /// The version for a response. A station that waits for the next version gets the version that was published last;
    /// other callers get everything that was written before their request. So does a station that already has a newer
    /// version, from another process on the same database.
    ///
    /// - Parameter base: the version that a waiting station has; nil if it has none.
    func current(forWaiting isWaiting: Bool, at base: ListVersion? = nil) async throws -> PublishedList {
        let (latest, isRunning) = state.withLock { ($0.latest, $0.isRunning) }
        let isNewer = (base?.number ?? 0) > (latest?.version.number ?? 0)
        if let latest, isRunning, isWaiting, !isNewer { return latest }
        if let latest, try await store.missingListVersion() == latest.version { return latest }
        return try await refresh()
    }

    /// The changes from an earlier version to this one; nil if the journal does not reach back that far.
    func delta(from base: ListVersion, to list: PublishedList) async throws -> ByteBuffer? {
        if let delta = list.delta(from: base) { return delta }
        let changes = try await store.missingListChanges(since: base, upTo: list.version)
        return changes.flatMap { list.delta($0) }
    }

    func run() async throws {
        state.withLock { $0.isRunning = true }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.publish() }
                group.addTask { await self.endWaits() }
            }
        }
        state.withLock { $0.isRunning = false }
        close()
    }

    /// Ends all waits, and every later one immediately, because the server stops.
    func close() {
        waiting.close()
        waitingPartners.close()
    }

    private func publish() async {
        var failure: String?
        while !Task.isCancelled {
            await attempt("missing list not published", &failure) { _ = try await refresh() }
            try? await clock.sleep(for: Self.window)
            if failure == nil { await store.signals.missingList.wait(atMost: Self.longestSilence) }
        }
    }

    /// Ends the waits whose time is over or whose tokens were revoked, and trims the journal.
    private func endWaits() async {
        var failure: String?
        var (nextCheck, nextTrim) = (clock.now, clock.now)
        while !Task.isCancelled {
            waiting.expire(at: clock.now)
            waitingPartners.expire(at: clock.now)
            await attempt("missing list not maintained", &failure) {
                if clock.now >= nextCheck {
                    waiting.revoke(try await revoked(among: waiting.tokens))
                    waitingPartners.revoke(try await revoked(among: waitingPartners.tokens))
                    nextCheck = clock.now + revocationInterval
                }
                if clock.now >= nextTrim {
                    try await trimJournal()
                    nextTrim = clock.now + Self.trimInterval
                }
            }
            try? await clock.sleep(for: Self.tick)
        }
    }

    /// Runs an action and logs a persistent failure once.
    ///
    /// - Parameter failure: the last failure; nil after a success.
    private func attempt(
        _ message: Logger.Message, _ failure: inout String?, _ step: () async throws -> Void
    ) async {
        do {
            try await step()
            failure = nil
        } catch {
            // The program ends, which a database may report as another error.
            guard !Task.isCancelled else { return }
            if failure == nil { logger.error(message, metadata: ["reason": "\(error)"]) }
            failure = "\(error)"
        }
    }

    /// Trims the journal, which would otherwise grow forever.
    func trimJournal() async throws {
        let now = wallClock.now
        try await store.forgetMissingListChanges(before: now.advanced(by: .zero - Self.journal), now: now)
    }

    /// The tokens that are no longer valid.
    private func revoked(among tokens: [SecretDigest]) async throws -> Set<SecretDigest> {
        var revoked: Set<SecretDigest> = []
        for token in tokens {
            if try await store.credential(token: token) == nil { revoked.insert(token) }
        }
        return revoked
    }

    /// Publishes the store's version if it is new. Refreshes run one at a time, so that versions never go back; a
    /// refresh that began before this call may have missed the caller's write.
    func refresh() async throws -> PublishedList {
        while let earlier = state.withLock(\.refreshing) { _ = await earlier.result }
        let task = state.withLock { state in
            if let refreshing = state.refreshing { return refreshing }
            let task = Task { [latest = state.latest] in try await self.publishSuccessor(of: latest) }
            state.refreshing = task
            return task
        }
        return try await task.value
    }

    private func publishSuccessor(of latest: PublishedList?) async throws -> PublishedList {
        // Reset before this task ends: a caller that awaits it would otherwise find it again, forever.
        defer { state.withLock { $0.refreshing = nil } }
        let list = try await successor(of: latest)
        if list !== latest {
            state.withLock { $0.latest = list }
            waiting.wakeAll()
        }
        // An owner's choice changes what partners get, without a new version for stations.
        waitingPartners.wakeAll()
        return list
    }

    /// The store's version: the same if it has not changed, the next by its changes, or the whole list.
    private func successor(of latest: PublishedList?) async throws -> PublishedList {
        guard let latest else { return PublishedList(try await store.missingList()) }
        let version = try await store.missingListVersion()
        guard version != latest.version else { return latest }
        guard let changes = try await store.missingListChanges(since: latest.version, upTo: nil),
            let next = latest.applying(changes)
        else { return PublishedList(try await store.missingList()) }
        return next
    }
}

extension MissingListPublisher: CustomStringConvertible {
    /// The service's name in the log.
    var description: String { "missing list" }
}
