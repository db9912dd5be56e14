import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    /// The operators' calls against misuse, and those about operators.
    static var review: [Operation] {
        [
            Operation(
                .get, "/v1/owners", "List the owners",
                "Those with the most reports without a confirmed reference first."
            )
            .listing(Example.ownerSummary, "A page of owners."),
            Operation(
                .get, "/v1/owners/:owner", "Show an owner",
                "Its quotas, and the latest reports of each bike: dates and references, never sightings."
            )
            .giving(.ok, Example.ownerReview, "The owner."),
            Operation(
                .put, "/v1/owners/:owner/suspension", "Suspend an owner",
                "Its bikes leave the missing list, and it cannot open reports. The owner’s channels get a message."
            )
            .taking(
                OperatorReason.rule(now:), OperatorReason(reason: "Reports of a beacon that is not theirs"),
                .optional
            )
            .giving(.ok, Example.suspendedReview, "The owner as it is now."),
            Operation(
                .delete, "/v1/owners/:owner/suspension", "Lift a suspension", "The owner’s channels get a message."
            )
            .giving(.ok, Example.ownerReview, "The owner as it is now."),
            Operation(
                .put, "/v1/owners/:owner/quotas", "Set what one owner may have",
                "Omitted quotas follow the registry’s settings."
            )
            .taking(QuotaExceptions.rule(now:), QuotaExceptions(bikes: 200, openReports: 20))
            .giving(.ok, Example.ownerReview, "The owner as it is now."),
            Operation(
                .put, "/v1/reports/:report/confirmation", "Confirm a report’s police reference",
                """
                The bike is then searched for until the report closes. The owner’s channels get a message. A reference \
                that the owner has changed since is not confirmed.
                """
            )
            .taking(ReferenceConfirmation.rule(now:), ReferenceConfirmation(policeReference: "CAD 4711/21NOV26"))
            .giving(.ok, Example.reportReview, "The report."),
            Operation(
                .delete, "/v1/reports/:report/confirmation", "Withdraw a confirmation",
                "The owner’s channels get a message."
            )
            .giving(.ok, Example.unconfirmedReview, "The report."),
            Operation(
                .put, "/v1/beacons/:identity/stop", "Keep a beacon off the missing list",
                "Written as `UUID:major:minor`. The channels of the bike’s owner get a message."
            )
            .taking(
                OperatorReason.rule(now:), OperatorReason(reason: "The beacon was planted on somebody"), .optional
            )
            .giving(.ok, BeaconReview(identity: Example.identity, stopped: Example.evening), "The beacon."),
            Operation(
                .delete, "/v1/beacons/:identity/stop", "Allow searches for a beacon again",
                "The channels of the bike’s owner get a message."
            )
            .giving(.ok, BeaconReview(identity: Example.identity), "The beacon."),
            Operation(
                .get, "/v1/claims", "List given identities that are not proved",
                "If a beacon can be set to another minor, the owner can prove it at a station, without an operator."
            )
            .listing(Example.claim, "A page of claims."),
            Operation(
                .put, "/v1/claims/:bike/acceptance", "Accept a given identity",
                """
                The bike gets this identity, and can then be reported missing. The owner gets a message. An identity \
                that the owner has changed since is not accepted.
                """
            )
            .taking(ClaimAcceptance.rule(now:), ClaimAcceptance(identity: Example.claimed))
            .giving(.ok, Example.claim, "The accepted claim.").refusing(DomainError.identityTaken),
            Operation(
                .put, "/v1/claims/:bike/refusal", "Refuse a given identity",
                "The bike stays pending: a test can still prove its beacon. The owner gets a message."
            )
            .taking(OperatorReason.rule(now:), OperatorReason(reason: "The beacon is a shop’s"), .optional)
            .giving(.ok, Example.claim, "The refused claim."),
            Operation(.get, "/v1/operators", "List the operators")
                .listing(Example.operator, "A page of operators, revoked ones included."),
            Operation(.post, "/v1/operators", "Make an operator")
                .taking(OperatorDraft.rule(now:), OperatorDraft(name: "Ada"))
                .giving(
                    .created, OperatorCreated(details: Example.operator, token: Example.token("operator")),
                    "The token, which is shown only once.", [.location]),
            Operation(.delete, "/v1/operators/:operator", "Revoke an operator", "The last one cannot be revoked.")
                .giving(.ok, Example.revokedOperator, "Its token no longer works.")
                .refusing(DomainError.lastOperator),
        ]
    }
}

extension Example {
    static let ownerSummary = OwnerSummary(
        id: id(3), created: report.opened, lastActive: evening, reports: 2, unconfirmed: 1
    )
    static let ownerReview = OwnerReview(
        owner: ownerSummary, bikes: 1, quotas: Quotas(bikes: 200, openReports: 20),
        exceptions: QuotaExceptions(bikes: 200, openReports: 20), reports: [reportReview]
    )
    static var suspendedReview: OwnerReview {
        var review = ownerReview
        review.owner.suspended = evening
        return review
    }
    static let reportReview = ReportReview(
        id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
        confirmed: evening
    )
    static let unconfirmedReview = ReportReview(
        id: report.id, beacon: identity, opened: report.opened, policeReference: report.policeReference,
        sightingsUntil: evening
    )
    static let claim = BeaconClaim(bike: bike.id, owner: owner.id, claimed: claimed, since: report.opened)
    static let `operator` = Operator(id: id(12), name: "Ada", created: report.opened)
    static var revokedOperator: Operator {
        var revoked = `operator`
        revoked.revoked = evening
        return revoked
    }
}
