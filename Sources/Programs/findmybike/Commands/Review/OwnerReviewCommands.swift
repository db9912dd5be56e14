import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct OwnerListCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the owners, with the operator’s token: those with the most unconfirmed reports first.",
        discussion: "  findmybike owner list --token-file operator-token"
    )

    @Option(help: ArgumentHelp("The maximum number, 1–10000.", valueName: "count"))
    var most = 100

    @OptionGroup var options: CallOptions

    func validate() throws {
        guard (1...10_000).contains(most) else { throw ValidationError("--most must be 1 to 10000.") }
    }

    func run(at registry: RegistryConnection) async throws {
        var owners: [OwnerSummary] = []
        var cursor: String?
        repeat {
            let page = try await registry.owners(after: cursor)
            owners += page.items
            cursor = page.next
        } while cursor != nil && owners.count < most
        try options.output.list(owners.prefix(most), ["ID", "REPORTS", "UNCONFIRMED", "ACTIVE", "STATE"]) { owner in
            [
                "\(owner.id)", "\(owner.reports)", "\(owner.unconfirmed)", owner.lastActive?.local ?? "never",
                owner.suspended.map { "suspended since \($0.local)" } ?? "",
            ]
        }
    }
}

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

struct OwnerVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say that you know who an owner is, with the operator’s token.",
        discussion: """
            Do it after you have checked a name and an address; neither is stored. The owner’s beacons are then never \
            treated as new, and rotating beacons can be limited to verified owners (beacons.rotatingFor).
              findmybike owner verify 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Flag(help: "Withdraw the verification.")
    var withdraw = false

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try owner.show(withdraw ? try await registry.unverifyOwner(id) : try await registry.verifyOwner(id))
    }
}

struct OwnerSuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Stop searching for all of an owner’s bikes, with the operator’s token.",
        discussion: """
            The owner gets a message on all channels, with the reason.
              findmybike owner suspend 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --reason "Reports of beacons of others"
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Option(help: ArgumentHelp("The reason, for the owner, at most 500 characters.", valueName: "text"))
    var reason: String?

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try confirmation.confirm("Stop searching for all of this owner’s bikes?")
        let reason = OperatorReason(reason: reason)
        try owner.show(try await registry.suspendOwner(id, reason))
    }
}

struct OwnerResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lift an owner’s suspension, with the operator’s token.",
        discussion: "  findmybike owner resume 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"
    )

    @OptionGroup var owner: ReviewedOwner

    func run() async throws {
        let registry = try owner.options.connect()
        let id = try await owner.find(at: registry)
        try owner.show(try await registry.resumeOwner(id))
    }
}

struct OwnerQuotaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quota",
        abstract: "Set one owner’s quotas, with the operator’s token.",
        discussion: """
            Quotas that you leave out follow the registry’s settings again.
              findmybike owner quota 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 --bikes 200 --open-reports 20
            """
    )

    @OptionGroup var owner: ReviewedOwner

    @Option(help: ArgumentHelp("Bikes.", valueName: "count"))
    var bikes: Int?

    @Option(help: ArgumentHelp("Channels.", valueName: "count"))
    var channels: Int?

    @Option(help: ArgumentHelp("Tokens.", valueName: "count"))
    var tokens: Int?

    @Option(help: ArgumentHelp("Open missing reports.", valueName: "count"))
    var openReports: Int?

    @Option(help: ArgumentHelp("Photos.", valueName: "count"))
    var photos: Int?

    func run() async throws {
        let registry = try owner.options.connect()
        let exceptions = QuotaExceptions(
            bikes: bikes, channels: channels, tokens: tokens, openReports: openReports, photos: photos)
        let id = try await owner.find(at: registry)
        try owner.show(try await registry.setQuotas(of: id, exceptions))
    }
}
