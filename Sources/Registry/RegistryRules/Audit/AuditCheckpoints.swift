public import Evidence
public import Logging
public import RegistryAPI
public import ServiceLifecycle

/// Signs the end of the audit every hour in which it has grown, and again when the registry stops.
///
/// Stop this service after every service that may append to the audit. Checkpoints are stored and logged: if the log
/// is sent to another machine, the operator of the database cannot take them back.
public struct AuditCheckpoints: Service {
    private let store: any CheckpointStore
    private let keyring: Keyring
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    /// The time between two checkpoints.
    public static let interval = Duration.seconds(3600)
    /// How often the service checks; also the wait before a checkpoint that could not be stored is made again.
    private static let pause = Duration.seconds(60)

    public init(
        store: any CheckpointStore,
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

    /// Signs the end, unless the last checkpoint has the same length or is younger than `age`.
    public func sign(after age: Duration) async {
        do {
            let now = clock.now
            let last = try await store.auditCheckpoints(PageRequest(limit: 1)).items.first
            let known = last.flatMap { Checkpoint($0.checkpoint) }
            // A clock that was set back must not delay the next checkpoint.
            if let known, (.zero..<age).contains(known.time.duration(to: now)) { return }
            let (checkpoint, signed) = try await store.signedEnd(by: keyring, at: now)
            guard checkpoint.length > known?.length ?? 0 else { return }
            try await store.keep(signed, length: checkpoint.length)
            log(checkpoint, signed)
        } catch {
            // When the program ends, the next start signs the end.
            if !Task.isCancelled { logger.error("the audit’s end cannot be signed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Logs every value in the signed text.
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

/// The end of the audit, and the checkpoints that were made of it.
public protocol CheckpointStore: Sendable {
    /// The index of the chain's last entry and its hash; 0 and ``HashValue/zero`` while there is none.
    func auditEnd() async throws -> (length: Int64, hash: HashValue)

    /// Stores a checkpoint permanently; has no effect if one of the same length is already stored.
    func keep(_ checkpoint: SignedCheckpoint, length: Int64) async throws

    /// The stored checkpoints, with the latest first; the cursor is a checkpoint's length.
    func auditCheckpoints(_ page: PageRequest<Int64>) async throws -> StoredPage<SignedCheckpoint, Int64>
}

extension CheckpointStore {
    /// The length and end of the audit, signed now.
    public func signedEnd(by keyring: Keyring, at time: Timestamp) async throws -> (Checkpoint, SignedCheckpoint) {
        let end = try await auditEnd()
        let checkpoint = Checkpoint(length: end.length, chain: end.hash, time: time, key: keyring.current.version)
        return (checkpoint, try checkpoint.signed(by: keyring))
    }
}
