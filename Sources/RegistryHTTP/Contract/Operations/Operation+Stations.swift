import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var stations: [Operation] {
        [
            Operation(.get, "/v1/missing", "Get the missing list")
                .with(.ifNoneMatch)
                .giving(.ok, Example.missingList, "The identities of all bikes with an open report.", [.eTag])
                .giving(.notModified, "The station’s list is current.", [.eTag]),
            Operation(
                .post, "/v1/sightings", "Report visits",
                """
                At most \(VisitBatch.maximumCount) visits, each answered alone in the same order. A visit is known by \
                its station and `id`: reporting it again, late or out of order, merges.
                """
            )
            .taking(visits)
            .giving(.ok, Example.batchResult, "One result for each visit.")
            .refusing(.request(.tooManyVisits(501))),
            Operation(.put, "/v1/station/heartbeat", "Give a sign of life", "Every few minutes.")
                .taking({ _ in StationHeartbeat.rule }, Example.heartbeat, unknownFields: .ignored)
                .giving(.noContent, "It was noted."),
        ]
    }

    /// Read by a reader of its own, since no visit spoils the others.
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
