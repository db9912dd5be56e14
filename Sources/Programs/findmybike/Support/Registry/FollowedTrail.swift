import CommandSupport
import RegistryAPI
import RegistryClient
import Synchronization
import Terminal

/// Streams the sightings of a report until the registry rejects the token, and reports when the connection is lost.
struct FollowedTrail: Sendable {
    let registry: RegistryConnection
    let report: ReportID
    let bike: BikeID
    /// Called with each new or changed sighting, in order.
    let take: @Sendable (Sighting) -> Void
    /// Called when the connection is lost or restored.
    let remark: @Sendable (String) -> Void

    /// The stream is reopened after this time; the registry sends a heartbeat every 15 seconds.
    private static let length = Duration.seconds(600)
    /// After this time without even a heartbeat, the connection counts as lost.
    private static let silence = Duration.seconds(60)

    /// Runs the stream, and resumes it after the last sighting whenever it ends.
    func run() async throws {
        let state = SharedState()
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            do {
                try await follow(state)
                // A registry that restarts ends its streams.
                try? await Task.sleep(for: .seconds(1))
            } catch let error as RegistryError where error.isTransient {
                // The stream has lived as long as it may: this is no outage.
                if begin.duration(to: .now) > Self.length - .seconds(5) { continue }
                noteLoss(error, state)
                try? await Task.sleep(for: error.retryAfter ?? .seconds(3))
            } catch is CancellationError {
                return
            }
        }
    }

    private struct State {
        /// The identifier of the last event, after which a new stream begins.
        var last: String?
        var outage = Outage()
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// Runs one stream to its end.
    private func follow(_ state: SharedState) async throws {
        try await registry.followSightings(
            of: report, on: bike, after: state.value.withLock(\.last), for: Self.length, silence: Self.silence,
            hear: { if let text = state.value.withLock({ $0.outage.heard() }) { remark(text) } },
            {
                let id = $1
                state.value.withLock { $0.last = id }
                take($0)
            })
    }

    private func noteLoss(_ error: RegistryError, _ state: SharedState) {
        if let text = state.value.withLock({ $0.outage.lost(at: .now, error) }) { remark(text) }
    }
}

/// The messages about a lost or restored connection, one for each change.
struct Outage {
    /// Nil while there is no outage.
    private var since: Timestamp?

    /// - Returns: the message; nil if the connection was lost before.
    mutating func lost(at time: Timestamp, _ error: RegistryError) -> String? {
        guard since == nil else { return nil }
        since = time
        return
            "no sightings since \(LocalTime.timeOfDay(time)), trying again: \(CommandFailure(error)?.message ?? "")"
    }

    /// - Returns: the message; nil if the connection was not lost.
    mutating func heard() -> String? {
        guard let since else { return nil }
        self.since = nil
        return "the registry is responding again; the sightings since \(LocalTime.timeOfDay(since)) follow"
    }
}
