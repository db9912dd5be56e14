public import Concurrency
public import Logging
import RegistryAPI
public import ServiceLifecycle

/// Looks after what visits wait for: wall time, a place, an answer; and after what has waited too long.
public struct OutboxUpkeep: Service {
    static let interval = Duration.seconds(10)
    /// Rounds after which old visits are looked for: ten minutes.
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

    /// Takes up what is known of wall time from an earlier run; before the scan loop takes up its visits.
    public func prepare() async throws {
        venue.clock.restore(try await outbox.anchor())
        if let anchor = venue.clock.anchor { try await outbox.attachTimes(anchor) }
        if !venue.clock.isCertain {
            logger.warning("the clock is not synchronised yet: visits are told by how long ago they were")
        }
    }

    /// One look at clock and place.
    func attach() async throws {
        let wasCertain = venue.clock.isCertain
        venue.clock.observe()
        var changed = 0
        if let anchor = venue.clock.anchor { changed += try await outbox.attachTimes(anchor) }
        if !wasCertain, venue.clock.isCertain {
            logger.notice("the clock is synchronised", metadata: ["time": "\(venue.clock.wallTime)"])
            venue.events.send("clock-synchronised")
        }
        if let place = venue.location.place(at: venue.clock.now) {
            changed += try await outbox.attachPlace(place)
        }
        if changed > 0 { signal.wake() }
    }

    /// The scan loop reports a disk that fails; upkeep is tried again.
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
