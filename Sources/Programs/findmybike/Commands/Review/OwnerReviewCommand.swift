import ArgumentParser
import CommandLines
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct OwnerReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Show an owner’s reports and quotas, with the operator’s token.",
        discussion: "  findmybike owner review 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @OptionGroup var owner: ReviewedOwner

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try owner.show(try await registry.review(of: id))
    }
}

/// The owner whom an operator reviews.
struct ReviewedOwner: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The owner’s identifier or its beginning, as ‘findmybike owner list’ shows it.", valueName: "owner"))
    var name: String

    @OptionGroup var options: CallOptions

    func find(at registry: RegistryConnection) async throws -> OwnerID {
        if let id = OwnerID(name) { return id }
        let owners = try await RegistryConnection.all { try await registry.owners(after: $0) }
        return try Choice(noun: "owner", list: "findmybike owner list", id: { "\($0.id)" }) { _ in [] }
            .pick(name, among: owners).id
    }

    func show(_ review: OwnerReview) throws {
        if options.json { return try Output.json(review) }
        let owner = review.owner
        let quotas = review.quotas
        Output.line(
            "Owner \(owner.id), since \(owner.created.local), last active \(owner.lastActive?.local ?? "never").")
        if let suspended = owner.suspended { Output.line("Suspended since \(suspended.local).") }
        if let verified = owner.verified { Output.line("Verified on \(verified.local).") }
        Output.line(
            "\(counted(owner.reports, "report")) so far, \(owner.unconfirmed) without a confirmed police reference.")
        let allowed = [
            counted(quotas.bikes, "bike"), counted(quotas.channels, "channel"), counted(quotas.tokens, "token"),
            counted(quotas.openReports, "open report"), counted(quotas.photos, "photo"),
        ]
        Output.line("Has \(counted(review.bikes, "bike")). Allowed: \(allowed.joined(separator: ", ")).")
        guard !review.reports.isEmpty else { return }
        Output.table(
            ["REPORT", "OPENED", "CLOSED", "REFERENCE", "STATE", "BEACON"],
            review.reports.map { report in
                [
                    "\(report.id)", report.opened.local, report.closed?.local ?? "", report.policeReference ?? "",
                    report.state, report.beacon?.text(rotating: report.rotating) ?? "handed over",
                ]
            }
        )
    }
}

extension ReportReview {
    fileprivate var state: String {
        if let stopped { return "beacon stopped since \(stopped.local)" }
        if let confirmed { return "confirmed on \(confirmed.local)" }
        guard closed == nil, let sightingsUntil else { return "unconfirmed" }
        return sightingsUntil <= .now
            ? "unconfirmed, search ended on \(sightingsUntil.local)"
            : "unconfirmed, search until \(sightingsUntil.local)"
    }
}
