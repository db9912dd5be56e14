import Foundation
import HTTPClient
public import Logging
public import MissingList
import OperatingSystem
public import RegistryClient
import Scanning
public import ServiceLifecycle
import Synchronization

/// Maintains the missing list: loads it from disk at start, then requests it from the registry, which responds when it
/// changes.
public struct ListSync: Service {
    /// The state of the requests.
    public let status = ListStatus()
    private let registry: RegistryConnection
    private let list: CurrentList
    private let files: ListFiles
    private let wait: Duration
    private let limit: Int
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let memory = Memory()

    /// State that one request leaves for the next.
    private final class Memory: Sendable {
        /// Whether the full list must be requested.
        let needsAll = Mutex(true)
        let lastTouch = Mutex(ContinuousClock.now)
    }

    /// The mean pause before the next request. It is randomised each time, so that stations do not synchronise after a
    /// change.
    private static let rest = Duration.seconds(5)
    /// How often the age of the list on disk is updated.
    private static let touchInterval = Duration.seconds(3600)

    /// - Parameters:
    ///   - registry: a connection that nothing else uses, since a request may wait for minutes.
    ///   - path: the file in which the list is kept between runs.
    ///   - wait: how long the registry may wait for a change before it responds.
    ///   - limit: the maximum number of entries; a longer list is rejected, and the current list stays.
    ///   - observe: called at each step of writing; for tests.
    public init(
        registry: RegistryConnection,
        list: CurrentList,
        path: String,
        wait: Duration,
        limit: Int = MissingIdentities.maximumCount,
        clock: any Clock<Duration> = ContinuousClock(),
        observe: @escaping @Sendable (ListFileStep) -> Void = { _ in },
        logger: Logger
    ) {
        self.registry = registry
        self.list = list
        files = ListFiles(path: path, limit: limit, observe: observe)
        self.wait = wait
        self.limit = limit
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await keepInSync() }
    }

    /// Requests the list again and again, until the task is cancelled.
    private func keepInSync() async throws {
        var generator = SystemRandomNumberGenerator()
        let policy = RetryPolicy(base: .seconds(2), ceiling: .seconds(60))
        var failures = 0
        var outage = OutageLog()
        var wait = PollWait(wait)
        while true {
            var pause = Self.rest * Double.random(in: 0...1, using: &generator)
            let start = ContinuousClock.now
            do {
                let isNew = try await ask(wait: wait.duration)
                wait.succeeded()
                if outage.succeeded() { logger.notice("the registry answers requests for the missing list again") }
                // If a registry is stopping, or a proxy does not wait, do not poll it without a pause.
                let isEarly = !isNew && start.duration(to: .now) < wait.duration / 2
                failures = isEarly ? failures + 1 : 0
                if isEarly, let delay = policy.delay(afterFailures: failures, using: &generator) { pause = delay }
            } catch let error as RegistryError {
                failures += 1
                if wait.failed(error, after: start.duration(to: .now)) {
                    failures = 1
                    logger.notice(
                        "long polls are cut off on the way to the registry: they wait less from now on",
                        metadata: [
                            "wait": "\(wait.duration)", "remedy": "a longer read timeout at the registry’s proxy",
                        ])
                }
                pause =
                    policy.delay(afterFailures: failures, retryAfter: error.retryAfter, using: &generator) ?? pause
                if outage.failed("\(error)", at: BootClock.now()) {
                    logger.warning("missing list not updated", metadata: ["reason": "\(error)", "retryIn": "\(pause)"])
                }
            }
            try await clock.sleep(for: pause)
        }
    }

    /// Loads the list of the last run, if there is one.
    public func restore() {
        guard let (restored, written) = files.read() else { return }
        let age = -written.timeIntervalSinceNow
        // If the clock is behind the file's time, the age is unknown.
        list.replace(with: restored, age: age >= 0 ? .seconds(age) : nil)
        memory.needsAll.withLock { $0 = false }
        logger.info(
            "missing list restored",
            metadata: ["version": "\(restored.version.number)", "missing": "\(restored.count)"]
        )
    }

    /// Requests the list once, without waiting for a change, and uses the response.
    public func refresh() async throws {
        _ = try await ask(wait: .zero)
    }

    /// Requests the list once.
    ///
    /// - Parameter wait: how long the registry may wait for a change.
    /// - Returns: whether the list changed.
    private func ask(wait: Duration) async throws -> Bool {
        let known = memory.needsAll.withLock { $0 } ? nil : list.identities.version
        do {
            let answer = try await registry.missingList(after: known, wait: known == nil ? .zero : wait)
            if case .changed(let bytes) = answer { try take(bytes) }
            status.succeeded()
            guard case .unchanged = answer else { return true }
            list.confirm()
            save { () throws(FileFailure) in try files.writePostponed(list.identities) }
            touch()
            return false
        } catch let error as RegistryError {
            let error = Self.named(error)
            status.failed(error)
            throw error
        }
    }

    /// The error, with its remedy if the response was too long.
    private static func named(_ error: RegistryError) -> RegistryError {
        guard case .unreachable(.responseTooLarge(limit: let limit)) = error else { return error }
        return .malformedAnswer(
            "the list takes more than \(limit) bytes: if so many bikes are missing, raise list.maximumEntries")
    }

    /// Applies a list or a change, completely or not at all.
    private func take(_ bytes: [UInt8]) throws(RegistryError) {
        do {
            let (next, isFull) = try read(bytes, after: list.identities)
            list.replace(with: next)
            memory.needsAll.withLock { $0 = false }
            logger.info(
                "missing list updated", metadata: ["version": "\(next.version.number)", "missing": "\(next.count)"]
            )
            keep(bytes, next, isFull: isFull)
        } catch {
            memory.needsAll.withLock { $0 = true }
            throw .malformedAnswer("\(error)")
        }
    }

    /// The list that a response makes, and whether it was a full one.
    private func read(
        _ bytes: [UInt8], after list: MissingIdentities
    ) throws(ListCodingError) -> (MissingIdentities, isFull: Bool) {
        switch try ListMessage(bytes, limit: limit) {
        case .full(let full): (full, true)
        case .delta(let delta): (try list.applying(delta), false)
        }
    }

    /// Keeps a response on disk.
    ///
    /// - Parameter list: the list that it makes.
    private func keep(_ bytes: [UInt8], _ list: MissingIdentities, isFull: Bool) {
        save { () throws(FileFailure) in
            if isFull { try files.replace(with: bytes) } else { try files.append(bytes, making: list) }
        }
    }

    /// Runs a write. If it fails, the program continues.
    private func save(_ write: () throws(FileFailure) -> Void) {
        do {
            try write()
        } catch {
            // The list in memory is used; only a restart without a network would lack it.
            logger.error("missing list not saved: free space on the disk", metadata: ["reason": "\(error)"])
        }
    }

    /// Updates the age of the list on disk, if it was not done lately.
    private func touch() {
        let isDue = memory.lastTouch.withLock { last in
            guard last.duration(to: .now) >= Self.touchInterval else { return false }
            last = .now
            return true
        }
        if isDue { files.touch() }
    }
}

extension ListSync: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "list sync" }
}
