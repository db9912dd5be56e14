import ArgumentParser
import CommandSupport
import Diagnosis
import Foundation
import Settings

/// `findmybike-monitor support-bundle`: collects all information that a supporter needs in one file.
struct SupportBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Collect versions, status, settings and recent logs in one file for support, without secrets.",
        discussion: """
            Changes nothing and sends nothing. The file contains the station’s place and the names of its adapters, but
            no tokens, codes, passwords or beacons’ identities. Of other settings that can hold secrets, such as
            alarm.command, it says only whether they are set. Run the command as root, or parts will be missing.
              sudo findmybike-monitor support-bundle
            """
    )

    /// The parent command, for `--config` and `--state`.
    @ParentCommand var monitor: MonitorCommand

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to create.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("How many of the log’s latest lines to include.", valueName: "n"))
    var logLines = 2000

    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard (0...100_000).contains(logLines) else { throw ValidationError("--log-lines must be 0…100000.") }
    }

    func run() async throws {
        let file = output ?? "findmybike-support-\(Self.stamp).tar.gz"
        let config = monitor.config ?? standardConfig
        let settings = Result { () throws(SettingsError) in try monitor.readSettings(from: config) }
        let contents = await SupportBundle(
            settings, from: config, logLines: logLines, receivers: ReceiverProbe.states
        ).contents()
        try await BundleFile(path: file).write(contents)
        let listing = Listing(file: file, parts: contents.map { .init(name: $0.name, summary: $0.summary) })
        try format.show(listing, lines: listing.lines)
    }

    /// The package's settings file, if it exists.
    private var standardConfig: String? {
        FileManager.default.fileExists(atPath: EnrolCommand.standardSettings) ? EnrolCommand.standardSettings : nil
    }

    private static var stamp: String {
        let format = DateFormatter()
        format.dateFormat = "yyyyMMdd-HHmmss"
        return format.string(from: Date())
    }
}

/// The content of a bundle.
private struct Listing: Encodable {
    struct Part: Encodable {
        let name: String
        let summary: String
    }

    let file: String
    let parts: [Part]

    var lines: [String] {
        ["\(file) contains:"]
            + parts.map { "  \($0.name.padding(toLength: 14, withPad: " ", startingAt: 0))\($0.summary)" }
            + [
                "It has no tokens, codes, passwords or beacons’ identities. Look through it before you send it:",
                "  tar -xzOf \(file) | less",
            ]
    }
}
