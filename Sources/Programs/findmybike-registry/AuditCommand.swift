import ArgumentParser
import CommandSupport
import Evidence
import Foundation
import RegistryAPI
import RegistryRules
import Settings
import Terminal

/// `findmybike-registry audit …`: the record of every change.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the audit, the record of every change.",
        subcommands: [AuditVerifyCommand.self]
    )
}

/// `findmybike-registry audit verify`: verifies the chain in the database, even while the service runs.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that nothing in the audit was changed, removed or cut off.",
        discussion: """
            Only checkpoints can show that the whole chain was not rewritten. The registry signs one every hour and
            stores it in the database; the command checks all of these. Anyone who can change the database can delete
            them: copy them to another machine with ‘findmybike audit checkpoints’. An evidence pack also serves as a
            checkpoint. The service may be running. Status 65: the check failed.
              findmybike-registry audit verify --config /etc/findmybike/registry.yaml --checkpoint checkpoints.json
            """
    )

    @OptionGroup var key: KeyCommand.Options
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Checkpoints (JSON) or an evidence pack of this registry.", valueName: "path"))
    var checkpoint: String?

    @Option(help: ArgumentHelp("First entry to check.", valueName: "index"))
    var from: Int64 = 1

    @Option(help: ArgumentHelp("Last entry to check; the end if absent.", valueName: "index"))
    var to: Int64?

    func validate() throws {
        guard from >= 1, from <= to ?? .max else { throw ValidationError("--from must be between 1 and --to.") }
    }

    func run() async throws {
        let settings = try key.settings()
        let database = try DatabasePlace(settings)
        let keys = try settings.value(RegistrySettings.keyFile).map { try KeyringFile(path: $0).publicKeys() }
        var given: [Checkpoint] = []
        if let checkpoint {
            given = try CheckpointFile(path: checkpoint).read(keys: try keys ?? key.file().publicKeys())
        }
        let result = try await Progress.during("checking the chain") { [given] in
            try await database.verifyAudit(from...(to ?? .max), against: given, keys: keys)
        }
        let last = from - 1 + result.entries
        var lines = [
            "The audit is whole: \(result.entries) entries checked, \(result.erased) of them erased.",
            "Length \(result.length), chain hash \(result.end) at entry \(last)",
            Self.line(aboutKeptCheckpoints: result.checkpoints, areVerified: keys != nil),
        ]
        if let contents = result.contents {
            lines += Self.lines(about: contents)
        } else {
            lines.append("Sightings were not compared: that needs the whole audit.")
        }
        if let latest = given.last {
            let time = LocalTime.text(of: latest.time)
            lines.append("It agrees with the checkpoint of \(time) at entry \(latest.length).")
        }
        try output.show(
            Verdict(
                entries: Int64(result.entries), erased: Int64(result.erased), length: result.length, last: last,
                chainHash: "\(result.end)", checkpoint: given.last?.length, keptCheckpoints: result.checkpoints,
                sightings: result.contents?.sightings, growingSightings: result.contents?.growing,
                unjudgedSightings: result.contents?.unjudged),
            lines: lines)
    }

    /// The comparison of sightings with the record.
    private static func lines(about contents: AuditVerification.Contents) -> [String] {
        var lines = ["Sightings that match the record: \(contents.sightings)."]
        if contents.growing > 0 {
            lines.append(
                "Of these, \(contents.growing) have grown since: the audit does not include the last hour yet."
            )
        }
        if contents.unjudged > 0 {
            lines.append(
                "Not checked: the reasons of \(contents.unjudged) sightings, which are being judged again or lie among many others."
            )
        }
        return lines
    }

    /// - Parameters:
    ///   - count: the number of checkpoints in the database.
    ///   - areVerified: whether their signatures were checked.
    private static func line(aboutKeptCheckpoints count: Int64, areVerified: Bool) -> String {
        let doubt = areVerified || count == 0 ? "" : " Add --key-file to check their signatures, too."
        return "It agrees with the registry’s own checkpoints: \(count).\(doubt)"
    }

    /// The result as JSON for programs.
    private struct Verdict: Encodable {
        /// The number of entries checked, of those among them that are erased, and of all entries; and the last checked.
        let entries, erased, length, last: Int64
        /// In hexadecimal digits, at the last checked entry.
        let chainHash: String
        /// The entry of the given checkpoint that the audit matches; nil if none was given.
        let checkpoint: Int64?
        /// The number of checkpoints in the database, all of which the audit matches.
        let keptCheckpoints: Int64
        /// The results for contents and erasures; nil if only a part of the audit was checked.
        let sightings, growingSightings, unjudgedSightings: Int64?
    }
}

/// A file with checkpoints, one per line, or an evidence pack with one.
private struct CheckpointFile {
    let path: String

    /// The checkpoints in the file, the latest last.
    ///
    /// - Parameter keys: the registry's public keys; each checkpoint must be signed by one of them.
    /// - Returns: at least one checkpoint.
    func read(keys: [PublicKey]) throws -> [Checkpoint] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        // ZIP archives, as packs are, begin with these letters.
        let isPack = data.starts(with: Array("PK".utf8))
        let found = isPack ? checkpoints(inPack: data, keys) : checkpoints(inLines: data, keys)
        guard let found, !found.isEmpty else {
            throw CommandFailure(.dataError, "\(path) contains no checkpoint signed by a key of this registry")
        }
        return found
    }

    /// The checkpoints of a plain file, one per line; nil if any line is not a checkpoint.
    private func checkpoints(inLines data: Data, _ keys: [PublicKey]) -> [Checkpoint]? {
        var found: [Checkpoint] = []
        // A single checkpoint may have several lines.
        let isSingle = (try? JSONDecoder().decode(SignedCheckpoint.self, from: data)) != nil
        for line in isSingle ? [data] : data.split(separator: UInt8(ascii: "\n")) {
            guard let signed = try? JSONDecoder().decode(SignedCheckpoint.self, from: line),
                let checkpoint = keys.lazy.compactMap(signed.verified).first
            else { return nil }
            found.append(checkpoint)
        }
        return found.sorted { $0.length < $1.length }
    }

    /// The checkpoint of an evidence pack; nil if it is not a pack that one of the keys has signed.
    private func checkpoints(inPack data: Data, _ keys: [PublicKey]) -> [Checkpoint]? {
        guard let pack = try? EvidenceVerification([UInt8](data), pinned: nil),
            keys.map(\.fingerprint).contains(pack.fingerprint)
        else { return nil }
        return [pack.checkpoint]
    }
}
