import Logging
package import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Records a batch, each visit separately.
    ///
    /// - Parameter partners: who gets the visits that are on their lists, too; nil for visits that came from a partner.
    package func record(
        _ batch: VisitBatchReading, by station: StationID, forwardingTo partners: PartnerExchange? = nil
    ) async throws -> VisitBatchResult {
        let now = clock.now
        let dated = try await datedBySlots(
            batch.entries.enumerated().map { Self.date($1, index: $0, now: now) }, batch, at: now)
        let visits = dated.compactMap(\.visit)
        var request = RecordRequest(visits, by: station, at: now, using: entropy)
        let ticket = partners?.ticket(for: visits, of: station)
        request.forwards = ticket?.forwards ?? []
        let recorded = visits.isEmpty ? [] : try await store.record(request)
        log(visits, recorded, station)
        let results = VisitBatchResult(results: try results(dated, recorded))
        guard let partners, let ticket else { return results }
        return await partners.completed(results, ticket)
    }

    /// The store did not return a result for each visit. With an invented result, the station would forget its visit.
    private struct IncompleteAnswer: Error {}

    /// A visit to record, or the result that it gets without being recorded.
    enum Dated {
        case acceptable(Visit, index: Int)
        case refused(VisitResult)

        var visit: Visit? { if case .acceptable(let visit, _) = self { visit } else { nil } }
    }

    private static func date(_ entry: VisitBatchReading.Entry, index: Int, now: Timestamp) -> Dated {
        switch entry {
        case .invalid(let id, let errors):
            return .refused(VisitResult(id: id, result: .invalid, errors: errors))
        case .visit(let told):
            let visit = SightingRules.dated(told, received: now)
            let errors = SightingRules.refusals(of: visit, now: now).map {
                FieldError(pointer: "/visits/\(index)\($0.pointer)", detail: $0.detail)
            }
            guard errors.isEmpty else {
                return .refused(VisitResult(id: visit.id, result: .invalid, errors: errors))
            }
            return .acceptable(SightingRules.withoutFuture(visit, received: now), index: index)
        }
    }

    /// Judges again the visits whose own times are unreliable, but whose rotating beacon shows the time.
    private func datedBySlots(
        _ judged: [Dated], _ batch: VisitBatchReading, at now: Timestamp
    ) async throws -> [Dated] {
        var doubtful: [(index: Int, visit: Visit, isReckoned: Bool)] = []
        for (index, (judged, entry)) in zip(judged, batch.entries).enumerated() {
            guard case .visit(let told) = entry else { continue }
            let isReckoned = told.secondsAgo != nil
            switch judged {
            case .refused: doubtful.append((index, SightingRules.dated(told, received: now), isReckoned))
            case .acceptable(let visit, _) where visit.timeUncertain == true:
                doubtful.append((index, visit, isReckoned))
            case .acceptable: break
            }
        }
        guard !doubtful.isEmpty else { return judged }
        let slots = try await store.slots(of: Set(doubtful.map(\.visit.identity)))
        var result = judged
        for (index, visit, isReckoned) in doubtful {
            guard let slot = slots[visit.identity] else { continue }
            let dated = SightingRules.dated(visit, by: slot, received: now, isReckoned: isReckoned)
            guard SightingRules.refusals(of: dated, now: now).isEmpty else { continue }
            result[index] = .acceptable(SightingRules.withoutFuture(dated, received: now), index: index)
        }
        return result
    }

    private func results(_ judged: [Dated], _ recorded: [RecordedVisit]) throws -> [VisitResult] {
        guard judged.count(where: { $0.visit != nil }) == recorded.count else { throw IncompleteAnswer() }
        var outcomes = recorded.makeIterator()
        return try judged.map { judged in
            switch judged {
            case .refused(let result): return result
            case .acceptable(let visit, let index):
                guard let outcome = outcomes.next() else { throw IncompleteAnswer() }
                return result(of: visit, index: index, outcome)
            }
        }
    }

    private func result(of visit: Visit, index: Int, _ outcome: RecordedVisit) -> VisitResult {
        switch outcome {
        case .stored(let stored) where stored.isMissing:
            var lookFor = stored.appearance
            lookFor?.photo = stored.photo.flatMap { photo in publicURL.map { "\($0)\(photo.path)" } }
            return VisitResult(id: visit.id, result: .stored, lookFor: lookFor, continues: stored.continues)
        // A late visit is kept for the owner; the station does not learn where a bike is after it has been found.
        case .ignored, .proved, .stored:
            return VisitResult(id: visit.id, result: .ignored)
        case .canary:
            // The same as for a bike whose owner does not share its appearance: the answer must not reveal the canary.
            return VisitResult(id: visit.id, result: .stored)
        case .contradicts(let field):
            let detail = "differs from what was reported before; use a new id for a new visit"
            let error = FieldError(pointer: "/visits/\(index)/\(field)", detail: detail)
            return VisitResult(id: visit.id, result: .invalid, errors: [error])
        }
    }

    /// Logs one line for a batch, since a line costs as much as a visit. It contains only identifiers, and none of
    /// ignored visits: the log must not reveal the movements of bikes that are not missing.
    private func log(_ visits: [Visit], _ recorded: [RecordedVisit], _ station: StationID) {
        if recorded.contains(.canary) {
            logger.warning(
                "a station reports an identity that no beacon has: it has computed it from the missing list",
                metadata: ["station": "\(station)"])
        }
        let stored = zip(visits, recorded).compactMap { visit, outcome in
            if case .stored(let stored) = outcome { (id: visit.id, stored) } else { nil }
        }
        for (isNew, level, message) in [(true, .info, "sighting stored"), (false, .debug, "sighting merged")]
            as [(Bool, Logger.Level, Logger.Message)] where level >= logger.logLevel
        {
            let lines = stored.filter { $0.1.isNew == isNew }
            guard !lines.isEmpty else { continue }
            logger.log(
                level: level, message,
                metadata: [
                    "sighting": "\(Self.list(lines.map { $0.id }))", "station": "\(station)",
                    "report": "\(Self.list(Set(lines.map { $0.1.report }).sorted()))",
                    "alerts": "\(lines.reduce(0) { $0 + $1.1.alerts })",
                ]
            )
        }
    }

    private static func list<Resource>(_ ids: [ResourceID<Resource>]) -> String {
        ids.map { $0.description }.joined(separator: ",")
    }
}
