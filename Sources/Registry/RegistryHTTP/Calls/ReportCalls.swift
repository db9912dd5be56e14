import Evidence
import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The calls for missing reports.
struct ReportCalls {
    let operations: RegistryOperations
    let store: any RegistryStore
    let files: MadeFiles

    func add(to calls: Calls<OwnerContext>) {
        calls.post(
            "/v1/bikes/:bike/reports", .report, "Report a bike missing",
            """
            `missingSince` is at most 30 days ago; absent means now. Without a police reference a beacon is \
            searched for seven days in total, across all its reports; with an unconfirmed reference, for another \
            thirty days. `sightingsUntil` says when the search ends. `unheard` is true if stations cannot hear the \
            bike’s rotating beacon, because the registry’s operator has lost the key file (`rotation.unreadable`).
            """
        )
        .taking(Example.reportDraft).once.needing(.report)
        .refusing(
            .reportAlreadyOpen(Example.report.id), .quotaReached(.openReports, most: 5), .ownerSuspended,
            .beaconUnproved
        )
        .daily(.reports)
        .creating(Example.report, "The open report.", id: \.id) { request in
            let bike: BikeID = try request.id("bike")
            return try await operations.openReport(request.body, on: bike, of: request.owner, once: request.once)
        }

        calls.get("/v1/bikes/:bike/reports", .read, "List a bike’s reports")
            .listing(Example.report, "A page of reports.") { request, page in
                try await store.reports(on: try request.id("bike"), of: request.owner, page)
            }

        calls.get("/v1/bikes/:bike/reports/:report", .read, "Show a report")
            .answering(Example.report, "The report.") { try await operations.report(try $0.report()) }

        calls.get(
            "/v1/bikes/:bike/reports/:report/stations", .read, "Count the stations that listen",
            """
            `nearest` is rounded up to 100 m, and beyond 2 km to 1 km: owners learn no station’s place from it. `odds` says \
            how often earlier searches were heard within a day, from \(SearchOdds.leastSearches) on. It is rounded and \
            changes once a day: owners learn nothing about a single search from it.
            """
        )
        .answering(Example.listeningStations, "The stations that listen now.") {
            try await operations.listeningStations(for: try $0.report())
        }

        // No If-Match: each field is set independently, and the change may be urgent.
        calls.patch(
            "/v1/bikes/:bike/reports/:report", .report, "Change a report",
            """
            `missingSince` of an open report can be corrected; it is never later than `opened`. \
            `heldUntil` keeps the sightings for a case, at most two years ahead. Removing the police reference of an \
            open report or shortening `heldUntil` needs a recovery code. All channels get a message about these \
            changes, about a changed reference, and about a later `missingSince`.
            """
        )
        .patching(MissingReportPatch(["policeReference": "CAD 4711/21NOV26"]))
        .guarded.needing(.report).refusing(.reportAlreadyClosed(Example.report.id)).daily(.reportChanges)
        .answering(Example.report, "The report as it is now.") { request in
            let report = try request.report()
            return try await operations.store.changeReport(
                report.id, on: report.bike, request.body, by: request.act(operations))
        }

        calls.post(
            "/v1/bikes/:bike/reports/:report/closure", .report, "Close a report", "All channels get a message."
        )
        .taking(Example.closure).once.needing(.report).refusing(.reportAlreadyClosed(Example.report.id))
        .answering(Example.closedReport, "The closed report.") { request in
            let report = try request.report()
            return try await operations.store.closeReport(
                report.id, on: report.bike, request.body, by: request.act(operations), once: request.once)
        }

        calls.get(
            "/v1/bikes/:bike/reports/:report/evidence", .read, "Get the evidence pack",
            """
            One signed archive for the police, with its limits in plain words. An owner gets one such archive, or \
            trail as a file, at a time. If many are read, the connection of the slowest reader ends.
            """
        )
        .needing(.report).refusing(.signingKeyMissing, .overloaded)
        .giving(.ok, "The archive.", content: [.opaque(EvidencePack.mediaType)])
        .responding { request in
            let report = try request.report()
            return try await files.respond(to: request.http, request.context) {
                MadeFiles.File(
                    bytes: try await operations.evidencePack(of: report), mediaType: EvidencePack.mediaType,
                    headers: [.contentDisposition: "attachment; filename=\"evidence-\(report.id).zip\""])
            }
        }
    }
}
