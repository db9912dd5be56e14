import Logging
package import RegistryAPI
import RegistryRules
import RegistrySQL

extension RegistryOperations {
    /// Records a batch of a station, each visit separately. Partners get the visits that are on their lists, too; this
    /// waits shortly for their answers.
    ///
    /// - Returns: a result for each visit, in the order of the batch.
    package func record(_ batch: VisitBatchReading, by station: StationID) async throws -> VisitBatchResult {
        var arrived = try await datedBatch(of: batch, by: station)
        let visits = arrived.request.visits
        let ticket = batch.isForPartners ? partners?.ticket(for: visits, of: station) : nil
        // What was not recorded is not forwarded, so no station waits for its answers.
        var isRecorded = false
        defer { if !isRecorded, let ticket { _ = partners?.close(ticket) } }
        arrived.request.forwards = ticket?.forwards ?? []
        let recorded = visits.isEmpty ? [] : try await store.record(arrived.request)
        let result = try result(of: arrived, recorded)
        isRecorded = true
        guard let partners, let ticket else { return result }
        return await partners.completed(result, ticket)
    }

    /// A batch with the dates of its visits, and the request that records those that are accepted.
    struct ArrivedBatch {
        let batch: VisitBatchReading
        /// The visits of the batch; nil in place of one that cannot be read.
        let visits: [ArrivedVisit?]
        var request: RecordRequest
    }

    /// Dates the visits of a batch by this registry's clock, and makes the request for those that are accepted.
    ///
    /// - Parameter signed: what a partner signed of each visit; empty for a station of this registry.
    func datedBatch(
        of batch: VisitBatchReading, by station: StationID, signed: [SignedReport] = []
    ) async throws -> ArrivedBatch {
        let now = clock.now
        var arrived = batch.entries.map { entry in
            if case .visit(let visit) = entry { ArrivedVisit(visit, at: now) } else { nil as ArrivedVisit? }
        }
        try await dateBySlots(&arrived)
        let accepted: [Visit] = arrived.compactMap { visit in visit?.isAccepted == true ? visit?.visit : nil }
        var request = RecordRequest(accepted, by: station, at: now, using: entropy)
        request.signed = zip(signed, arrived).compactMap { report, visit in
            visit?.isAccepted == true ? report : nil
        }
        return ArrivedBatch(batch: batch, visits: arrived, request: request)
    }

    /// Dates visits whose own times are unreliable, but whose rotating beacon shows the time.
    private func dateBySlots(_ arrived: inout [ArrivedVisit?]) async throws {
        let doubtful = arrived.indices.filter { arrived[$0]?.isDoubtful == true }
        guard !doubtful.isEmpty else { return }
        let slots = try await store.slots(of: Set(doubtful.compactMap { arrived[$0]?.visit.identity }))
        for index in doubtful {
            guard let identity = arrived[index]?.visit.identity, let slot = slots[identity] else { continue }
            arrived[index]?.date(by: slot)
        }
    }

    /// The result of each visit of a batch whose accepted visits were recorded.
    ///
    /// - Parameter places: the places of the visits in the request, for pointers to their fields; nil if the batch is
    ///   the whole request.
    func result(
        of arrived: ArrivedBatch, _ recorded: [RecordedVisit], at places: [Int]? = nil
    ) throws -> VisitBatchResult {
        guard recorded.count == arrived.request.visits.count else { throw IncompleteAnswer() }
        log(arrived.request.visits, recorded, arrived.request.station)
        var outcomes = recorded.makeIterator()
        let places: [Int] = places ?? Array(arrived.visits.indices)
        let visits = zip(arrived.batch.entries, arrived.visits)
        let results: [VisitResult] = zip(places, visits).map { place, visit in
            switch visit {
            case (.invalid(let id, let errors), _): VisitResult(id: id, result: .invalid, errors: errors)
            case (.visit(let sent), let arrived):
                if arrived?.isAccepted == true, let outcome = outcomes.next() {
                    result(of: sent.id, at: place, outcome)
                } else {
                    refusal(of: sent.id, at: place, arrived?.refusals ?? [])
                }
            }
        }
        return VisitBatchResult(results: results)
    }

    /// The store did not return a result for each visit. With an invented result, the station would forget its visit.
    private struct IncompleteAnswer: Error {}

    /// What the station learns of a recorded visit.
    ///
    /// - Parameter place: the place of the visit in the request, for pointers to its fields.
    private func result(of id: VisitID, at place: Int, _ outcome: RecordedVisit) -> VisitResult {
        switch outcome {
        case .stored(let stored) where stored.isMissing:
            var lookFor = stored.appearance
            lookFor?.photo = stored.photo.flatMap { photo in publicURL.map { "\($0)\(photo.path)" } }
            return VisitResult(id: id, result: .stored, lookFor: lookFor, continues: stored.continues)
        // A late visit is kept for the owner; the station does not learn where a bike is after it has been found.
        case .ignored, .proved, .stored:
            return VisitResult(id: id, result: .ignored)
        case .canary:
            // The same as for a bike whose owner does not share its appearance: the answer must not reveal the canary.
            return VisitResult(id: id, result: .stored)
        case .contradicts(let field):
            let detail = "differs from what was reported before; use a new id for a new visit"
            return refusal(of: id, at: place, [FieldError(pointer: "/\(field)", detail: detail)])
        }
    }

    private func refusal(of id: VisitID, at place: Int, _ errors: [FieldError]) -> VisitResult {
        let errors = errors.map { FieldError(pointer: "/visits/\(place)\($0.pointer)", detail: $0.detail) }
        return VisitResult(id: id, result: .invalid, errors: errors)
    }

    /// Logs one line for a batch, since a line costs as much as a visit. It contains only identifiers, and none of
    /// ignored visits: the log must not reveal the movements of bikes that are not missing.
    private func log(_ visits: [Visit], _ recorded: [RecordedVisit], _ station: StationID) {
        if recorded.contains(.canary) {
            logger.warning(
                "a station reports an identity that no beacon has: it has computed it from the missing list",
                metadata: ["station": "\(station)"])
        }
        var (new, merged): ([LoggedSighting], [LoggedSighting]) = ([], [])
        for (visit, outcome) in zip(visits, recorded) {
            guard case .stored(let stored) = outcome else { continue }
            if stored.isNew { new.append((visit.id, stored)) } else { merged.append((visit.id, stored)) }
        }
        log(new, of: station, "sighting stored", level: .info)
        log(merged, of: station, "sighting merged", level: .debug)
    }

    private typealias LoggedSighting = (id: VisitID, stored: StoredVisit)

    private func log(
        _ sightings: [LoggedSighting], of station: StationID, _ message: Logger.Message, level: Logger.Level
    ) {
        // Most logs do not show merged sightings: make no metadata for them.
        guard level >= logger.logLevel, !sightings.isEmpty else { return }
        let ids = sightings.map { $0.id }
        let reports = Set(sightings.map { $0.stored.report }).sorted()
        let alerts = sightings.reduce(0) { $0 + $1.stored.alerts }
        logger.log(
            level: level, message,
            metadata: [
                "sighting": "\(Self.list(ids))", "station": "\(station)",
                "report": "\(Self.list(reports))", "alerts": "\(alerts)",
            ]
        )
    }

    /// Identifiers, separated by commas.
    private static func list<Resource>(_ ids: [ResourceID<Resource>]) -> String {
        ids.map { $0.description }.joined(separator: ",")
    }
}
