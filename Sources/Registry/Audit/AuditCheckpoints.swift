public import Evidence
public import Logging
import RegistryAPI
public import ServiceLifecycle

/// Signs the audit's end every hour in which it has grown, and once more when the registry stops.
///
/// To be stopped after everything that may append to the audit. What it signs is kept in the store and logged: a log that
/// goes to another machine holds checkpoints that the operator of the database cannot take back.
public struct AuditCheckpoints: Service {
    private let store: any AuditStore
    private let keyring: Keyring
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    /// From one checkpoint to the next.
    public static let interval = Duration.seconds(3600)
    /// How often it looks; a checkpoint that could not be kept is made again after as long.
    private static let pause = Duration.seconds(60)

    public init(
        store: any AuditStore,
        keyring: Keyring,
        clock: WallClock = .system,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.keyring = keyring
        self.clock = clock
        self.sleep = sleep
        self.logger = logger
    }

    public func run() async throws {
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            await sign(after: Self.interval)
            try? await cancelWhenGracefulShutdown { try await sleep(Self.pause) }
        }
        if !Task.isCancelled { await sign(after: .zero) }
    }

    /// Signs the end, unless the last checkpoint is of the same length or younger than a time.
    public func sign(after age: Duration) async {
        do {
            let now = clock.now
            let last = try await store.auditCheckpoints(PageRequest(limit: 1)).items.first
            let known = last.flatMap { Checkpoint($0.checkpoint) }
            // A clock that was set back must not put the next one off.
            if let known, (.zero..<age).contains(known.time.duration(to: now)) { return }
            let (checkpoint, signed) = try await store.signedEnd(by: keyring, at: now)
            guard checkpoint.length > known?.length ?? 0 else { return }
            try await store.keep(signed, length: checkpoint.length)
            log(checkpoint, signed)
        } catch {
            logger.error("the audit’s end cannot be signed", metadata: ["error": "\(error)"])
        }
    }

    /// All that the signed text is made of.
    private func log(_ checkpoint: Checkpoint, _ signed: SignedCheckpoint) {
        logger.info(
            "audit checkpoint",
            metadata: [
                "length": "\(checkpoint.length)", "chain": "\(checkpoint.chain)", "time": "\(checkpoint.time)",
                "key": "\(checkpoint.key)", "signature": "\(signed.signature)",
            ]
        )
    }
}
