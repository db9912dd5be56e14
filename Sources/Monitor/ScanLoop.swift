import Beacons
public import Logging
public import Presence
public import RegistryAPI
public import Scanning
public import ServiceLifecycle

/// Listens, matches, follows visits, and puts each change into the outbox.
///
/// It ends when its scanner does, with all visits ended. Stopped earlier, it leaves the visits open on disk, and the next
/// run goes on with them.
public struct ScanLoop<Source: Scanner>: Service {
    private let scanner: Source
    private let list: CurrentList
    private let outbox: Outbox
    private let signal: ReportSignal
    private let presence: PresenceConfiguration
    private let timeline: WallTimeline
    private let place: Place?
    private let logger: Logger

    public init(
        scanner: Source, list: CurrentList, outbox: Outbox, signal: ReportSignal, presence: PresenceConfiguration,
        timeline: WallTimeline, place: Place?, logger: Logger
    ) {
        self.scanner = scanner
        self.list = list
        self.outbox = outbox
        self.signal = signal
        self.presence = presence
        self.timeline = timeline
        self.place = place
        self.logger = logger
    }

    public func run() async throws {
        let state = State(presence: presence, timeline: timeline, place: place, logger: logger)
        let resumable = try await outbox.openVisits()
        let end = try await cancelWhenGracefulShutdown { try await listen(from: state, resuming: resumable) }
        // Also when this task is cancelled, what was heard goes to the disk: the write runs in a task of its own.
        try await Task { try await outbox.record(end.unrecorded) }.value
        signal.send()
    }

    private struct State: Sendable {
        var session: ScanSession<SystemRandomNumberGenerator>
        var log: ScanLog
        /// Changes that are not on disk yet, oldest first.
        var unrecorded: [Visit] = []
        var isDiskFailing = false

        init(presence: PresenceConfiguration, timeline: WallTimeline, place: Place?, logger: Logger) {
            session = ScanSession(presence: presence, timeline: timeline, place: place, generator: .init())
            log = ScanLog(logger)
        }

        mutating func add(_ changes: [ScanSession<SystemRandomNumberGenerator>.Change]) {
            for change in changes {
                log.changed(change.kind, change.visit)
                unrecorded.append(change.visit)
            }
        }
    }

    /// Listens until the scanner ends or the task is cancelled; returns what is not on disk by then.
    private func listen(from start: State, resuming resumable: [Visit]) async throws -> State {
        var state = start
        var now: ScanInstant?
        do {
            for try await batch in try scanner.batches() {
                if now == nil { try state.session.resume(resumable, at: batch.time) }
                now = batch.time
                state.add(
                    state.session.take(batch, missing: list.identities) { state.log.heard($0, rssi: $1, isMissing: $2) }
                )
                try await record(&state)
            }
            // Some sequences end when they are cancelled: that is no end of the source.
            try Task.checkCancellation()
            if let now { state.add(state.session.finish(at: now)) }
        } catch is CancellationError {
            state.unrecorded += state.session.openVisits()
        }
        return state
    }

    /// Writes what is due. While the disk fails, changes are kept in memory and tried again with the next batch.
    private func record(_ state: inout State) async throws {
        guard !state.unrecorded.isEmpty else { return }
        do {
            try await outbox.record(state.unrecorded)
            state.unrecorded.removeAll()
            signal.send()
            if state.isDiskFailing { logger.notice("the outbox can be written again") }
            state.isDiskFailing = false
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            if !state.isDiskFailing {
                logger.error("the outbox cannot be written: free the disk", metadata: ["reason": "\(error)"])
            }
            state.isDiskFailing = true
        }
    }
}

extension ScanLoop: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "scan loop" }
}
