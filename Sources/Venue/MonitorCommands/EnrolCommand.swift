import ArgumentParser
import CommandSupport
import Foundation
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import RegistryClient
import Settings
import Terminal

/// `findmybike-monitor enrol URL CODE`: makes this machine a station of a registry.
struct EnrolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Enrol this machine as a station, with a code from the registry’s operator.",
        discussion: """
            Fetches the station’s token and place, and writes the token file and the settings. If it was interrupted, \
            repeat the same command. ‘findmybike station invite’ makes the code, which works once, within a day.
              sudo findmybike-monitor enrol https://registry.example.org 7KQ2M-XW9TC-4HJ6D-PPZ0A
            """
    )

    /// The settings file of the package's unit.
    static let standardSettings = "/etc/findmybike/monitor.yaml"

    /// The parent command, for `--config`.
    @ParentCommand var monitor: MonitorCommand

    @Argument(help: "The registry’s address.")
    var url: String

    @Argument(help: "The code from the operator.")
    var code: String

    @Option(help: ArgumentHelp("File for the station’s token; by default the one in the settings.", valueName: "path"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "PEM file of the authority behind the registry’s certificate, if it is not a public one.",
            valueName: "path"))
    var certificateAuthority: String?

    @Flag(help: "Enrol again, although this machine is already a station.")
    var replace = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let file = monitor.config ?? Self.standardSettings
        let enrolment = try Enrolment(
            try readSettings(file), file: file, replaces: replace, namesTokenFile: tokenFile != nil)
        if !replace, let station = enrolment.earlier(code: code) { return try output.show(station, known(station)) }
        try enrolment.check()
        let station = try await enrolment.perform(code: code)
        try output.show(station, lines: lines(station, enrolment.token.path, file))
    }

    /// The text for a station that the same command has already enrolled.
    private func known(_ station: Station) -> String {
        "This machine is already the station ‘\(station.name)’: nothing to do. If the registry refuses "
            + "it, ask the operator for a new code and add --replace."
    }

    /// The result and the next step.
    private func lines(_ station: Station, _ token: String, _ settings: String) -> [String] {
        var lines = [
            "This machine is now the station ‘\(station.name)’ of \(station.venue).",
            "Its token is in \(token), its settings are in \(settings).",
        ]
        if station.mobile {
            lines.append(
                "It is mobile: set ‘location.source: gpsd’, or the registry uses its enrolled place.")
        }
        lines.append("Next: sudo systemctl enable --now findmybike-monitor")
        if replace { lines.append("If it is already running: sudo systemctl restart findmybike-monitor") }
        return lines
    }

    private func readSettings(_ file: String) throws(SettingsError) -> ProgramSettings {
        var arguments = [MonitorSettings.registryURL.key: WebAddress.completed(url)]
        // The path must be absolute, since the service starts in another folder.
        arguments[MonitorSettings.tokenFile.key] = tokenFile.map { URL(fileURLWithPath: $0).path }
        arguments[MonitorSettings.certificateAuthority.key] =
            certificateAuthority.map { URL(fileURLWithPath: $0).path }
        return try ProgramSettings(toEnrolWith: file, arguments: arguments)
    }
}

extension ProgramSettings {
    /// The monitor's settings from a file, which does not exist before the first enrolment if the package is not used.
    init(toEnrolWith file: String, arguments: [String: String]) throws(SettingsError) {
        try self.init(
            known: MonitorSettings.all, file: FileManager.default.fileExists(atPath: file) ? file : nil,
            arguments: arguments, environment: ExecutionEnvironment.current.variables)
    }
}
