import ArgumentParser
import Evidence
import Foundation
import Registry
import RegistryAPI
import RegistrySQLite
import Settings
import Terminal

/// `findmybike-registry audit …`: the record of every change.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the record of every change.",
        subcommands: [AuditVerifyCommand.self]
    )
}

/// `findmybike-registry audit verify`: follows the chain through the database, beside the running service if need be.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that nothing in the audit was changed, taken out or cut off.",
        discussion: """
            A checkpoint shows what the chain alone cannot: that it was not written anew. Print one from time to time with
            ‘findmybike audit checkpoint’ and keep it elsewhere; an evidence pack serves as one too.
            The service may be running. Status 65: something is wrong.
              findmybike-registry audit verify --config /etc/findmybike/registry.yaml --checkpoint checkpoint.json
            """
    )

    @OptionGroup var key: KeyCommand.Options
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("A checkpoint (JSON) or an evidence pack of this registry.", valueName: "path"))
    var checkpoint: String?

    @Option(help: ArgumentHelp("First entry to check.", valueName: "index"))
    var from: Int64 = 1

    @Option(help: ArgumentHelp("Last entry to check; the end if absent.", valueName: "index"))
    var to: Int64?

    func validate() throws {
        guard from >= 1, from <= to ?? .max else { throw ValidationError("Entries count from 1, the lower one first.") }
    }

    func run() async throws {
        let database = try key.options.settings().required(RegistrySettings.database)
        let known = try checkpoint.map { try CheckpointFile(path: $0).read(keys: key.file().read().keys) }
        let result = try await Progress.during("following the chain") {
            try SQLiteRegistryStore.verifyAudit(inDatabaseAt: database, from...(to ?? .max), against: known)
        }
        let last = from - 1 + result.entries
        var text = """
            The audit is whole: \(result.entries) entries checked, \(result.erased) of them erased.
            Length \(result.length), chain hash \(result.end) at entry \(last)
            """
        if let known {
            text += "\nIt agrees with the checkpoint of \(LocalTime.text(of: known.time)) at entry \(known.length)."
        }
        try output.show(
            text,
            Verdict(
                entries: Int64(result.entries), erased: Int64(result.erased), length: result.length, last: last,
                chainHash: "\(result.end)", checkpoint: known?.length))
    }

    /// For programs.
    private struct Verdict: Encodable {
        let entries, erased, length, last: Int64
        let chainHash: String
        /// The entry of the checkpoint that it agrees with.
        let checkpoint: Int64?
    }
}

/// A file that holds a checkpoint, alone or in an evidence pack.
private struct CheckpointFile {
    let path: String

    /// - Parameter keys: the registry's; one of them must have signed.
    func read(keys: [PublishedKey]) throws -> Checkpoint {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw KeyFileError(EX_NOINPUT, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        let checkpoint = data.starts(with: Array("PK".utf8)) ? inPack(data, keys) : alone(data, keys)
        guard let checkpoint else {
            throw KeyFileError(EX_DATAERR, "\(path) holds no checkpoint that a key of this registry signed")
        }
        return checkpoint
    }

    private func alone(_ data: Data, _ keys: [PublishedKey]) -> Checkpoint? {
        guard let signed = try? JSONDecoder().decode(SignedCheckpoint.self, from: data) else { return nil }
        return keys.lazy.compactMap { PublicKey(pem: $0.publicKey).flatMap(signed.verified) }.first
    }

    private func inPack(_ data: Data, _ keys: [PublishedKey]) -> Checkpoint? {
        let fingerprints = keys.compactMap { HashValue($0.fingerprint) }
        guard let pack = try? EvidenceVerification([UInt8](data), pinned: nil),
            fingerprints.contains(pack.fingerprint)
        else { return nil }
        return pack.checkpoint
    }
}
