import ArgumentParser
import CommandLines
import RegistryAPI
import RegistryClient

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
