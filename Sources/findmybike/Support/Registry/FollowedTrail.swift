import CommandLines
import RegistryAPI
import RegistryClient
import Synchronization
import Terminal

/// Follows the sightings of a report for as long as the registry takes the token, and says when it cannot hear of any.
struct FollowedTrail: Sendable {
    let registry: RegistryConnection
    let report: ReportID
    let bike: BikeID
    /// Told of each sighting that is new or has changed, in order.
    let take: @Sendable (Sighting) -> Void
    /// Told of a connection that is lost or back.
    let remark: @Sendable (String) -> Void

    /// A stream is asked for again after this time; the registry's heart beats every 15 seconds.
    private static let length = Duration.seconds(600)
    private static let silence = Duration.seconds(60)

    /// Resumes where a stream ended.
    func run() async throws {
        let state = SharedState()
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            do {
                try await follow(state)
                // A registry that restarts ends its streams.
                try? await Task.sleep(for: .seconds(1))
            } catch let error as RegistryError where error.isTransient {
                if begin.duration(to: .now) > Self.length - .seconds(5) { continue }
                lost(error, state)
                try? await Task.sleep(for: error.retryAfter ?? .seconds(3))
            } catch is CancellationError {
                return
            }
        }
    }

    private struct State {
        var last: String?
        var outage = Outage()
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

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

    private func lost(_ error: RegistryError, _ state: SharedState) {
        if let text = state.value.withLock({ $0.outage.lost(at: .now, error) }) { remark(text) }
    }
}

/// Reports each loss and each return of a connection once.
struct Outage {
    private var since: Timestamp?

    mutating func lost(at time: Timestamp, _ error: RegistryError) -> String? {
        guard since == nil else { return nil }
        since = time
        return
            "no sightings arrive since \(LocalTime.timeOfDay(time)), trying again: \(CommandFailure(error)?.message ?? "")"
    }

    mutating func heard() -> String? {
        guard let since else { return nil }
        self.since = nil
        return "the registry answers again; what came since \(LocalTime.timeOfDay(since)) follows"
    }
}
