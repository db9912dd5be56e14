import ArgumentParser
import CommandSupport
import Foundation
import HTTPClient
import MonitorConfiguration
import OperatingSystem
import RegistryClient
import Settings
import Terminal

/// The options shared by every call to the registry.
struct RegistryOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The registry’s address.", valueName: "url"))
    var registry: String?

    @Option(name: .long, help: ArgumentHelp("File with the token to use.", valueName: "path"))
    var tokenFile: String?

    @Option(
        name: .long, help: ArgumentHelp("Settings file instead of ~/.config/findmybike/config.yaml.", valueName: "path")
    )
    var config: String?

    /// The authority of the registry's certificate; an option of few commands, since the settings usually contain it.
    var certificateAuthority: String?

    /// `certificateAuthority` is set only by code.
    private enum CodingKeys: CodingKey { case registry, tokenFile, config }

    /// The options of a command without any option given.
    static var standard: RegistryOptions {
        var options = RegistryOptions()
        (options.registry, options.tokenFile, options.config) = (nil, nil, nil)
        return options
    }

    /// The settings file, whether it exists or not.
    private var file: String { config ?? HomePath.expand("~/.config/findmybike/config.yaml") }

    /// The source of the registry's address, in the order of precedence of ``settings()``.
    private var addressSource: String {
        let variable = ProgramSettings.environmentVariable(forKey: CommandSettings.registryURL.key)
        if registry != nil { return "from the command line" }
        return ExecutionEnvironment.current.variables[variable] == nil ? "from \(file)" : "from \(variable)"
    }

    /// The settings, overridden by these options.
    func settings() throws(SettingsError) -> ProgramSettings {
        var arguments: [String: String] = [:]
        arguments[CommandSettings.certificateAuthority.key] = certificateAuthority
        arguments[CommandSettings.registryURL.key] = registry.map(WebAddress.completed)
        arguments[CommandSettings.tokenFile.key] = tokenFile
        Self.warnOfMisspeltVariables()
        let exists = FileManager.default.fileExists(atPath: file)
        return try ProgramSettings(
            known: CommandSettings.all,
            file: config ?? (exists ? file : nil),
            arguments: arguments,
            environment: ExecutionEnvironment.current.variables
        )
    }

    /// Warns about misspelt variables. A venue's machine may have the monitor's variables, which ‘findmybike venue’
    /// reads.
    private static func warnOfMisspeltVariables() {
        ProgramSettings.warnings(
            in: ExecutionEnvironment.current.variables, known: CommandSettings.all, others: MonitorSettings.all
        ).forEach(Output.warn)
    }

    /// A connection to the registry with the stored token.
    ///
    /// - Parameters:
    ///   - responseLimit: the maximum size of a response in bytes; nil for the default.
    ///   - timeout: the timeout of a call; nil for the default.
    ///   - retries: how calls are retried; nil for a single attempt.
    func connect(
        responseLimit: Int? = nil, timeout: Duration? = nil, retries: Retries? = .forPeople
    ) throws -> RegistryConnection {
        let settings = try settings()
        return try connect(
            settings, token: try TokenFile(settings).read(), responseLimit: responseLimit, timeout: timeout,
            retries: retries)
    }

    /// A connection to the registry with a token that is not stored yet.
    func connect(token: String) throws -> RegistryConnection {
        try connect(try settings(), token: token)
    }

    /// Stores the registry's address in the settings file, so that the next command needs no option.
    ///
    /// - Parameter replacing: whether to replace another address; otherwise an existing address stays, and so do the
    ///   settings if an option gives the token's file.
    func rememberAddress(replacing: Bool = false) throws {
        var others = self
        others.registry = nil
        let isFirst = try tokenFile == nil && others.settings().value(CommandSettings.registryURL) == nil
        guard replacing || isFirst else { return }
        let settings = try settings()
        var changes: [(key: String, value: String?)] = [
            (CommandSettings.registryURL.key, settings.value(CommandSettings.registryURL))
        ]
        if certificateAuthority != nil {
            changes.append(
                (CommandSettings.certificateAuthority.key, settings.value(CommandSettings.certificateAuthority)))
        }
        if let tokenFile { changes.append((CommandSettings.tokenFile.key, tokenFile)) }
        try SecretFile.makeFolder(of: file)
        _ = try SettingsFileEditor(path: file).apply(changes)
    }

    /// A connection to the registry for calls that need no token.
    func connectWithoutToken() throws -> RegistryConnection {
        try connect(try settings(), token: nil)
    }

    private func connect(
        _ settings: ProgramSettings, token: String?, responseLimit: Int? = nil, timeout: Duration? = nil,
        retries: Retries? = .forPeople
    ) throws -> RegistryConnection {
        var configuration = HTTPConfiguration(
            userAgent: "findmybike/\(FindMyBike.configuration.version)",
            certificateAuthorityFile: settings.value(CommandSettings.certificateAuthority).map(HomePath.expand)
        )
        if let responseLimit { configuration.responseLimit = responseLimit }
        if let timeout { configuration.timeout = timeout }
        guard let url = settings.value(CommandSettings.registryURL) else {
            throw CommandFailure(
                .configuration,
                "no registry is set: run ‘findmybike login URL’ once, or give --registry or FINDMYBIKE_REGISTRY_URL")
        }
        ExecutionEnvironment.current.server = "\(url) (\(addressSource))"
        return try RegistryConnection(
            url: url,
            token: token,
            http: try HTTPConnection(configuration),
            retries: retries,
            transport: { send in try await Progress.during("contacting the registry") { try await send() } }
        )
    }
}

extension Retries {
    /// A few retries: a person waits only a few seconds for a registry or a network that fails.
    static let forPeople = Retries(
        RetryPolicy(base: .milliseconds(500), ceiling: .seconds(4), attempts: 3, patience: .seconds(10)),
        sleep: { delay in try await Progress.during("contacting the registry") { try await Task.sleep(for: delay) } })
}
