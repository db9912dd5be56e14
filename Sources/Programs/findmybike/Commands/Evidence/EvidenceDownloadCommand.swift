import ArgumentParser
import CommandLines
import Evidence
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct EvidenceDownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download the evidence pack of the open or the latest report.",
        discussion: """
            Give the file to the police together with the key’s fingerprint. It contains private details: keep it safe.
              findmybike evidence download brompton --output evidence.zip
            """
    )

    @OptionGroup var argument: BikeArgument

    @Option(help: ArgumentHelp("Another report: the beginning of its identifier.", valueName: "id"))
    var report: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to create; it must not exist yet.", valueName: "path"))
    var output: String

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.connect(responseLimit: ZIPArchive.maximumLength)
        let bike = try await argument.findMissing(at: registry)
        let report = try await registry.report(report, on: bike)
        let bytes = try await registry.evidence(of: report, on: bike.id)
        let pack: EvidenceVerification
        do {
            pack = try EvidenceVerification(bytes, pinned: nil)
        } catch {
            throw CommandFailure(.unavailable, "the registry’s answer is not an evidence pack: \(error)")
        }
        try Self.write(bytes, to: output)
        if options.json { return try Output.json(EvidenceVerdict(pack)) }
        Output.line("\(output): \(counted(pack.sightings.count, "sighting")) of \(bike.make) \(bike.model).")
        Output.line("Signed by key \(pack.keyVersion), fingerprint \(pack.fingerprint)")
    }

    /// Writes a new file that others cannot read, and never overwrites one.
    private static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(.cannotCreate, "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(bytes))
            try file.synchronize()
        } catch {
            unlink(path)
            throw CommandFailure(.ioError, "\(path) could not be written: \(error)")
        }
    }
}
