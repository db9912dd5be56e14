import ArgumentParser
import CommandLines
import Files
import Foundation
import HTTPClient
import MonitorConfiguration
import RegistryClient
import Settings
import Terminal

/// Every setting of the command line.
enum CommandSettings {
    static let registryURL = Setting.httpURL("registry.url", "The registry’s address.")
    static let certificateAuthority = Setting.path(
        "registry.certificateAuthority",
        "PEM file of the authority behind the registry’s certificate, if it is not a public one."
    )
    static let tokenFile = Setting.path(
        "tokenFile",
        default: "~/.config/findmybike/token",
        "File with the token to act with; only its owner may read it."
    )

    static let mapLink = DefaultedSetting(
        Setting(
            "mapLink", form: "an address that holds {latitude} and {longitude}, or none",
            "A map that sightings are shown with a link to. Nothing is sent there before you open it.",
            parse: { text in
                let isMap = ["{latitude}", "{longitude}"].allSatisfy { text.contains($0) }
                return isMap || text == "none" ? text : nil
            }
        ),
        default: "https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}"
    )

    static let all: [any SettingDefinition] = [registryURL, certificateAuthority, tokenFile, mapLink]
}

/// Options that every call to the registry shares.
struct RegistryOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The registry’s address.", valueName: "url"))
    var registry: String?

    @Option(name: .long, help: ArgumentHelp("File with the token to act with.", valueName: "path"))
    var tokenFile: String?

    @Option(
        name: .long, help: ArgumentHelp("Settings file instead of ~/.config/findmybike/config.yaml.", valueName: "path")
    )
    var config: String?

    /// Of the registry’s certificate; no option of most commands, since the settings name it.
    var certificateAuthority: String?

    /// `certificateAuthority` is set by programs alone.
    private enum CodingKeys: CodingKey { case registry, tokenFile, config }

    /// Those of a command without any option.
    static var standard: RegistryOptions {
        var options = RegistryOptions()
        (options.registry, options.tokenFile, options.config) = (nil, nil, nil)
        return options
    }

    /// The settings file, whether it exists or not.
    private var file: String { config ?? HomePath.expand("~/.config/findmybike/config.yaml") }

    /// The settings with these options on top.
    func settings() throws(SettingsError) -> ProgramSettings {
        var arguments: [String: String] = [:]
        arguments[CommandSettings.certificateAuthority.key] = certificateAuthority
        arguments[CommandSettings.registryURL.key] = registry.map(WebAddress.completed)
        arguments[CommandSettings.tokenFile.key] = tokenFile
        Self.warnOnce
        let exists = FileManager.default.fileExists(atPath: file)
        return try ProgramSettings(
            known: CommandSettings.all,
            file: config ?? (exists ? file : nil),
            arguments: arguments,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// Warns of mistyped variables. A venue’s machine may hold the monitor’s, which ‘findmybike venue’ reads.
    private static let warnOnce: Void = {
        let warnings = ProgramSettings.strangers(
            in: ProcessInfo.processInfo.environment, known: CommandSettings.all, others: MonitorSettings.all)
        warnings.forEach { Output.remark("warning: \($0)") }
    }()

    /// The registry, ready for calls with the stored token.
    ///
    /// - Parameters:
    ///   - responseLimit: bytes of an answer; nil for what is usual.
    ///   - timeout: of a call; nil for what is usual.
    ///   - retries: how calls are repeated; nil for one attempt.
    func connect(
        responseLimit: Int? = nil, timeout: Duration? = nil, retries: Retries? = .forPeople
    ) throws -> RegistryConnection {
        let settings = try settings()
        return try connect(
            settings, token: try TokenFile(settings).read(), responseLimit: responseLimit, timeout: timeout,
            retries: retries)
    }

    /// The registry, ready for calls with a token that is not stored yet.
    func connect(token: String) throws -> RegistryConnection {
        try connect(try settings(), token: token)
    }

    /// Keeps the registry’s address in the settings file, so that the next command needs no option.
    ///
    /// - Parameter replacing: whether another address may give way; otherwise one that is there stays, and so do the
    ///   settings if an option names the token's file.
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

    /// The registry, ready for the calls that need no token.
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
                "no registry is named: ‘findmybike login URL’ makes one the usual; --registry or FINDMYBIKE_REGISTRY_URL "
                    + "names one")
        }
        return try RegistryConnection(
            url: url,
            token: token,
            http: try HTTPConnection(configuration),
            retries: retries,
            transport: { send in try await Progress.during("asking the registry") { try await send() } }
        )
    }
}

extension Retries {
    /// A few repetitions: a person waits some seconds for a registry or a network that fails, and no longer.
    static let forPeople = Retries(
        RetryPolicy(base: .milliseconds(500), ceiling: .seconds(4), attempts: 3, patience: .seconds(10)),
        sleep: { delay in try await Progress.during("asking the registry") { try await Task.sleep(for: delay) } })
}

/// Resolves a leading `~/`, which no shell has seen in a settings file; XDG_CONFIG_HOME replaces `~/.config`.
enum HomePath {
    static func expand(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/"), path.hasPrefix("~/.config/") {
            return folder + path.dropFirst("~/.config".count)
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return home + path.dropFirst(1)
    }
}
