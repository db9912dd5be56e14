public import Logging
import MissingList
import RegistryAPI
public import RegistryClient
public import ServiceLifecycle

/// Keeps the missing list: from disk at start, from the registry every so often.
public struct ListSync: Service {
    private let registry: RegistryConnection
    private let list: CurrentList
    private let cache: ListCache
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// - Parameters:
    ///   - cachePath: where the list is kept between runs.
    ///   - interval: time between two questions to the registry.
    public init(
        registry: RegistryConnection,
        list: CurrentList,
        cachePath: String,
        interval: Duration,
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.registry = registry
        self.list = list
        cache = ListCache(path: cachePath)
        self.interval = interval
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await keepInSync() }
    }

    private func keepInSync() async throws {
        var generator = SystemRandomNumberGenerator()
        let policy = RetryPolicy(base: .seconds(2), ceiling: interval)
        var failures = 0
        while true {
            var wait = interval
            do {
                try await refresh()
                failures = 0
            } catch let error as RegistryError {
                failures += 1
                wait =
                    policy.delay(afterFailures: failures, retryAfter: error.retryAfter, using: &generator) ?? interval
                logger.warning("missing list not updated", metadata: ["reason": "\(error)", "retryIn": "\(wait)"])
            }
            try await clock.sleep(for: wait)
        }
    }

    /// Loads the list of the last run, if there is one.
    public func restore() {
        guard let entry = cache.read() else { return }
        list.replace(with: MissingIdentities(version: entry.document.version, identities: entry.document.identities))
        logger.info("missing list restored", metadata: ["version": "\(entry.document.version)"])
    }

    /// Asks the registry once.
    public func refresh() async throws {
        // The tag on disk belongs to the list in memory: both are replaced together.
        let entityTag = cache.read()?.entityTag
        guard case .changed(let document, let newTag) = try await registry.missingList(unless: entityTag) else {
            return
        }
        list.replace(with: MissingIdentities(version: document.version, identities: document.identities))
        logger.info(
            "missing list updated",
            metadata: ["version": "\(document.version)", "missing": "\(document.identities.count)"]
        )
        do {
            try cache.write(ListCache.Entry(entityTag: newTag, document: document))
        } catch {
            // The list in memory serves; only a restart without a network would miss it.
            logger.error("missing list not kept on disk", metadata: ["reason": "\(error)", "path": "\(cache.path)"])
        }
    }
}

extension ListSync: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "list sync" }
}
