import ArgumentParser
import CommandSupport
import Foundation
import RegistryAPI
import RegistryClient
import Settings

/// `findmybike login`: stores the registry's address and a token, which may be that of a new account.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Log in to a registry, with your token or a new account.",
        discussion: """
            Asks for the token; a script can send it on standard input. Without one, the command creates an account. It \
            stores the registry’s address and the token in ~/.config/findmybike, and all other commands use them.
              findmybike login https://registry.example.org
              findmybike login https://registry.example.org --new
              cat operator-token | findmybike login https://registry.example.org
            """
    )

    @Argument(help: "The registry’s address.")
    var url: String

    @Flag(help: "Create an account.")
    var new = false

    @Option(help: ArgumentHelp("The operator’s invitation, if the registry requires one.", valueName: "code"))
    var invitation: String?

    @Flag(help: "Replace the token; the previous one is kept in the same folder.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "PEM file of the authority behind the registry’s certificate, if it is not a public one.",
            valueName: "path"))
    var certificateAuthority: String?

    @Option(name: .long, help: ArgumentHelp("File for the token.", valueName: "path"))
    var tokenFile: String?

    @Flag(
        name: .customLong("default"),
        help: "With --token-file: use this account by default from now on, instead of another.")
    var isDefault = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        var options = RegistryOptions()
        // Later commands may run in another folder.
        options.tokenFile = tokenFile.map { URL(fileURLWithPath: $0).path }
        options.certificateAuthority = certificateAuthority.map { URL(fileURLWithPath: $0).path }
        (options.registry, options.config) = (url, nil)
        let file = TokenFile(try options.settings())
        try file.prepare(replaces: replace)
        let usual = try usualAccount(file)
        let login = try await login(options)
        if replace { try file.keepBeside() }
        try file.create(login.token)
        // Recovery codes are shown once, so print them whatever else fails.
        let remembered = Result { if usual == nil { try options.rememberAddress(replacing: true) } }
        if let owner = login.owner, login.recoveryCodes != nil {
            SecretsPrint.recoveryCodesFollow(of: owner.id, tokenIn: file.path)
        }
        try show(login, file)
        try remembered.get()
        guard let usual else { return }
        Output.remark(
            "other commands still use the account at \(usual). For this one add --token-file \(file.path) --registry "
                + "\(WebAddress.completed(url)), or make it the default: ‘findmybike login’ with --default")
    }

    /// The file of another account that commands use now; nil if there is none, or if this account will replace it.
    private func usualAccount(_ file: TokenFile) throws -> String? {
        guard tokenFile != nil, !isDefault else { return nil }
        let settings = try RegistryOptions.standard.settings()
        let usual = TokenFile(settings)
        guard settings.value(CommandSettings.registryURL) != nil, usual.exists, usual.path != file.path else {
            return nil
        }
        return usual.path
    }

    /// Takes the token that is typed or sent, or else creates an account.
    private func login(_ options: RegistryOptions) async throws -> Login {
        guard !new, invitation == nil, let token = try TokenPrompt.read() else {
            return try await createAccount(options)
        }
        return try await Login(token: token, options)
    }

    private func createAccount(_ options: RegistryOptions) async throws -> Login {
        let registry = try options.connectWithoutToken()
        let draft = OwnerDraft(invitation: invitation)
        let created = try await registry.createOwner(draft)
        return Login(token: created.token, owner: created.owner, recoveryCodes: created.recoveryCodes)
    }

    private func show(_ login: Login, _ file: TokenFile) throws {
        if output.json { return try Output.json(login) }
        let holder = login.owner.map { TokenOwner.owner($0) } ?? .operator
        Output.line("At \(WebAddress.completed(url)) you are \(holder.words).")
        Output.line("The token is in \(file.path): anyone who has it can act as you. Keep a copy of that file.")
        if let codes = login.recoveryCodes { SecretsPrint.recoveryCodes(codes) }
    }
}

/// The holder of a token.
private struct Login: Encodable {
    let token: String
    /// The owner; nil for an operator.
    var owner: Owner?
    /// Those of a new account; nil for one that existed.
    var recoveryCodes: [String]?

    /// The token is in its file, and not printed.
    private enum CodingKeys: CodingKey { case owner, recoveryCodes }

    init(token: String, owner: Owner, recoveryCodes: [String]) {
        (self.token, self.owner, self.recoveryCodes) = (token, owner, recoveryCodes)
    }

    /// Requests the token's holder from the registry.
    init(token: String, _ options: RegistryOptions) async throws {
        self.token = token
        do {
            let holder = try await TokenOwner.ask(try options.connect(token: token))
            if case .station = holder {
                throw CommandFailure(
                    .noPermission, "this is the token of a station, which belongs on the station’s machine")
            }
            owner = holder.owner
        } catch RegistryError.refused(let problem, _) where problem.status == 401 {
            throw CommandFailure(.noPermission, "the registry does not know this token: copy all of it, or use another")
        }
    }
}

/// `findmybike logout`: removes the stored token.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token from this machine, and the one that it replaced.",
        discussion: """
            Copies of the token stay valid, and so does a previous token that --replace kept in token.bak: \
            ‘findmybike owner token revoke’ revokes a token everywhere. Without a copy of the token or a recovery code, \
            you cannot get back into the account.
              findmybike logout
            """
    )

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        let file = TokenFile(try options.settings())
        // Fails if there is no token.
        _ = try file.read()
        let andEarlier = file.earlier.map { " and the earlier one in \($0)" } ?? ""
        try confirmation.confirm(
            "Remove the token in \(file.path)\(andEarlier)? You then need a copy of it or a recovery code to use the "
                + "account.")
        let removed = [file.path, file.earlier].compactMap(\.self)
        try file.remove()
        try options.show(
            ["removed": file.path],
            "Removed \(removed.joined(separator: " and ")). ‘findmybike login URL’ logs in again.")
    }
}
