import Foundation
import HTTPClient
import OperatingSystem
import RegistryAPI
import RegistryClient
import RegistryRules
import Synchronization

@testable import Monitor

/// An in-process registry with the real rules for times, merging and refusals, and scripted failures.
final class RegistryModel: VisitReceiver {
    /// The outcome of a report.
    enum Fate: CaseIterable {
        case answered
        /// Nothing arrives.
        case lostOnTheWay
        /// Everything is stored, and the response is lost.
        case answerLost
        case failing
        case slowDown
        case tooLarge
        /// The line is too slow for the batch.
        case tooSlow
        case unauthorised
    }

    struct State {
        var visits: [VisitID: Visit] = [:]
        /// The number of responses that called each visit new.
        var insertions: [VisitID: Int] = [:]
        var reports = 0
        var largest = 0
        /// The number of reports that partners may get.
        var forPartners = 0
        var received: [Visit] = []
    }

    /// Signalled at each report, whatever its outcome.
    let reported = WakeUp()

    private let state = Mutex(State())
    private let now: @Sendable () -> Timestamp
    private let fate: @Sendable ([Visit]) -> Fate
    private let lookFor: BikeAppearance?
    private let continuing: [VisitID: StayID]

    /// - Parameters:
    ///   - lookFor: what stations may look for; nil if the owners have not agreed.
    ///   - continuing: the stays that visits go on with, under another identity of their beacon.
    init(
        now: @escaping @Sendable () -> Timestamp, lookFor: BikeAppearance? = nil,
        continuing: [VisitID: StayID] = [:],
        fate: @escaping @Sendable ([Visit]) -> Fate = { _ in .answered }
    ) {
        self.now = now
        self.lookFor = lookFor
        self.continuing = continuing
        self.fate = fate
    }

    var current: State { state.withLock(\.self) }

    func report(_ batch: VisitBatch) async throws -> VisitBatchResult {
        let visits = batch.visits
        let fate = fate(visits)
        state.withLock { state in
            state.reports += 1
            state.largest = max(state.largest, visits.count)
            if batch.partners != false { state.forPartners += 1 }
        }
        defer { reported.wake() }
        switch fate {
        case .lostOnTheWay: throw RegistryError.unreachable(.transfer(code: 7, message: "refused"))
        case .tooSlow: throw RegistryError.unreachable(.transfer(code: 28, message: "Timeout was reached"))
        case .failing: throw RegistryError.unexpectedStatus(503, retryAfter: nil)
        case .slowDown: throw RegistryError.unexpectedStatus(429, retryAfter: .seconds(5))
        case .tooLarge: throw RegistryError.unexpectedStatus(413, retryAfter: nil)
        case .unauthorised: throw RegistryError.unexpectedStatus(401, retryAfter: nil)
        case .answered, .answerLost:
            let results = visits.map(take)
            if fate == .answerLost { throw RegistryError.unreachable(.transfer(code: 56, message: "reset")) }
            return VisitBatchResult(results: results)
        }
    }

    private func take(_ told: Visit) -> VisitResult {
        let visit = SightingRules.dated(told, received: now())
        let errors = SightingRules.refusals(of: visit, now: now())
        return state.withLock { state in
            state.received.append(told)
            guard errors.isEmpty else { return VisitResult(id: visit.id, result: .invalid, errors: errors) }
            if let known = state.visits[visit.id] {
                state.visits[visit.id] = known.merged(with: visit)
            } else {
                state.visits[visit.id] = visit
                state.insertions[visit.id, default: 0] += 1
            }
            return VisitResult(id: visit.id, result: .stored, lookFor: lookFor, continues: continuing[visit.id])
        }
    }
}
