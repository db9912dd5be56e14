public import Logging
public import OperatingSystem
public import RegistryAPI
public import ServiceLifecycle

/// Judges again the sightings of stations that were moved, renamed or quarantined, and those of rotating beacons whose
/// clock has turned out to be different. It works in steps, so that others can write in between, and continues after a
/// restart where it stopped.
public struct StationJudgements: Service {
    private let store: any JudgementStore
    private let signal: WakeUp
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    /// The number of sightings that one transaction judges, so that none holds the database for long.
    private static let step = 100
    /// The pause between two transactions, in which others write.
    private static let breath = Duration.milliseconds(50)
    /// The pause after a failure of the store; otherwise the signal wakes the service.
    private static let pause = Duration.seconds(60)

    /// - Parameter signal: wakes the service when there is something to judge.
    public init(
        store: any JudgementStore,
        signal: WakeUp,
        clock: WallClock = .system,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.signal = signal
        self.clock = clock
        self.sleep = sleep
        self.logger = logger
    }

    public func run() async throws {
        while !Task.isShuttingDownGracefully && !Task.isCancelled {
            await judge()
            await cancelWhenGracefulShutdown { await signal.wait(atMost: Self.pause, sleep: sleep) }
        }
    }

    /// Judges until nothing is left or the service is to end.
    public func judge() async {
        do {
            while !Task.isShuttingDownGracefully && !Task.isCancelled,
                try await store.judgeAnew(limit: Self.step, at: clock.now)
            { try await sleep(Self.breath) }
        } catch {
            // Do not log this when the program ends.
            if !Task.isCancelled { logger.error("sightings cannot be judged again", metadata: ["error": "\(error)"]) }
        }
    }
}

/// Sightings that must be judged again.
public protocol JudgementStore: Sendable {
    /// Continues judging again the sightings of stations that were changed or quarantined, and stores the results.
    ///
    /// - Parameter limit: the maximum number of sightings to judge.
    /// - Returns: whether anything was left to judge.
    func judgeAnew(limit: Int, at time: Timestamp) async throws -> Bool
}
