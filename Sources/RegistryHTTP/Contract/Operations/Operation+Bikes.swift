import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var bikes: [Operation] {
        [
            Operation(
                .post, "/v1/bikes", "Register a bike",
                """
                Without `identity` the registry allocates one; set the beacon to it. A given one is to be proved: the bike is \
                `pending`, and its `identity` has another minor, which the registry has drawn.
                """
            )
            .taking(BikeDraft.rule(now:), Example.bikeDraft).once
            .giving(.created, Example.bike, "The bike with its beacon’s identity.", [.location, .eTag])
            .refusing(
                DomainError.identitiesExhausted, DomainError.quotaReached(.bikes, most: 20),
                DomainError.tooManyToday(.identities, retryAfter: .seconds(3600))),
            Operation(.get, "/v1/bikes", "List my bikes").listing(Example.bike, "A page of bikes."),
            Operation(.get, "/v1/bikes/:bike", "Show a bike").showing(Example.bike, "The bike."),
            Operation(.patch, "/v1/bikes/:bike", "Change a bike’s description")
                .patching(BikePatch.rule(now:), BikePatch(["colours": .array(["red"]), "plate": .null])).conditional(
                    "bike"
                )
                .giving(.ok, Example.bike, "The bike as it is now.", [.eTag]),
            Operation(.delete, "/v1/bikes/:bike", "Erase a bike").conditional("bike").guarded
                .giving(.noContent, "It is gone, with its reports and sightings."),
            Operation(.get, "/v1/bikes/:bike/history", "Show a bike’s history")
                .listing(Example.bikeEvent, "What happened to the bike, oldest first."),
            Operation(
                .post, "/v1/bikes/:bike/beacon", "Give a bike another beacon",
                """
                Without a body the registry allocates an identity; a given one is to be proved; or two bikes exchange theirs. \
                An identity that is given up is never used again.
                """
            )
            .taking({ _ in BeaconChange.rule }, BeaconChange(), .optional).conditional("bike")
            .giving(.ok, Example.bike, "The bike with its new identity.", [.eTag])
            .refusing(
                DomainError.bikeMissing(Example.report.id), DomainError.beaconUnproved, DomainError.identitiesExhausted,
                DomainError.tooManyToday(.identities, retryAfter: .seconds(3600))),
            Operation(
                .post, "/v1/bikes/:bike/beacon/test", "Test a beacon that is to be proved",
                """
                For 30 minutes stations listen for the bike’s `identity`; another test of the caller’s ends. Once one has heard \
                it, `pending` is absent, and the bike can be reported missing. The owner is told on all channels.
                """
            )
            .takingNothing
            .giving(.ok, Example.testedBike, "The bike.", [.eTag])
            .refusing(
                DomainError.ownerSuspended, DomainError.beaconStopped,
                DomainError.tooManyToday(.tests, retryAfter: .seconds(3600))),
            Operation(
                .post, "/v1/bikes/:bike/transfer", "Offer a bike to a new owner",
                "Impossible while the bike is missing and for seven days after."
            )
            .takingNothing.guarded
            .giving(.created, Example.transfer, "The new owner’s code, which is shown this once.")
            .refusing(DomainError.bikeMissing(Example.report.id), DomainError.missingRecently(until: Example.evening))
            .refusing(DomainError.beaconUnproved, DomainError.ownerSuspended),
            Operation(.post, "/v1/transfers", "Take a bike over")
                .taking({ _ in TransferAcceptance.rule }, TransferAcceptance(code: Example.code)).once
                .giving(.created, Example.bike, "The bike, which is the caller’s now.", [.location, .eTag])
                .refusing(DomainError.codeUnusable, DomainError.bikeMissing(Example.report.id))
                .refusing(DomainError.quotaReached(.bikes, most: 20))
                .refusing(DomainError.missingRecently(until: Example.evening), DomainError.beaconUnproved)
                .refusing(DomainError.ownerSuspended),
        ]
    }

    static var reports: [Operation] {
        [
            Operation(
                .post, "/v1/bikes/:bike/reports", "Report a bike missing",
                """
                `missingSince` is at most 30 days ago; absent means now. Without a police reference a beacon is searched for \
                seven days, over all its reports; with one that no operator has confirmed for thirty more. \
                `sightingsUntil` says when the search ends.
                """
            )
            .taking(MissingReportDraft.rule(now:), Example.reportDraft).once
            .giving(.created, Example.report, "The open report.", [.location])
            .refusing(
                DomainError.reportAlreadyOpen(Example.report.id), DomainError.quotaReached(.openReports, most: 5),
                DomainError.ownerSuspended, DomainError.beaconUnproved,
                DomainError.tooManyToday(.reports, retryAfter: .seconds(3600))),
            Operation(.get, "/v1/bikes/:bike/reports", "List a bike’s reports")
                .listing(Example.report, "A page of reports."),
            Operation(.get, "/v1/bikes/:bike/reports/:report", "Show a report")
                .giving(.ok, Example.report, "The report."),
            Operation(
                .patch, "/v1/bikes/:bike/reports/:report", "Change a report",
                """
                `heldUntil` keeps the sightings for a case, at most two years ahead. Removing the police reference of an \
                open report or shortening `heldUntil` needs a recovery code; these and another reference are told on \
                all channels.
                """
            )
            .patching(MissingReportPatch.rule(now:), MissingReportPatch(["policeReference": "CAD 4711/21NOV26"]))
            .guarded
            .giving(.ok, Example.report, "The report as it is now.")
            .refusing(DomainError.reportAlreadyClosed(Example.report.id)),
            Operation(.post, "/v1/bikes/:bike/reports/:report/closure", "Close a report", "It is told on all channels.")
                .taking({ _ in ReportClosure.rule }, Example.closure).once
                .giving(.ok, Example.closedReport, "The closed report.")
                .refusing(DomainError.reportAlreadyClosed(Example.report.id)),
        ]
    }
}
