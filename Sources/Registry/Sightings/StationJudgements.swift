public import Concurrency
public import Logging
import RegistryAPI
public import ServiceLifecycle

/// Judges again the sightings of stations that were moved, renamed or quarantined, and those of rotating beacons whose
/// clock has turned out to be different. It works in steps, between which others can write, and continues after a
/// restart from where it stopped.
public struct StationJudgements: Service {
    private let store: any StationStore
    private let signal: WakeUp
    private let trailSignal: TrailSignal
    private let alertSignal: WakeUp
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    /// The number of sightings that one transaction judges, so that none holds the database for long.
    private static let step = 100
    /// The pause after a failure of the store; otherwise the signal wakes the service.
    private static let pause = Duration.seconds(60)

    /// - Parameters:
    ///   - signal: wakes the service when there is something to judge.
    ///   - trailSignal: wakes the followers of a report.
    public init(
        store: any StationStore,
        signal: WakeUp,
        trailSignal: TrailSignal,
        alertSignal: WakeUp,
        clock: WallClock = .system,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        logger: Logger
    ) {
        self.store = store
        self.signal = signal
        self.trailSignal = trailSignal
        self.alertSignal = alertSignal
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
                let step = try await store.judgeAnew(limit: Self.step, at: clock.now)
            {
                trailSignal.wake(step.reports)
                if step.alerts > 0 { alertSignal.wake() }
            }
        } catch {
            // Not if the program ends.
            if !Task.isCancelled { logger.error("sightings cannot be judged again", metadata: ["error": "\(error)"]) }
        }
    }
}
