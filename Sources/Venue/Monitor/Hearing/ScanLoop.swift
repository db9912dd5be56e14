import Beacons
public import Logging
public import OperatingSystem
public import Presence
public import RegistryAPI
public import Scanning
public import ServiceLifecycle
import StationStatus

/// Listens, matches beacons, tracks visits, and writes each change to the outbox.
///
/// It ends when its scanner ends, and then all visits end. If it is stopped earlier, the visits stay open on disk, and
/// the next run continues them.
public struct ScanLoop<Source: Scanner>: Service {
    private let scanner: Source
    private let list: CurrentList
    private let outbox: Outbox
    private let signal: WakeUp
    private let presence: PresenceConfiguration
    private let venue: Venue
    private let recoveries: @Sendable () async -> Int
    private let logger: Logger

    /// - Parameter recoveries: the recovery steps of all radios since the program started.
    public init(
        scanner: Source, list: CurrentList, outbox: Outbox, signal: WakeUp, presence: PresenceConfiguration,
        venue: Venue, recoveries: @escaping @Sendable () async -> Int = { 0 }, logger: Logger
    ) {
        self.scanner = scanner
        self.list = list
        self.outbox = outbox
        self.signal = signal
        self.presence = presence
        self.venue = venue
        self.recoveries = recoveries
        self.logger = logger
    }

    /// A loop over a capture or simulation that is played at a place, with a known wall time.
    public init(
        scanner: Source, list: CurrentList, outbox: Outbox, signal: WakeUp, presence: PresenceConfiguration,
        timeline: WallTimeline, place: Place?, logger: Logger
    ) {
        self.init(
            scanner: scanner, list: list, outbox: outbox, signal: signal, presence: presence,
            venue: Venue(
                clock: StationClock(.system(), playing: timeline),
                location: StationLocation(place.map { .fixed($0) } ?? .enrolled)), logger: logger)
    }

    public func run() async throws {
        let state = ScanState(presence: presence, venue: venue, logger: logger)
        let resumable = try await outbox.openVisits()
        var end = try await cancelWhenGracefulShutdown {
            try await withTaskExecutorPreference(scanner.executor) {
                try await listen(from: state, resuming: resumable)
            }
        }
        if let quarter = end.endMeasuring() { venue.coverage.add(quarter, recoveries: await recoveries()) }
        // Write what was heard even if this task is cancelled: the write runs in a separate task.
        let unwritten = end.unwritten.all
        do {
            try await Task { try await outbox.record(unwritten, asking: venue.policy == .ask) }.value
        } catch let error as OutboxError {
            throw error
        } catch {
            logger.error("changes of visits are lost with this stop", metadata: ["visits": "\(unwritten.count)"])
            throw outbox.failure(error)
        }
        signal.wake()
    }

    /// Listens until the scanner ends or the task is cancelled; returns the visits that are not on disk by then.
    private func listen(from start: ScanState, resuming resumable: [StationVisit]) async throws -> ScanState {
        var state = start
        do {
            for try await batch in try scanner.batches() {
                if state.now == nil { try state.resume(resumable, at: batch.time) }
                state.take(batch, missing: list)
                if let quarter = state.measure(batch, missing: list) {
                    venue.coverage.add(quarter, recoveries: await recoveries())
                }
                if state.unwritten.areDue(at: batch.time) { try await write(&state, at: batch.time) }
            }
            // Some sequences end when they are cancelled, which is not the end of the source.
            try Task.checkCancellation()
            state.finish()
        } catch is CancellationError {
            state.suspend()
        }
        return state
    }

    /// Writes the changes that are due. While the disk fails, changes are kept in memory and retried with the next
    /// batch.
    private func write(_ state: inout ScanState, at now: ScanInstant) async throws {
        do {
            try await outbox.record(state.unwritten.all, asking: venue.policy == .ask)
            state.unwritten.wrote(at: now)
            signal.wake()
            if state.isDiskFailing { logger.notice("the outbox can be written to again") }
            state.isDiskFailing = false
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as OutboxError {
            throw error  // damaged: the next start sets it aside
        } catch {
            if !state.isDiskFailing {
                logger.error(
                    "the outbox cannot be written to: free space on the disk", metadata: ["reason": "\(error)"])
                venue.events.send("outbox-failing", ["reason": "\(error)"])
            }
            state.isDiskFailing = true
        }
        venue.hearing.note(isDiskFailing: state.isDiskFailing, forgotten: state.unwritten.dropped)
    }
}

extension ScanLoop: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "scan loop" }
}
