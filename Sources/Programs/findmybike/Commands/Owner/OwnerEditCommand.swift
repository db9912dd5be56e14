import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

struct OwnerEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change your account, and how and when you get alerts.",
        discussion: """
            Details that you do not name stay unchanged.
              findmybike owner edit --hide-appearance
              findmybike owner edit --language de --zone Europe/Berlin --quiet-hours 22:00-07:00
            """
    )

    /// The optional details of an account.
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

    func run() async throws {
        let registry = try options.connect()
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
