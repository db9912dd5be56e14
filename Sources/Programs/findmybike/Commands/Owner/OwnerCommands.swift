import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient
import Terminal

struct OwnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "owner",
        abstract: "Your account at the registry.",
        subcommands: [
            OwnerCreateCommand.self, OwnerShowCommand.self, OwnerEditCommand.self, OwnerTokenCommand.self,
            OwnerRecoverCommand.self, OwnerRecoveryCodesCommand.self, OwnerExportCommand.self, OwnerEraseCommand.self,
            OwnerInviteCommand.self, OwnerListCommand.self, OwnerReviewCommand.self, OwnerSuspendCommand.self,
            OwnerResumeCommand.self, OwnerVerifyCommand.self, OwnerQuotaCommand.self,
        ]
    )
}

struct OwnerCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an owner and store its token.",
        discussion: """
            The registry does not ask for a name or an address. Anyone who has the token can act as the owner: keep a \
            copy, and the recovery codes on paper. ‘findmybike login’ does the same, and also accepts an existing token.
              findmybike owner create --registry https://registry.example.org
            """
    )

    @Option(help: ArgumentHelp("The operator’s invitation, if the registry requires one.", valueName: "code"))
    var invitation: String?

    @Flag(help: "Do not tell stations that hear a missing bike what it looks like.")
    var hideAppearance = false

    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        try file.checkVacant()
        try file.prepare(replaces: false)
        let registry = try options.registry.connectWithoutToken()
        let draft = OwnerDraft(invitation: invitation, tellsAppearance: hideAppearance ? false : nil)
        let created = try await registry.createOwner(draft)
        try file.create(created.token)
        // Recovery codes are shown once, so print them whatever else fails.
        let remembered = Result { try options.registry.rememberAddress() }
        SecretsPrint.recoveryCodesFollow(of: created.owner.id, tokenIn: file.path)
        if options.json {
            try Output.json(Shown(owner: created.owner, recoveryCodes: created.recoveryCodes))
        } else {
            Output.line("Owner \(created.owner.id) created. Its token is in \(file.path): keep a copy of that file.")
            SecretsPrint.recoveryCodes(created.recoveryCodes)
        }
        try remembered.get()
    }

    /// The result without the token, which is in its file.
    private struct Shown: Encodable {
        let owner: Owner
        let recoveryCodes: [String]
    }
}

struct OwnerInviteCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite somebody to become an owner, with the operator’s token.",
        discussion: "  findmybike owner invite --token-file operator-token"
    )

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let invitation = try await registry.inviteOwner()
        Output.secretFollows(
            ifLost: "An invitation was made that works until \(invitation.expires.local), but its code was not "
                + "printed, so nobody has it. Make another.")
        if options.json { return try Output.json(invitation) }
        Output.line("Invitation for one owner, valid until \(invitation.expires.local):")
        Output.line("  findmybike login \(registry.url) --invitation \(invitation.code)")
    }
}

struct OwnerShowCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show your account.",
        discussion: "  findmybike owner show")

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let owner = try await registry.owner()
        try owner.show(options)
    }
}

extension Owner {
    /// Prints the account.
    func show(_ options: CallOptions) throws {
        if options.json { return try Output.json(self) }
        Output.line("Owner \(id), since \(created.local).")
        Output.line("\(counted(recoveryCodes, "recovery code")) left.")
        Output.line(
            tellsAppearance
                ? "Stations that hear a missing bike learn what it looks like."
                : "Stations that hear a missing bike do not learn what it looks like."
        )
        Output.line("Alerts are in the language ‘\(language.rawValue)’, with times in \(zone ?? "UTC").")
        let quiet = quietHours.map { "Quiet hours are from \($0.from) to \($0.to)." }
        Output.line(quiet ?? "Alerts are sent at any time: no quiet hours are set.")
    }
}

struct OwnerEditCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change your account, and how and when you get alerts.",
        discussion: """
            Details that you do not name stay unchanged.
              findmybike owner edit --hide-appearance
              findmybike owner edit --language de --zone Europe/Berlin --quiet-hours 22:00-07:00
            """
    )

    /// The details of an account that can be removed.
    enum Detail: String, ExpressibleByArgument, CaseIterable {
        case zone
        case quietHours = "quiet-hours"
    }

    @Flag(
        inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Do not tell stations what your bike looks like."
    )
    var hideAppearance: Bool?

    @Option(help: "The language of alerts: en or de.")
    var language: AlertLanguage?

    @Option(help: ArgumentHelp("Your time zone’s IANA name, as in Europe/Berlin.", valueName: "name"))
    var zone: String?

    @Option(
        help: ArgumentHelp(
            "When no alerts are sent; they arrive together afterwards.", valueName: "from-to"
        )
    )
    var quietHours: QuietHours?

    @Option(help: "zone or quiet-hours; can be repeated.")
    var remove: [Detail] = []

    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard try !patch.isEmpty else { throw ValidationError("Name at least one detail to change.") }
    }

    func run(at registry: RegistryConnection) async throws {
        let owner = try await registry.change(patch, recoveryCode: recovery.recoveryCode)
        try owner.show(options)
    }

    private var patch: OwnerPatch {
        get throws {
            var patch = OwnerPatch()
            try patch.set("tellsAppearance", hideAppearance.map { !$0 })
            try patch.set("language", language)
            try patch.set("zone", zone, isRemoved: remove.contains(.zone))
            try patch.set("quietHours", quietHours, isRemoved: remove.contains(.quietHours))
            return patch
        }
    }
}

struct OwnerEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase your account with all bikes, reports and sightings. This cannot be undone.",
        discussion: """
            Export your data first.
              findmybike owner export --output me.json
              findmybike owner erase
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var recovery: RecoveryOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let settings = try options.settings()
        let registry = try options.connect()
        let owner = try await registry.owner()
        try confirmation.confirm("Permanently erase owner \(owner.id) with all bikes, reports and sightings?")
        try await registry.eraseOwner(recoveryCode: recovery.recoveryCode)
        try options.show(
            ["erased": "\(owner.id)"],
            "Owner \(owner.id) was erased. The token in \(TokenFile(settings).path) no longer works.")
    }
}
