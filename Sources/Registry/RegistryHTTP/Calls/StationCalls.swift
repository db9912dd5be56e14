import HTTPTypes
import Hummingbird
import Logging
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for stations.
struct StationCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let metrics: RegistryMetrics

    func add(to calls: Calls<StationContext>) {
        calls.post(
            Self.sightings, "Report visits",
            """
            At most \(VisitBatch.maximumCount) visits, each with its own result in the same order. A visit is \
            identified by its station and `id`: reports of the same visit are merged, even late or out of order. \
            A visit is `invalid` only if its identifiers, beacon or times cannot be read; any other field that is \
            absent or out of bounds counts as unknown. Of a visit longer than 25 hours the last 25 count. For a \
            closed report, the result is always `ignored`, and nothing after the closure is stored.
            """
        )
        .taking(body: .visits, upTo: Self.batchLimit) { request, _ in
            try VisitBatchReading(try await request.jsonBody())
        }
        .refusing(request: .tooManyVisits(501))
        .answering(Example.batchResult, "One result for each visit.") { request in
            let result = try await operations.record(request.body, by: request.station)
            metrics.count(result.results)
            return result
        }

        calls.put(
            Self.heartbeat, "Send a heartbeat",
            """
            Every few minutes. `coverage` says what the station heard in quarters of an hour that have ended. A \
            quarter is stored once and never changed. It is ignored if it is known, has not ended, or ended more \
            than two days ago. `displays` is present if the station may serve displays in its own network, and \
            `partners` names the registries for whose bikes it listens, too. With `partners: false`, nothing that \
            it has heard waits for them any longer.
            """
        )
        // 16 adapters, each with an error message of 200 characters, and 48 quarters of an hour.
        .taking(Example.heartbeat, unknownFields: .ignored, upTo: 48 << 10)
        .giving(.ok, json: Example.coverageReceipt, "The registry has recorded it, with its `coverage` if it had one.")
        .giving(.noContent, "It is recorded, and there is nothing to say.")
        .responding { request in
            let (station, heartbeat) = (request.station, request.body)
            var receipt = try await store.recordHeartbeat(heartbeat, of: station, at: operations.clock.now)
            if receipt.contradicted > 0 {
                // A station repeats a quarter only with the same values. If they differ, somebody else may have its
                // token.
                metrics.countContradictions(receipt.contradicted)
                request.context.logger.warning(
                    "a station told what differs from what is stored",
                    metadata: ["station": "\(station)", "quarters": "\(receipt.contradicted)"])
            }
            receipt.displays = try await operations.displayTerms(of: station)
            receipt.partners = operations.partners?.names
            let isEmpty = heartbeat.coverage == nil && receipt.displays == nil && receipt.partners == nil
            return isEmpty ? Response(status: .noContent) : try .json(receipt)
        }

        calls.get("/v1/station/coverage", "Show what this station heard on a day")
            .with(.day).refusing(request: .invalidDay)
            .answering(Example.coverage, "The day’s quarters of an hour. They are kept for 90 days.") { request in
                let day = try request.http.day(default: operations.clock.now)
                return try await store.coverage(of: request.station, on: day)
            }

        calls.get(
            MissingListResponder.path, "Get the missing list",
            """
            As JSON, or with `Accept` in the stations’ binary form: the whole list, or with `A-IM` only the changes \
            since the version in `If-None-Match`. With `Prefer: wait=` the response comes when the list changes.
            """
        )
        .with(.ifNoneMatch, .instanceManipulations, .prefer)
        .giving(
            .ok, "The identities of all bikes with an open report; in the binary form their hashes.",
            content: [.json(Example.missingList), .opaque(MediaType.missingList)], headers: [.eTag]
        )
        .giving(
            MissingListRequest.changesStatus, "The changes from the station’s version to ETag’s.",
            content: [.opaque(MediaType.missingList)], headers: [.eTag, .instanceManipulation]
        )
        .giving(.notModified, "The station’s list is current, also after the wait.", headers: [.eTag])
        .refusing(request: .invalidWait, .waitDisplaced)
        .respondingElsewhere()
    }

    static let sightings = "/v1/sightings"
    static let heartbeat = "/v1/station/heartbeat"

    /// The limit of a batch in bytes: 500 visits with every field, at about 850 bytes each, and room for line breaks
    /// and for fields of newer stations.
    static let batchLimit = 512 << 10
}

extension Call.Body {
    /// A batch of visits. It has its own reader, so that an invalid visit does not affect the others.
    fileprivate static var visits: Call.Body {
        Call.Body(
            name: "VisitBatch", mediaTypes: [MediaType.json], presence: .required, schema: { _ in VisitBatch.schema },
            example: { JSONBody.value(VisitBatch(visits: [Example.visit])) },
            refusals: { _ in
                let text = JSONBody.bytes(VisitBatch(visits: [Example.visit]))
                guard let reading = try? VisitBatchReading(text) else {
                    return [FieldError(pointer: "", detail: "unreadable")]
                }
                return reading.entries.flatMap { (entry) -> [FieldError] in
                    if case .invalid(_, let errors) = entry { errors } else { [] }
                }
            })
    }
}

extension Request {
    /// The day in UTC that `?day=` names; by default the one of a time.
    func day(default time: Timestamp) throws -> CalendarDate {
        guard let text = uri.queryParameters["day"] else { return CalendarDate(time) }
        guard let day = CalendarDate(text) else { throw RequestError.invalidDay }
        return day
    }
}
