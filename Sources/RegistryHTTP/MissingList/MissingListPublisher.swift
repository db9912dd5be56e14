import Logging
import MissingList
import NIOCore
import Registry
import ServiceLifecycle
import Synchronization

/// Keeps the latest version of the missing list ready, and wakes the stations that wait for it.
///
/// While it runs it asks the store for the version every quarter of a second, whoever changes the list: what changes
/// within that time makes one version, and ten thousand stations that come back at once cost the store nothing.
final class MissingListPublisher: Service {
    let waiting = WaitingStations()
    private let operations: RegistryOperations
    private let logger: Logger
    private let clock = ContinuousClock()
    private let revocationInterval: Duration
    private let state = Mutex(State())

    private struct State {
        var latest: PublishedList?
        var isRunning = false
        var refreshing: Task<PublishedList, any Error>?
    }

    static let window = Duration.milliseconds(250)
    private static let trimInterval = Duration.seconds(3600)

    /// - Parameter revocationInterval: how often the tokens of those who wait are looked up.
    init(operations: RegistryOperations, logger: Logger, revocationInterval: Duration = .seconds(20)) {
        self.operations = operations
        self.logger = logger
        self.revocationInterval = revocationInterval
    }

    /// Whether questions may wait.
    var isRunning: Bool { state.withLock(\.isRunning) }

    /// The version that stations are told: the one that was published last, for those who wait for the next. Others read
    /// what was written before they asked.
    func current(forWaiting isWaiting: Bool) async throws -> PublishedList {
        let (latest, isRunning) = state.withLock { ($0.latest, $0.isRunning) }
        if let latest, isRunning && isWaiting { return latest }
        if let latest, try await operations.missingListVersion() == latest.version { return latest }
        return try await refresh()
    }

    /// What makes a version of an earlier one; nil where the journal does not reach back so far.
    func delta(from base: ListVersion, to list: PublishedList) async throws -> ByteBuffer? {
        if let delta = list.delta(from: base) { return delta }
        let changes = try await operations.missingListChanges(since: base, upTo: list.version)
        return changes.flatMap { list.delta($0) }
    }

    func run() async throws {
        state.withLock { $0.isRunning = true }
        try? await cancelWhenGracefulShutdown { try await self.publish() }
        state.withLock { $0.isRunning = false }
        waiting.close()
    }

    private func publish() async throws {
        var isFailing = false
        var (nextCheck, nextTrim) = (clock.now, clock.now)
        while true {
            do {
                _ = try await refresh()
                waiting.expire(at: clock.now)
                if clock.now >= nextCheck {
                    try await endRevokedWaits()
                    nextCheck = clock.now + revocationInterval
                }
                if clock.now >= nextTrim {
                    try await operations.trimMissingListJournal()
                    nextTrim = clock.now + Self.trimInterval
                }
                isFailing = false
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                if !isFailing { logger.error("missing list not published", metadata: ["reason": "\(error)"]) }
                isFailing = true
            }
            try await clock.sleep(for: Self.window)
        }
    }

    /// Publishes the store's version if it is new. One refresh at a time, so that versions never go back; one that began
    /// before this call may have missed what the caller has written.
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
        // Before this task ends: who waits for its end would otherwise find it again, without end.
        defer { state.withLock { $0.refreshing = nil } }
        let list = try await successor(of: latest)
        if list !== latest {
            state.withLock { $0.latest = list }
            waiting.wakeAll()
        }
        return list
    }

    private func successor(of latest: PublishedList?) async throws -> PublishedList {
        guard let latest else { return PublishedList(try await operations.missingList()) }
        let version = try await operations.missingListVersion()
        guard version != latest.version else { return latest }
        guard let changes = try await operations.missingListChanges(since: latest.version, upTo: nil),
            let next = latest.applying(changes)
        else { return PublishedList(try await operations.missingList()) }
        // Ready before the stations that wait, which all have the version before, are woken.
        _ = next.delta(changes)
        return next
    }

    /// Ends the waits whose tokens do not hold any more.
    private func endRevokedWaits() async throws {
        waiting.revoke(try await operations.revoked(among: waiting.tokens))
    }
}

extension MissingListPublisher: CustomStringConvertible {
    /// The service's name in the log.
    var description: String { "missing list" }
}
