import CommandSupport
import Foundation
import Logging
import Monitor
import MonitorConfiguration
import OperatingSystem
import RegistryClient
import Settings

/// What a container does before it listens.
struct ContainerPreparation: Sendable {
    /// The path of the app's options, which need not exist.
    let options: String
    /// The path of the monitor's settings file.
    let file: String
    /// The folder for secrets that end with the container.
    let secrets: String
    let environment: [String: String]
    let logger: Logger
    /// Home Assistant's Supervisor, by the token of an app.
    var supervisor: @Sendable (String) -> Supervisor = { Supervisor(token: $0) }

    /// The token for the Supervisor; nil if this is not an app.
    private var supervisorToken: String? {
        environment[Supervisor.tokenVariable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether people set options, as in an app, and not the environment.
    var hasOptions: Bool { FileManager.default.fileExists(atPath: options) }

    /// What happens after a failure that may pass.
    private static let remedy = "It tries again every 30 seconds"

    private var tokenFile: String { secrets + "/home-assistant.token" }
    private var passwordFile: String { secrets + "/broker.password" }

    /// The settings of every app; empty if this is not an app.
    var supervisorSettings: [String: String] {
        supervisorToken.map { supervisor($0).settings(tokenFile: tokenFile) } ?? [:]
    }

    /// Enrols, unless that is done, and checks all settings.
    ///
    /// - Parameters:
    ///   - isPatient: whether to wait for values that Home Assistant's Supervisor has not sent, rather than go without
    ///     them.
    ///   - remark: takes a sentence about what the station goes without.
    /// - Returns: the environment of the monitor.
    func prepare(isPatient: Bool, remark: (String) -> Void) async throws -> [String: String] {
        let options = try readOptions()
        var settings = options.settings.merging(supervisorSettings) { $1 }
        settings[MonitorSettings.registryURL.key] = options.registry.map(WebAddress.completed)
        if let token = supervisorToken {
            try writeSecret(token, tokenFile)
            let supervisor = supervisor(token)
            func add(_ values: () async throws -> [String: String], otherwise: String) async throws {
                do {
                    settings.merge(try await values()) { $1 }
                } catch {
                    guard !isPatient else { throw error }
                    remark("\(error). \(otherwise)")
                }
            }
            if options.isAtHome {
                try await add(supervisor.home, otherwise: "The station has the place that the registry knows")
            }
            if options.alarmsHome {
                try await add(
                    { try await broker(of: supervisor) },
                    otherwise: "Home Assistant gets no alarms until the next start")
            }
        }
        var variables = environment
        for (key, text) in settings { variables[ProgramSettings.environmentVariable(forKey: key)] = text }
        // The monitor and the programs that it starts have no use for these.
        for name in [Supervisor.tokenVariable, "HASSIO_TOKEN", ContainerOptions.codeVariable] { variables[name] = nil }
        try await enrol(options.code, try read(variables), remark)
        let checked = try read(variables)
        // First: a disk may be repaired without another start, settings cannot.
        try openState(checked)
        try StartChecks(checked).pass()
        return variables
    }

    /// Opens what the monitor would fail to open on a full or read-only disk, so that the page still says it.
    private func openState(_ settings: ProgramSettings) throws(CommandFailure) {
        let folder = settings.value(MonitorSettings.stateFolder)
        do {
            let lock = try StateFolderLock(folder: folder)
            try withExtendedLifetime(lock) {
                _ = try VenueSettings.outbox(settings, at: "\(folder)/outbox.sqlite", logger)
            }
        } catch {
            let failure = CommandFailure(common: error) ?? CommandFailure(.cannotCreate, "\(error)")
            throw CommandFailure(failure.status, "\(failure.message). \(Self.remedy)")
        }
    }

    /// The settings of Home Assistant's broker, whose password it writes; empty if there is none.
    private func broker(of supervisor: Supervisor) async throws -> [String: String] {
        guard let (broker, password) = try await supervisor.broker(passwordFile: passwordFile) else { return [:] }
        try writeSecret(password, passwordFile)
        return broker
    }

    /// The settings from the file and an environment.
    private func read(_ variables: [String: String]) throws(SettingsError) -> ProgramSettings {
        let path = FileManager.default.fileExists(atPath: file) ? file : nil
        return try ProgramSettings(known: MonitorSettings.all, file: path, environment: variables)
    }

    /// The app's options, or those in the environment.
    private func readOptions() throws(ContainerFailure) -> ContainerOptions {
        guard let data = FileManager.default.contents(atPath: options) else {
            return ContainerOptions(environment: environment)
        }
        return try ContainerOptions(data)
    }

    /// A code that was used before is recognised; another code replaces the station.
    private func enrol(_ code: String?, _ settings: ProgramSettings, _ remark: (String) -> Void) async throws {
        let enrolment = try Enrolment(
            settings, file: file, replaces: true, namesTokenFile: false, automatic: Self.remedy)
        guard let code else {
            guard !enrolment.token.exists else { return }
            throw CommandFailure(
                .configuration,
                "there is no code: the operator of a registry gives you one. Write it into "
                    + (hasOptions ? "the options" : ContainerOptions.codeVariable) + ", and start again"
            )
        }
        guard enrolment.earlier(code: code) == nil else { return }
        do {
            try enrolment.check()
            _ = try await enrolment.perform(code: code)
        } catch {
            // A station stays one, even if the record of its code is lost or another code was mistyped.
            guard !error.isTransient, enrolment.token.exists, try isStation(of: settings) else { throw error }
            remark("The code is not used: \(error.message). The station goes on as it was")
        }
    }

    /// Whether the token is one of this registry: enrolment has written the address beside it. No other may get it.
    private func isStation(of settings: ProgramSettings) throws(SettingsError) -> Bool {
        try read([:]).value(MonitorSettings.registryURL) == settings.value(MonitorSettings.registryURL)
    }

    /// Writes a file that only the monitor's user can read.
    private func writeSecret(_ text: String, _ path: String) throws(FileFailure) {
        try SecretFile.makeFolder(of: path)
        try SecretFile(path: path).replace(with: text)
    }
}
