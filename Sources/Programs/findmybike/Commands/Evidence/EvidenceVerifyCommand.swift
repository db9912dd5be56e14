import ArgumentParser
import CommandLines
import Evidence
import Foundation
import RegistryAPI

struct EvidenceVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that an evidence pack is what a registry signed.",
        discussion: """
            Get the key’s fingerprint from the registry’s operator, not from the pack.
              findmybike evidence verify evidence.zip --key 3f0c…
            Status 0: unchanged, and signed by this key. 3: unchanged, but untrusted, because no key was given. \
            65: changed, or signed by another key.
            """
    )

    @Argument(help: "The pack, as it was downloaded.")
    var file: String

    @Option(help: ArgumentHelp("Fingerprint of the registry’s key, 64 hexadecimal digits.", valueName: "fingerprint"))
    var key: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        var pinned: HashValue?
        if let key {
            guard let fingerprint = HashValue(typed: key) else {
                throw CommandFailure(.usage, "‘\(key)’ is not a fingerprint: write its 64 hexadecimal digits")
            }
            pinned = fingerprint
        }
        let pack: EvidenceVerification
        do {
            pack = try EvidenceVerification(try EvidenceFile.read(file), pinned: pinned)
        } catch let flaw as EvidenceFlaw {
            throw CommandFailure(.dataError, "\(file) proves nothing: \(flaw)")
        }
        try show(pack)
        guard pack.isTrusted else {
            throw CommandFailure(
                .untrusted,
                "untrusted: anyone can make a key and sign. Ask the registry’s operator for the fingerprint, and "
                    + "repeat with --key"
            )
        }
    }

    private func show(_ pack: EvidenceVerification) throws {
        guard !output.json else { return try Output.json(EvidenceVerdict(pack)) }
        Output.line(
            pack.isTrusted
                ? "The pack is what the registry signed."
                : "UNTRUSTED: the pack is unchanged since it was signed, but its key is not trusted."
        )
        EvidenceSummary(pack, time: \.local).lines.forEach { Output.line($0) }
        Output.line("It proves what the registry recorded, not that it is true: README.txt in it says why.")
    }
}

/// The verdict on an evidence pack, for programs.
struct EvidenceVerdict: Encodable {
    let trusted: Bool
    let fingerprint: HashValue
    let keyVersion: Int
    let made: Timestamp
    let bike: BikeID
    let report: ReportID
    let sightings: Int
    let auditEntries: Int
    let auditLength: Int64

    init(_ pack: EvidenceVerification) {
        trusted = pack.isTrusted
        fingerprint = pack.fingerprint
        keyVersion = pack.keyVersion
        made = pack.made
        bike = pack.bike.id
        report = pack.report.id
        sightings = pack.sightings.count
        auditEntries = pack.audit.count
        auditLength = pack.checkpoint.length
    }
}

/// A file that may be an evidence pack.
private enum EvidenceFile {
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        do {
            return [UInt8](try file.read(upToCount: ZIPArchive.maximumLength + 1) ?? Data())
        } catch {
            throw CommandFailure(.noInput, "\(path) cannot be read: \(error)")
        }
    }
}
