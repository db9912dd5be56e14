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
                "Its quotas, and the latest reports of each bike: dates and references, never what was heard."
            )
            .giving(.ok, Example.ownerReview, "The owner."),
            Operation(
                .put, "/v1/owners/:owner/suspension", "Suspend an owner",
                "Its bikes leave the missing list, and it can open no report. The owner is told on all channels."
            )
            .taking(
                { _ in OperatorReason.rule }, OperatorReason(reason: "Reports of a beacon that is not theirs"),
                .optional
            )
            .giving(.ok, Example.suspendedReview, "The owner as it is now."),
            Operation(
                .delete, "/v1/owners/:owner/suspension", "Lift a suspension", "The owner is told on all channels."
            )
            .giving(.ok, Example.ownerReview, "The owner as it is now."),
            Operation(
                .put, "/v1/owners/:owner/quotas", "Set what one owner may have",
                "What is left out follows the registry’s settings."
            )
            .taking({ _ in QuotaExceptions.rule }, QuotaExceptions(bikes: 200, openReports: 20))
            .giving(.ok, Example.ownerReview, "The owner as it is now."),
            Operation(
                .put, "/v1/reports/:report/confirmation", "Confirm a report’s police reference",
                """
                The bike is then searched for until the report closes. The owner is told on all channels. A reference that \
                its owner has changed since is not confirmed.
                """
            )
            .taking({ _ in ReferenceConfirmation.rule }, ReferenceConfirmation(policeReference: "CAD 4711/21NOV26"))
            .giving(.ok, Example.reportReview, "The report."),
            Operation(
                .delete, "/v1/reports/:report/confirmation", "Withdraw a confirmation",
                "The owner is told on all channels."
            )
            .giving(.ok, Example.unconfirmedReview, "The report."),
            Operation(
                .put, "/v1/beacons/:identity/stop", "Keep a beacon off the missing list",
                "Written as `UUID:major:minor`. Whoever has the bike is told on all channels."
            )
            .taking(
                { _ in OperatorReason.rule }, OperatorReason(reason: "The beacon was planted on somebody"), .optional
            )
            .giving(.ok, BeaconReview(identity: Example.identity, stopped: Example.evening), "The beacon."),
            Operation(
                .delete, "/v1/beacons/:identity/stop", "Let a beacon be searched for again",
                "Whoever has the bike is told on all channels."
            )
            .giving(.ok, BeaconReview(identity: Example.identity), "The beacon."),
            Operation(
                .get, "/v1/claims", "List given identities that wait for an operator",
                "A bike whose beacon can be set to another minor does not need one: a station’s hearing proves it."
            )
            .listing(Example.claim, "A page of claims."),
            Operation(
                .put, "/v1/claims/:bike/acceptance", "Accept a given identity",
                """
                It becomes the bike’s, which can be reported missing from then on. The owner is told. An identity that the owner \
                has changed since is not accepted.
                """
            )
            .taking({ _ in ClaimAcceptance.rule }, ClaimAcceptance(identity: Example.claimed))
            .giving(.ok, Example.claim, "What was accepted.").refusing(DomainError.identityTaken),
            Operation(
                .put, "/v1/claims/:bike/refusal", "Refuse a given identity",
                "The bike stays pending: a test can still prove its beacon. The owner is told."
            )
            .taking({ _ in OperatorReason.rule }, OperatorReason(reason: "The beacon is a shop’s"), .optional)
            .giving(.ok, Example.claim, "What was refused."),
            Operation(.get, "/v1/operators", "List the operators")
                .listing(Example.operator, "A page of operators, revoked ones included."),
            Operation(.post, "/v1/operators", "Make an operator")
                .taking({ _ in OperatorDraft.rule }, OperatorDraft(name: "Ada"))
                .giving(
                    .created, OperatorCreated(details: Example.operator, token: Example.token("operator")),
                    "The token, which is shown this once.", [.location]),
            Operation(.delete, "/v1/operators/:operator", "Revoke an operator", "The last one stays.")
                .giving(.ok, Example.revokedOperator, "Its token works no longer.")
                .refusing(DomainError.lastOperator),
        ]
    }
}

extension Example {
    static let ownerSummary = OwnerSummary(
        id: id(3), created: report.opened, lastActive: evening, reports: 2, unconfirmed: 1
    )
    static let ownerReview = OwnerReview(
        owner: ownerSummary, bikes: 1, quotas: Quotas(bikes: 200, openReports: 20), reports: [reportReview]
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
