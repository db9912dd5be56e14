import HTTPTypes
import Registry
import RegistryAPI

extension Operation {
    static var bikes: [Operation] {
        [
            Operation(
                .post, "/v1/bikes", "Register a bike",
                "Without `identity` the registry allocates one; set the beacon to it."
            )
            .taking(BikeDraft.rule(now:), Example.bikeDraft).once
            .giving(.created, Example.bike, "The bike with its beacon’s identity.", [.location])
            .refusing(.domain(.identityTaken), .domain(.identitiesExhausted)),
            Operation(.get, "/v1/bikes", "List my bikes").listing(Example.bike, "A page of bikes."),
            Operation(.get, "/v1/bikes/:bike", "Show a bike").giving(.ok, Example.bike, "The bike."),
        ]
    }

    static var reports: [Operation] {
        [
            Operation(
                .post, "/v1/bikes/:bike/reports", "Report a bike missing",
                "`missingSince` is at most 30 days ago; absent means now."
            )
            .taking(MissingReportDraft.rule(now:), Example.reportDraft).once
            .giving(.created, Example.report, "The open report.", [.location])
            .refusing(.domain(.reportAlreadyOpen(Example.report.id))),
            Operation(.get, "/v1/bikes/:bike/reports", "List a bike’s reports")
                .listing(Example.report, "A page of reports."),
            Operation(.get, "/v1/bikes/:bike/reports/:report", "Show a report")
                .giving(.ok, Example.report, "The report."),
            Operation(.post, "/v1/bikes/:bike/reports/:report/closure", "Close a report")
                .taking({ _ in ReportClosure.rule }, Example.closure).once
                .giving(.ok, Example.closedReport, "The closed report.")
                .refusing(.domain(.reportAlreadyClosed(Example.report.id))),
        ]
    }
}
