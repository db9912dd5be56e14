import ArgumentParser
import Diagnosis
import Foundation
import Settings

/// `findmybike-monitor support-bundle`: all that a supporter asks for, in one file.
struct SupportBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle",
        abstract: "Collect versions, status, settings and recent logs into one file to send, without secrets.",
        discussion: """
            Changes nothing and sends nothing. Tokens, codes, passwords and the identities of beacons are taken out; the place
            of the station and the names of its adapters are in it. Run it as root, or not all of it can be read.
              sudo findmybike-monitor support-bundle
            """
    )

    /// Takes `--config` and `--state`.
    @ParentCommand var monitor: MonitorCommand

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to be made.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("Lines of the log, the latest.", valueName: "n"))
    var logLines = 2000

    @Flag(help: "Print JSON, for programs.")
    var json = false

    func validate() throws {
        guard (0...100_000).contains(logLines) else { throw ValidationError("--log-lines is 0…100000.") }
    }

    func run() async throws {
        do throws(MonitorFailure) {
            let file = output ?? "findmybike-support-\(Self.stamp).tar.gz"
            let contents = await SupportBundle(monitor.config ?? standardConfig, monitor, logLines: logLines).contents()
            try BundleFile(path: file).write(contents)
            guard !json else { return print(JSONLine.of(["file": file])) }
            print("\(file) holds, for whoever helps you:")
            for part in contents { print("  \(part.name)  \(part.summary)") }
            print("Tokens, codes, passwords and beacons’ identities are taken out. Look through it before you send it:")
            print("  tar -xzOf \(file) | less")
        } catch {
            throw error.told()
        }
    }

    /// The package's settings, where they are.
    private var standardConfig: String? {
        FileManager.default.fileExists(atPath: EnrolCommand.standardSettings) ? EnrolCommand.standardSettings : nil
    }

    private static var stamp: String {
        let format = DateFormatter()
        format.dateFormat = "yyyyMMdd-HHmmss"
        return format.string(from: Date())
    }
}

/// One file of the bundle.
struct BundlePart {
    let name: String
    /// What it is, for people.
    let summary: String
    var text: String
}
