import Beacons
import Foundation
import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import Syntax

/// The operators' calls against misuse, and those about operators.
struct ReviewCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    func add(to calls: Calls<OperatorContext>) {
        addOwners(to: calls)
        addReports(to: calls)
        addBeacons(to: calls)
        addOperators(to: calls)
    }

    private func addOwners(to calls: Calls<OperatorContext>) {
        calls.get(
            "/v1/owners", "List the owners", "Those with the most reports without a confirmed reference first."
        )
        .listing(Example.ownerSummary, "A page of owners.") { try await store.owners($1) }

        calls.get(
            "/v1/owners/:owner", "Show an owner",
            "Its quotas, and the latest reports of each bike: dates and references, never sightings."
        )
        .answering(Example.ownerReview, "The owner.") { try await store.review(of: try $0.id("owner")) }

        calls.put(
            "/v1/owners/:owner/suspension", "Suspend an owner",
            "Its bikes leave the missing list, and it cannot open reports. The owner’s channels get a message."
        )
        .taking(OperatorReason(reason: "Reports of a beacon that is not theirs"), .optional)
        .answering(Example.suspendedReview, "The owner as it is now.") { request in
            try await operations.suspendOwner(try request.id("owner"), request.body, by: request.operator)
        }

        calls.delete("/v1/owners/:owner/suspension", "Lift a suspension", "The owner’s channels get a message.")
            .answering(Example.ownerReview, "The owner as it is now.") { request in
                try await operations.resumeOwner(try request.id("owner"), by: request.operator)
            }

        let verification = "/v1/owners/:owner/verification"
        calls.put(
            verification, "Say that you know who an owner is",
            """
            After you have checked a name and an address; neither is stored here. Beacons of verified owners are never \
            treated as new, and `beacons.rotatingFor` can limit rotating beacons to them. The owner’s channels get a \
            message.
            """
        )
        .takingNothing
        .answering(Example.verifiedReview, "The owner as it is now.") { request in
            try await operations.verifyOwner(try request.id("owner"), by: request.operator)
        }

        calls.delete(
            verification, "Withdraw a verification",
            "The owner keeps its rotating beacons. The owner’s channels get a message."
        )
        .answering(Example.ownerReview, "The owner as it is now.") { request in
            try await operations.unverifyOwner(try request.id("owner"), by: request.operator)
        }

        calls.put(
            "/v1/owners/:owner/quotas", "Set what one owner may have",
            "Omitted quotas follow the registry’s settings."
        )
        .taking(QuotaExceptions(bikes: 200, openReports: 20))
        .answering(Example.ownerReview, "The owner as it is now.") { request in
            try await operations.setQuotas(of: try request.id("owner"), request.body, by: request.operator)
        }
    }

    private func addReports(to calls: Calls<OperatorContext>) {
        calls.put(
            "/v1/reports/:report/confirmation", "Confirm a report’s police reference",
            """
            The bike is then searched for until the report closes. The owner’s channels get a message. A reference \
            that the owner has changed since is not confirmed.
            """
        )
        .taking(ReferenceConfirmation(policeReference: "CAD 4711/21NOV26"))
        .answering(Example.reportReview, "The report.") { request in
            try await operations.confirm(request.body, of: try request.id("report"), by: request.operator)
        }

        calls.delete(
            "/v1/reports/:report/confirmation", "Withdraw a confirmation", "The owner’s channels get a message."
        )
        .answering(Example.unconfirmedReview, "The report.") { request in
            try await operations.withdrawConfirmation(of: try request.id("report"), by: request.operator)
        }
    }

    private func addBeacons(to calls: Calls<OperatorContext>) {
        calls.put(
            "/v1/beacons/:identity/stop", "Keep a beacon off the missing list",
            """
            Written as `UUID:major:minor`. The channels of the bike’s owner get a message with the reason. The owner can \
            object once (`/v1/objections`).
            """
        )
        .taking(StopReason(reason: "Somebody else carries this beacon"))
        .answering(BeaconReview(identity: Example.identity, stopped: Example.evening), "The beacon.") { request in
            let identity = try request.context.identity()
            return try await operations.stopSearch(for: identity, request.body, by: request.operator)
        }

        calls.delete(
            "/v1/beacons/:identity/stop", "Allow searches for a beacon again",
            "The channels of the bike’s owner get a message."
        )
        .answering(BeaconReview(identity: Example.identity), "The beacon.") { request in
            try await operations.allowSearch(for: try request.context.identity(), by: request.operator)
        }

        calls.get(
            "/v1/claims", "List given identities that are not proved",
            "If a beacon can be set to another minor, the owner can prove it at a station, without an operator."
        )
        .listing(Example.claim, "A page of claims.") { try await store.claims($1) }

        calls.put(
            "/v1/claims/:bike/acceptance", "Accept a given identity",
            """
            The bike gets this identity, and can then be reported missing. The owner gets a message. An identity \
            that the owner has changed since is not accepted.
            """
        )
        .taking(ClaimAcceptance(identity: Example.claimed)).refusing(.identityTaken)
        .answering(Example.claim, "The accepted claim.") { request in
            try await operations.acceptClaim(
                request.body, of: try request.id("bike", of: "claim"), by: request.operator)
        }

        calls.put(
            "/v1/claims/:bike/refusal", "Refuse a given identity",
            "The bike stays pending: a test can still prove its beacon. The owner gets a message."
        )
        .taking(OperatorReason(reason: "The beacon is a shop’s"), .optional)
        .answering(Example.claim, "The refused claim.") { request in
            try await operations.refuseClaim(
                of: try request.id("bike", of: "claim"), request.body, by: request.operator)
        }
    }

    private func addOperators(to calls: Calls<OperatorContext>) {
        calls.get("/v1/operators", "List the operators")
            .listing(Example.operator, "A page of operators, revoked ones included.") {
                try await store.operators($1)
            }

        // Not repeatable: if the token was lost on the way, revoke the operator.
        calls.post("/v1/operators", "Make an operator")
            .taking(OperatorDraft(name: "Ada"))
            .creating(
                OperatorCreated(details: Example.operator, token: Example.token("operator")),
                "The token, which is shown only once.", id: \.details.id
            ) { try await operations.createOperator($0.body, by: $0.operator) }

        calls.delete("/v1/operators/:operator", "Revoke an operator", "The last one cannot be revoked.")
            .refusing(.lastOperator)
            .answering(Example.revokedOperator, "Its token no longer works.") { request in
                try await operations.revokeOperator(try request.id("operator"), by: request.operator)
            }
    }
}

extension OperatorContext {
    /// The beacon in the path, as `UUID:major:minor`.
    fileprivate func identity() throws -> BeaconIdentity {
        let text = parameters.get("identity").map { $0.removingPercentEncoding ?? $0 }
        guard let identity = text.flatMap({ BeaconIdentity($0) }) else { throw DomainError.notFound("beacon") }
        return identity
    }
}

/// A cursor as `COUNT.OWNER`: the order is by the number of unconfirmed reports, and then by owner.
extension OwnerCursor: PageCursor {
    init?(cursorText: String) {
        let parts = cursorText.split(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let unconfirmed = Int64(parts[0]), unconfirmed >= 0,
            let owner = OwnerID(String(parts[1]))
        else { return nil }
        self.init(unconfirmed: unconfirmed, owner: owner)
    }

    var cursorText: String { "\(unconfirmed).\(owner)" }
}
