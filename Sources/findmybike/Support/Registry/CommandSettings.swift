import ArgumentParser
import Foundation
import HTTPClient
import RegistryClient
import Settings
import Terminal

/// Every setting of the command line.
enum CommandSettings {
    static let registryURL = Setting.httpURL("registry.url", "The registry’s address.")
    static let certificateAuthority = Setting.path(
        "registry.certificateAuthority",
        "PEM file of the authority behind the registry’s certificate, where it is not a public one."
    )
    static let tokenFile = Setting.path(
        "tokenFile",
        default: "~/.config/findmybike/token",
        "File with the token to act with; only its owner may read it."
    )

    static let all: [any SettingDefinition] = [registryURL, certificateAuthority, tokenFile]
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

    /// The settings with these options on top.
    func settings() throws(SettingsError) -> ProgramSettings {
        var arguments: [String: String] = [:]
        arguments[CommandSettings.registryURL.key] = registry
        arguments[CommandSettings.tokenFile.key] = tokenFile
        let standard = HomePath.expand("~/.config/findmybike/config.yaml")
        let exists = FileManager.default.fileExists(atPath: standard)
        return try ProgramSettings(
            known: CommandSettings.all,
            file: config ?? (exists ? standard : nil),
            arguments: arguments,
            environment: ProcessInfo.processInfo.environment
        )
    }

    /// The registry, ready for calls with the stored token.
    ///
    /// - Parameter responseLimit: bytes of an answer; nil for what is usual.
    func connect(responseLimit: Int? = nil) throws -> RegistryConnection {
        let settings = try settings()
        return try connect(settings, token: try TokenFile(settings).read(), responseLimit: responseLimit)
    }

    /// The registry, ready for the calls that need no token.
    func connectWithoutToken() throws -> RegistryConnection {
        try connect(try settings(), token: nil)
    }

    private func connect(
        _ settings: ProgramSettings, token: String?, responseLimit: Int? = nil
    ) throws -> RegistryConnection {
        var configuration = HTTPConfiguration(
            userAgent: "findmybike/\(FindMyBike.configuration.version)",
            certificateAuthorityFile: settings.value(CommandSettings.certificateAuthority).map(HomePath.expand)
        )
        if let responseLimit { configuration.responseLimit = responseLimit }
        return try RegistryConnection(
            url: try settings.required(CommandSettings.registryURL),
            token: token,
            http: try HTTPConnection(configuration),
            way: { send in try await Progress.during("asking the registry") { try await send() } }
        )
    }
}

/// Resolves a leading `~/`, which no shell has seen in a settings file.
enum HomePath {
    static func expand(_ path: String) -> String {
        guard path.hasPrefix("~/") else { return path }
        let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
        return home + path.dropFirst(1)
    }
}
