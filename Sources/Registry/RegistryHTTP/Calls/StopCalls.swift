import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for an owner's objection to a stopped search, and for the operator's answer.
struct StopCalls {
    let operations: RegistryOperations

    func add(to calls: Calls<OwnerContext>) {
        let path = "/v1/bikes/:bike/stop"
        calls.get(path, .read, "Show why an operator has stopped searches for a bike", "404 if none has.")
            .needing(.owner).refusing(.notFound("stop"))
            .answering(Example.stop, "The stop, with the owner’s objection and the answer.") { request in
                try await operations.store.searchStop(of: try request.id("bike"), by: request.owner)
            }

        calls.put(
            path + "/objection", .manage, "Object to a stop of searches for a bike",
            """
            Once for each stop: a later objection changes nothing. A stop follows its beacon, and has at most \
            \(SearchStop.mostObjections) objections by all its owners. The operator answers, or allows the search again.
            """
        )
        .taking(MessageDraft(text: "It is my bike; the police have my report.")).needing(.owner)
        .refusing(.notFound("stop"), .objectionsUsedUp)
        .answering(Example.objectedStop, "The stop as it is now.") { request in
            try await operations.store.object(
                request.body.text, of: try request.id("bike"), by: request.act(operations))
        }
    }

    func add(to calls: Calls<OperatorContext>) {
        let path = "/v1/objections"
        calls.get(path, "List the objections to stops that wait for an answer")
            .listing(Example.stopReview, "A page of stops with their objections.") { _, page in
                try await operations.store.objections(page)
            }

        calls.put(
            path + "/:bike/answer", "Answer an objection to a stop",
            """
            The owner’s channels get the answer. A later answer changes nothing. If you agree with the objection, allow \
            the search instead (`DELETE /v1/beacons/{identity}/stop`).
            """
        )
        .taking(MessageDraft(text: "Please show us the letter of the police."))
        .answering(Example.stopReview, "The stop as it is now.") { request in
            try await operations.answerObjection(
                request.body, of: try request.id("bike", of: "objection"), by: request.operator)
        }
    }
}

extension Example {
    fileprivate static let stop = SearchStop(stopped: evening, reason: "Somebody else carries this beacon.")
    fileprivate static var objectedStop: SearchStop {
        var objected = stop
        objected.objection = "It is my bike; the police have my report."
        objected.objected = evening
        return objected
    }
    fileprivate static let stopReview = StopReview(
        bike: bike.id, owner: owner.id, beacon: identity, stop: objectedStop)
}
