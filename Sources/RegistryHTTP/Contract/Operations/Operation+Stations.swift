import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var stations: [Operation] {
        [
            Operation(
                .get, "/v1/missing", "Get the missing list",
                """
                As JSON, or by `Accept` in the binary form that stations take: all of it, or with `A-IM` what has changed \
                since the version in `If-None-Match`. With `Prefer: wait=` the answer comes when the list changes.
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
                At most \(VisitBatch.maximumCount) visits, each answered alone in the same order. A visit is known by \
                its station and `id`: reporting it again, late or out of order, merges. A visit is `invalid` only if \
                whose it is, which beacon it heard or when cannot be read; any other field that is absent or out of \
                bounds counts as unknown. Of a visit longer than 25 hours the last 25 count. Of a report that has \
                closed nothing is answered but `ignored`, and nothing after the closure is stored.
                """
            )
            .taking(visits)
            .giving(.ok, Example.batchResult, "One result for each visit.")
            .refusing(RequestError.tooManyVisits(501)),
            Operation(.put, "/v1/station/heartbeat", "Give a sign of life", "Every few minutes.")
                .taking({ _ in StationHeartbeat.rule }, Example.heartbeat, unknownFields: .ignored)
                .giving(.noContent, "It was noted."),
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
            status: MissingListRequest.changesStatus, summary: "What makes the version in ETag of the station’s.",
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
