import ArgumentParser
import Foundation
import RegistryAPI
import RegistryClient

struct OwnerReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Show an owner’s reports and quotas, with the operator’s token.",
        discussion: "  findmybike owner review 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @OptionGroup var owner: ReviewedOwner

    func run() async throws {
        let registry = try owner.options.connect()
        try owner.show(try await patiently { try await registry.review(of: owner.id) })
    }
}

/// The owner whom an operator looks at.
struct ReviewedOwner: ParsableArguments {
    @Argument(help: "The owner’s identifier, as ‘findmybike owner list’ shows it.")
    var id: OwnerID

    @OptionGroup var options: RegistryOptions
    @OptionGroup var output: OutputOptions

    func show(_ review: OwnerReview) throws {
        if output.json { return try Output.json(review) }
        let owner = review.owner
        let quotas = review.quotas
        Output.line(
            "Owner \(owner.id), since \(owner.created.local), last active \(owner.lastActive?.local ?? "never").")
        if let suspended = owner.suspended { Output.line("Suspended since \(suspended.local).") }
        Output.line(
            "\(counted(owner.reports, "report")) so far, \(owner.unconfirmed) without a confirmed police reference.")
        Output.line(
            "\(review.bikes) of \(quotas.bikes) bikes. Allowed besides: \(quotas.channels) channels, \(quotas.tokens) "
                + "tokens, \(quotas.openReports) open reports."
        )
        guard !review.reports.isEmpty else { return }
        Output.table(
            ["REPORT", "OPENED", "CLOSED", "REFERENCE", "STATE", "BEACON"],
            review.reports.map { report in
                [
                    "\(report.id)", report.opened.local, report.closed?.local ?? "", report.policeReference ?? "",
                    report.state, report.beacon.map { "\($0)" } ?? "handed over",
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
        return "unconfirmed, search until \(sightingsUntil.local)"
    }
}
