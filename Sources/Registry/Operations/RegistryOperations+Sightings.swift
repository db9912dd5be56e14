import Logging
public import RegistryAPI

extension RegistryOperations {
    /// Records a batch, each visit on its own merits, and wakes the dispatcher where alerts were queued.
    public func record(_ batch: VisitBatchReading, by station: StationID) async throws -> VisitBatchResult {
        let now = clock.now
        let judged = batch.entries.enumerated().map { Self.judge($1, index: $0, now: now) }
        let visits = judged.compactMap(\.visit)
        let recorded = visits.isEmpty ? [] : try await store.record(visits, by: station, at: now, using: entropy)
        if recorded.contains(where: \.queuedAlerts) { alertSignal.wake() }
        for (visit, outcome) in zip(visits, recorded) { log(visit, outcome, station) }
        return VisitBatchResult(results: Self.results(judged, recorded))
    }

    /// A visit to be recorded, or the answer that it gets without.
    private enum Judged {
        case acceptable(Visit, index: Int)
        case refused(VisitResult)

        var visit: Visit? { if case .acceptable(let visit, _) = self { visit } else { nil } }
    }

    private static func judge(_ entry: VisitBatchReading.Entry, index: Int, now: Timestamp) -> Judged {
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
            return .acceptable(visit, index: index)
        }
    }

    private static func results(_ judged: [Judged], _ recorded: [RecordedVisit]) -> [VisitResult] {
        var outcomes = recorded.makeIterator()
        return judged.map { judged in
            switch judged {
            case .refused(let result): result
            case .acceptable(let visit, let index): result(of: visit, index: index, outcomes.next() ?? .ignored)
            }
        }
    }

    private static func result(of visit: Visit, index: Int, _ outcome: RecordedVisit) -> VisitResult {
        switch outcome {
        case .stored(let stored):
            return VisitResult(id: visit.id, result: .stored, lookFor: stored.appearance)
        case .ignored:
            return VisitResult(id: visit.id, result: .ignored)
        case .contradicts(let field):
            let detail = "differs from what was reported before; use a new id for a new visit"
            let error = FieldError(pointer: "/visits/\(index)/\(field)", detail: detail)
            return VisitResult(id: visit.id, result: .invalid, errors: [error])
        }
    }

    /// Identifiers only. Ignored visits leave no trace: nothing may show who went where without being missing.
    private func log(_ visit: Visit, _ outcome: RecordedVisit, _ station: StationID) {
        guard case .stored(let stored) = outcome else { return }
        logger.log(
            level: stored.isNew ? .info : .debug,
            stored.isNew ? "sighting stored" : "sighting merged",
            metadata: [
                "sighting": "\(visit.id)", "station": "\(station)", "report": "\(stored.report)",
                "alerts": "\(stored.alerts)",
            ]
        )
    }
}

extension RecordedVisit {
    fileprivate var queuedAlerts: Bool {
        if case .stored(let stored) = self { stored.alerts > 0 } else { false }
    }
}
