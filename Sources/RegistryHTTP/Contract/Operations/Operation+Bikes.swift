import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var bikes: [Operation] {
        [
            Operation(
                .post, "/v1/bikes", "Register a bike",
                """
                Without `identity` the registry allocates one; set the beacon to it. A given one must be proved: the \
                bike is `pending`, and its `identity` has another minor, which the registry chose at random. With `rotating` \
                the registry makes a key for a beacon that changes its identity every 17 minutes. `rotation.key` is \
                shown, also as a QR code, only in this answer, and again if the call is repeated with the same \
                `Idempotency-Key` while the bike has this beacon.
                """
            )
            .taking(BikeDraft.rule(now:), Example.bikeDraft).once
            .giving(.created, Example.rotatingBike, "The bike with its beacon’s identity or key.", [.location, .eTag])
            .refusing(
                DomainError.identitiesExhausted, DomainError.rotationUnavailable, DomainError.beaconKeyUnreadable,
                DomainError.quotaReached(.bikes, most: 20),
                DomainError.tooManyToday(.identities, retryAfter: .seconds(3600))),
            Operation(
                .get, "/v1/bikes", "List my bikes",
                "Also the bikes of others of which the caller is a member: these have a `role`."
            ).listing(Example.bike, "A page of bikes."),
            Operation(.get, "/v1/bikes/:bike", "Show a bike").showing(Example.bike, "The bike."),
            Operation(
                .patch, "/v1/bikes/:bike", "Change a bike’s description",
                """
                With `buyerCheck`, anyone who knows `serial` or `vin` can check while the bike is missing that it is \
                (`POST /v1/checks`): numbers of 4 to 40 letters and digits that not many bikes could have.
                """
            )
            .patching(BikePatch.rule(now:), BikePatch(["colours": .array(["red"]), "plate": .null])).conditional(
                "bike"
            )
            .giving(.ok, Example.bike, "The bike as it is now.", [.eTag])
            .refusing(
                DomainError.tooManyToday(.numbers, retryAfter: .seconds(3600)),
                DomainError.tooManyToday(.bikeChanges, retryAfter: .seconds(3600))
            ).needing(.manage),
            Operation(.delete, "/v1/bikes/:bike", "Erase a bike").conditional("bike").guarded
                .giving(.noContent, "The bike was erased, with its reports and sightings.").needing(.owner),
            Operation(.get, "/v1/bikes/:bike/history", "Show a bike’s history")
                .listing(Example.bikeEvent, "What happened to the bike, oldest first.").needing(.manage),
            Operation(
                .post, "/v1/bikes/:bike/beacon", "Give a bike another beacon",
                """
                Without a body the registry allocates an identity; a given one must be proved; `rotating` makes a new key, \
                which only this answer shows; or two bikes exchange theirs. An abandoned identity is never used again.
                """
            )
            .taking(BeaconChange.rule(now:), BeaconChange(), .optional).conditional("bike")
            .giving(.ok, Example.bike, "The bike with its new identity.", [.eTag])
            .refusing(
                DomainError.bikeMissing(Example.report.id), DomainError.beaconUnproved, DomainError.identitiesExhausted,
                DomainError.rotationUnavailable,
                DomainError.tooManyToday(.identities, retryAfter: .seconds(3600))
            ).needing(.owner),
            Operation(
                .post, "/v1/bikes/:bike/beacon/test", "Test a beacon that must be proved",
                """
                For 30 minutes stations listen for the bike’s `identity`; any other test of the caller ends. Once one has \
                heard it, `pending` is absent, and the bike can be reported missing. All channels get a message.
                """
            )
            .takingNothing
            .giving(.ok, Example.testedBike, "The bike.", [.eTag])
            .refusing(
                DomainError.ownerSuspended, DomainError.beaconStopped,
                DomainError.tooManyToday(.tests, retryAfter: .seconds(3600))
            ).needing(.owner),
            Operation(
                .post, "/v1/bikes/:bike/beacon/check", "Check a rotating beacon’s clock",
                """
                Send what was heard near the bike just now. The beacon is found by what it sends, if its clock is at most \
                a day ahead and a year behind. A check at least every 180 days keeps the search exact. If the lag has \
                changed by more than two slots, the owner is told; while the bike is missing, such a check is refused.
                """
            )
            .taking(BeaconCheck.rule(now:), BeaconCheck(identities: [Example.identity]))
            .giving(.ok, Example.bike, "The bike, with the `rotation` as measured.", [.eTag])
            .refusing(
                DomainError.beaconNotRotating, DomainError.beaconKeyUnreadable, DomainError.beaconClockDiffers
            ).needing(.manage),
            Operation(
                .post, "/v1/bikes/:bike/transfer", "Offer a bike to a new owner",
                "Not possible while the bike is missing, or in the seven days after."
            )
            .takingNothing.guarded
            .giving(.created, Example.transfer, "The new owner’s code, which is shown only once.")
            .refusing(DomainError.bikeMissing(Example.report.id), DomainError.missingRecently(until: Example.evening))
            .refusing(DomainError.beaconUnproved, DomainError.ownerSuspended)
            .refusing(DomainError.tooManyToday(.transferOffers, retryAfter: .seconds(3600))).needing(.owner),
            Operation(.post, "/v1/transfers", "Take a bike over")
                .taking(TransferAcceptance.rule(now:), TransferAcceptance(code: Example.code)).once
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
                `missingSince` is at most 30 days ago; absent means now. Without a police reference a beacon is \
                searched for seven days in total, across all its reports; with an unconfirmed reference, for another \
                thirty days. `sightingsUntil` says when the search ends. `unheard` is true if stations cannot hear the \
                bike’s rotating beacon, because the registry’s operator has lost the key file (`rotation.unreadable`).
                """
            )
            .taking(MissingReportDraft.rule(now:), Example.reportDraft).once
            .giving(.created, Example.report, "The open report.", [.location])
            .refusing(
                DomainError.reportAlreadyOpen(Example.report.id), DomainError.quotaReached(.openReports, most: 5),
                DomainError.ownerSuspended, DomainError.beaconUnproved,
                DomainError.tooManyToday(.reports, retryAfter: .seconds(3600))
            ).needing(.report),
            Operation(.get, "/v1/bikes/:bike/reports", "List a bike’s reports")
                .listing(Example.report, "A page of reports."),
            Operation(.get, "/v1/bikes/:bike/reports/:report", "Show a report")
                .giving(.ok, Example.report, "The report."),
            Operation(
                .patch, "/v1/bikes/:bike/reports/:report", "Change a report",
                """
                `heldUntil` keeps the sightings for a case, at most two years ahead. Removing the police reference of an \
                open report or shortening `heldUntil` needs a recovery code. All channels get a message about these \
                changes, and about a changed reference.
                """
            )
            .patching(MissingReportPatch.rule(now:), MissingReportPatch(["policeReference": "CAD 4711/21NOV26"]))
            .guarded
            .giving(.ok, Example.report, "The report as it is now.")
            .refusing(
                DomainError.reportAlreadyClosed(Example.report.id),
                DomainError.tooManyToday(.reportChanges, retryAfter: .seconds(3600))
            ).needing(.report),
            Operation(.post, "/v1/bikes/:bike/reports/:report/closure", "Close a report", "All channels get a message.")
                .taking(ReportClosure.rule(now:), Example.closure).once
                .giving(.ok, Example.closedReport, "The closed report.")
                .refusing(DomainError.reportAlreadyClosed(Example.report.id)).needing(.report),
        ]
    }
}
