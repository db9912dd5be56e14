import ArgumentParser
import CommandSupport
import RegistryAPI
import RegistryClient

struct OwnerRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Get a new token with a recovery code, if yours is lost or stolen.",
        discussion: """
            Revoke the lost token afterwards: ‘findmybike owner token list’ shows it.
              findmybike owner recover 7KQ2M-XW9TC-4HJ6D-PPZ0A --registry https://registry.example.org
            """
    )

    @Argument(help: "One of your recovery codes.")
    var code: String

    @Option(help: "The place or device where the new token is used.")
    var name: String?

    @Flag(help: "Replace the token; the previous one is kept in the same folder.")
    var replace = false

    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        try file.prepare(replaces: replace)
        let registry = try options.registry.connectWithoutToken()
        // Not retried: the code works only once, even if the response is lost.
        let recovered = try await recover(at: registry)
        if replace { try file.keepBeside() }
        try file.create(recovered.token)
        try options.registry.rememberAddress()
        try options.show(
            recovered.details,
            "Your new token is in \(file.path). Revoke the lost one: ‘findmybike owner token list’ shows it.")
    }
}

extension OwnerRecoverCommand {
    private func recover(at registry: RegistryConnection) async throws -> OwnerTokenCreated {
        do {
            return try await registry.recover(RecoveryRequest(code: code, name: name))
        } catch RegistryError.refused(let problem, _) where problem.name == "code-unusable" {
            throw CommandFailure(
                .noPermission, "the recovery code is mistyped or already used: type it again, or try another one")
        }
    }
}

struct OwnerRecoveryCodesCommand: RegistryCommand {
    static let configuration = CommandConfiguration(
        commandName: "recovery-codes",
        abstract: "Make new recovery codes; all earlier ones stop working.",
        discussion: "  findmybike owner recovery-codes --recovery-code 7KQ2M-XW9TC-4HJ6D-PPZ0A"
    )

    @Option(help: ArgumentHelp("One of your current recovery codes.", valueName: "code"))
    var recoveryCode: String

    @OptionGroup var options: CallOptions

    func run(at registry: RegistryConnection) async throws {
        let codes = try await registry.replaceRecoveryCodes(recoveryCode: recoveryCode)
        Output.secretFollows(
            ifLost: "The earlier recovery codes no longer work, but the new ones were not printed, and they cannot be "
                + "shown again. Your tokens still work: keep a copy of the token’s file.")
        if options.json { return try Output.json(codes) }
        SecretsPrint.recoveryCodes(codes.recoveryCodes)
    }
}
