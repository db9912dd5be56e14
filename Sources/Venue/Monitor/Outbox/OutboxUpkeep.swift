public import Logging
public import OperatingSystem
import RegistryAPI
public import ServiceLifecycle

/// Completes visits that are waiting for a wall time, a place or an answer, and drops those that have waited too long.
public struct OutboxUpkeep: Service {
    /// The time between two rounds.
    static let interval = Duration.seconds(10)
    /// The number of rounds between checks for old visits: ten minutes.
    private static let roundsToExpiry = 60

    private let outbox: Outbox
    private let venue: Venue
    private let signal: WakeUp
    private let clock: any Clock<Duration>
    private let logger: Logger

    public init(
        outbox: Outbox, venue: Venue, signal: WakeUp, clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.outbox = outbox
        self.venue = venue
        self.signal = signal
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var round = 0
            while true {
                if round % Self.roundsToExpiry == 0 { await attempt { try await outbox.expire(venue.clock) } }
                await attempt { try await attach() }
                round += 1
                try await clock.sleep(for: Self.interval)
            }
        }
    }

    /// Restores the wall time known from an earlier run. Call it before the scan loop resumes its visits. If the disk
    /// is full, ``run()`` writes the rest later.
    public func prepare() async throws {
        venue.clock.restore(try await outbox.anchor(), earliest: try await outbox.earliest())
        do {
            if let anchor = venue.clock.anchor { try await outbox.attachTimes(anchor) }
            if let earliest = venue.clock.earliest { try await outbox.keep(earliest: earliest) }
        } catch let error as OutboxError {
            throw error
        } catch {
            logger.warning("the outbox cannot be written to: free space on the disk", metadata: ["reason": "\(error)"])
        }
        if !venue.clock.isCertain {
            logger.warning("the clock is not synchronised yet: visits are reported with their age instead of a time")
        }
    }

    /// Checks clock and place once, and completes the visits that wait for them.
    func attach() async throws {
        let wasCertain = venue.clock.isCertain
        venue.clock.observe()
        var changed = 0
        if let anchor = venue.clock.anchor { changed += try await outbox.attachTimes(anchor) }
        if let earliest = venue.clock.earliest { try await outbox.keep(earliest: earliest) }
        if !wasCertain, venue.clock.isCertain {
            logger.notice("the clock is synchronised", metadata: ["time": "\(venue.clock.wallTime)"])
            venue.events.send("clock-synchronised")
        }
        if let place = venue.location.place(at: venue.clock.now) {
            changed += try await outbox.attachPlace(place)
        }
        if changed > 0 { signal.wake() }
    }

    /// Runs a step; if it fails, it is retried in the next round. The scan loop reports disk failures.
    private func attempt(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch is CancellationError {
            return
        } catch {
            logger.debug("upkeep of the outbox failed", metadata: ["reason": "\(error)"])
        }
    }
}

extension OutboxUpkeep: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "outbox upkeep" }
}
