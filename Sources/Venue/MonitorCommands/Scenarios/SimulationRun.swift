import Beacons
import Foundation
import HTTPClient
public import MissingList
public import Monitor
import RegistryAPI
public import RegistryClient
public import Scanning
public import Simulation
import Synchronization

/// One run of a scenario: passes every request through the scenario's network, and records the registry's responses.
public final class SimulationRun: Sendable {
    /// A visit that the registry has stored.
    private struct Known {
        var visit: Visit
        /// The scenario's time at which the registry first stored it; nil if it is played without a clock.
        var answered: ScanInstant?
        /// The stay that it continues, under another identity of its beacon.
        var continues: StayID?
    }

    private struct State {
        var network: SimulatedNetwork
        /// When the scenario began; nil before.
        var began: ContinuousClock.Instant?
        var counts = SimulationSummary.Network()
        var stored: [VisitID: Known] = [:]
    }

    private let scenario: Scenario
    /// The factor of the speed; nil without a clock.
    private let speed: Double?
    private let timeline: WallTimeline
    private let state: Mutex<State>

    public init(_ scenario: Scenario, pacing: Pacing, timeline: WallTimeline) {
        self.scenario = scenario
        speed = pacing.speed
        self.timeline = timeline
        state = Mutex(State(network: SimulatedNetwork(scenario)))
    }

    /// Begins the scenario; before this call the network is unchanged.
    public func begin() {
        state.withLock { $0.began = .now }
    }

    /// A clock in the scenario's time, for pauses: at 20 times the speed the reporter waits a twentieth.
    public var clock: any Clock<Duration> { speed.map { HastenedClock(speed: $0) } ?? ContinuousClock() }

    /// The scenario's network as a transport.
    public var transport: RegistryConnection.Transport {
        { [self] send in
            let fate = drawFate()
            if fate.delay > .zero { try await clock.sleep(for: fate.delay) }
            // libcurl-errors(3): CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT.
            if fate.outcome == .lost { throw HTTPError.transfer(code: 7, message: "the simulated network is down") }
            let response = try await send()
            if fate.outcome == .unanswered {
                throw HTTPError.transfer(code: 28, message: "the simulated network lost the answer")
            }
            return response
        }
    }

    /// A receiver that passes visits to the registry and records its responses.
    public func listening(to registry: RegistryConnection) -> any VisitReceiver {
        Listener(run: self, registry: registry)
    }

    /// The summary; nil if the run was stopped before the scenario's end, since the rest cannot have been reported.
    ///
    /// - Parameter silence: the silence that ends a visit.
    public func summary(_ list: MissingIdentities, silence: Duration) -> SimulationSummary? {
        if let now = state.withLock({ now($0.began) }), now < scenario.end { return nil }
        let (known, counts) = state.withLock { ($0.stored.values.sorted { $0.visit.id < $1.visit.id }, $0.counts) }
        let names = scenario.rotatingIdentities
        let reported = known.map { known in
            let first = timeline.instant(of: known.visit.firstSeen)
            return ReportedVisit(
                identity: names[known.visit.identity] ?? known.visit.identity,
                stay: "\(known.continues ?? known.visit.stay)",
                heard: first...max(first, timeline.instant(of: known.visit.lastSeen)))
        }
        return SimulationSummary(
            scenario, Comparison(scenario.truth, reported, tolerance: Comparison.Tolerance(silence: silence)),
            reported: reported.count,
            delays: zip(known, reported).compactMap { known, reported in
                known.answered.map { max(.zero, reported.heard.lowerBound.duration(to: $0)) }
            },
            network: counts, isListed: list.contains)
    }

    /// The current time of the scenario; nil if it is played without a clock.
    private func now(_ began: ContinuousClock.Instant?) -> ScanInstant? {
        guard let began, let speed else { return nil }
        return scenario.start.advanced(by: began.duration(to: .now) * speed)
    }

    /// Draws what becomes of the next request, and counts it.
    private func drawFate() -> RequestFate {
        state.withLock { state in
            guard let now = now(state.began) else { return .carried }
            let fate = state.network.fate(at: now)
            switch fate.outcome {
            case .carried: break
            case .lost: state.counts.lost += 1
            case .unanswered: state.counts.unanswered += 1
            }
            if fate.delay > .zero { state.counts.delayed += 1 }
            return fate
        }
    }

    /// Records the visits that the registry has stored.
    fileprivate func note(_ visits: [Visit], _ results: [VisitResult]) {
        state.withLock { state in
            for (visit, result) in zip(visits, results) where result.result == .stored {
                let answered = state.stored[visit.id]?.answered ?? now(state.began)
                state.stored[visit.id] = Known(visit: visit, answered: answered, continues: result.continues)
            }
        }
    }
}

/// A receiver of visits that records each response.
private struct Listener: VisitReceiver {
    let run: SimulationRun
    let registry: RegistryConnection

    func report(_ batch: VisitBatch) async throws -> VisitBatchResult {
        let answer = try await registry.report(batch)
        run.note(batch.visits, answer.results)
        return answer
    }
}

/// A clock on which each sleep is shorter.
private struct HastenedClock: Clock {
    let speed: Double
    private let clock = ContinuousClock()

    init(speed: Double) { self.speed = speed }

    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let now = clock.now
        try await clock.sleep(until: now.advanced(by: now.duration(to: deadline) / speed), tolerance: tolerance)
    }
}
