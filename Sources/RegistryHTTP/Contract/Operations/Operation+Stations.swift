import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var stations: [Operation] {
        [
            Operation(
                .get, "/v1/missing", "Get the missing list",
                """
                As JSON, or with `Accept` in the stations’ binary form: the whole list, or with `A-IM` only the changes \
                since the version in `If-None-Match`. With `Prefer: wait=` the response comes when the list changes.
                """
            )
            .with(.ifNoneMatch).with(.instanceManipulations).with(.prefer)
            .giving(missingList)
            .giving(missingListChanges)
            .giving(.notModified, "The station’s list is current, also after the wait.", [.eTag])
            .refusing(RequestError.invalidWait, RequestError.waitDisplaced),
            Operation(
                .post, "/v1/sightings", "Report visits",
                """
                At most \(VisitBatch.maximumCount) visits, each with its own result in the same order. A visit is \
                identified by its station and `id`: reports of the same visit are merged, even late or out of order. \
                A visit is `invalid` only if its identifiers, beacon or times cannot be read; any other field that is \
                absent or out of bounds counts as unknown. Of a visit longer than 25 hours the last 25 count. For a \
                closed report, the result is always `ignored`, and nothing after the closure is stored.
                """
            )
            .taking(visits)
            .giving(.ok, Example.batchResult, "One result for each visit.")
            .refusing(RequestError.tooManyVisits(501)),
            Operation(
                .put, "/v1/station/heartbeat", "Send a heartbeat",
                """
                Every few minutes. `coverage` says what the station heard in quarters of an hour that have ended. A \
                quarter is stored once and never changed. It is ignored if it is known, has not ended, or ended more \
                than two days ago. `displays` is present if the station may serve displays in its own network.
                """
            )
            .taking(StationHeartbeat.rule(now:), Example.heartbeat, unknownFields: .ignored)
            .giving(.ok, Example.coverageReceipt, "The registry has recorded it, with its `coverage` if it had one.")
            .giving(.noContent, "It is recorded; it had no `coverage`, and the station may not serve displays."),
            Operation(.get, "/v1/station/coverage", "Show what this station heard on a day")
                .with(.day)
                .giving(.ok, Example.coverage, "The day’s quarters of an hour. They are kept for 90 days.")
                .refusing(RequestError.invalidDay),
        ]
    }

    private static var binaryList: Content {
        Content(mediaType: MediaType.missingList, type: nil, schema: .binary, example: nil)
    }

    private static var missingList: Answer {
        let json = Content(
            mediaType: MediaType.json, type: MissingListDocument.self, schema: JSONSchema(),
            example: JSONBody.value(Example.missingList)
        )
        return Answer(
            status: .ok, summary: "The identities of all bikes with an open report; in the binary form their hashes.",
            content: [json, binaryList], headers: [.eTag]
        )
    }

    private static var missingListChanges: Answer {
        Answer(
            status: MissingListRequest.changesStatus, summary: "The changes from the station’s version to ETag’s.",
            content: [binaryList], headers: [.eTag, .instanceManipulation]
        )
    }

    /// The body of a batch of visits. It has its own reader, so that an invalid visit does not affect the others.
    private static var visits: Body {
        let text = JSONBody.bytes(VisitBatch(visits: [Example.visit]))
        return Body(
            name: "VisitBatch", mediaTypes: [MediaType.json], presence: .required,
            schema: { _ in VisitBatch.schema }, example: JSONValue(text: text)
        ) { _ in
            guard let reading = try? VisitBatchReading(text) else {
                return [FieldError(pointer: "", detail: "unreadable")]
            }
            return reading.entries.flatMap { (entry) -> [FieldError] in
                if case .invalid(_, let errors) = entry { errors } else { [] }
            }
        }
    }
}
