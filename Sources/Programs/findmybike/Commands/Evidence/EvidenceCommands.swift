import ArgumentParser
import CommandSupport
import Evidence
import Foundation
import RegistryAPI
import RegistryClient
import Terminal

struct EvidenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "Signed evidence of a theft, for the police.",
        subcommands: [EvidenceDownloadCommand.self, EvidenceVerifyCommand.self, EvidenceKeysCommand.self]
    )
}

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

struct EvidenceKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List the registry’s present and former signing keys.",
        discussion: """
            Before you trust a fingerprint, compare it with one from another source (the operator by telephone, a \
            printed page): somebody who impersonates the registry would show their own key.
              findmybike evidence keys
            """
    )

    @OptionGroup var options: CallOptions

    func run() async throws {
        let registry = try options.registry.connectWithoutToken()
        let keys = try await registry.keys().keys
        try options.output.list(
            keys, none: "The registry has no key to sign evidence.", ["KEY", "FINGERPRINT", "SINCE", "UNTIL"]
        ) {
            ["\($0.version)", $0.fingerprint, $0.created.local, $0.retired?.local ?? "in use"]
        }
    }
}

struct EvidenceVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that an evidence pack is what a registry signed.",
        discussion: """
            Get the key’s fingerprint from the registry’s operator, not from the pack; and if stations of a partner \
            registry heard the bike, that of its key from its own operator.
              findmybike evidence verify evidence.zip --key 3f0c…
              findmybike evidence verify evidence.zip --key 3f0c… --partner-key 9b71…
            Status 0: unchanged, and signed by this key. 3: unchanged, but untrusted, because no key was given. \
            65: changed, or signed by another key. A partner whose key you do not give is not checked.
            """
    )

    @Argument(help: "The pack, as it was downloaded.")
    var file: String

    @Option(help: ArgumentHelp("Fingerprint of the registry’s key, 64 hexadecimal digits.", valueName: "fingerprint"))
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Fingerprint of a partner registry’s key, once for each partner. Those of other partners are not checked.",
            valueName: "fingerprint"))
    var partnerKey: [String] = []

    @OptionGroup var output: OutputOptions

    private static func fingerprint(_ text: String) throws(CommandFailure) -> HashValue {
        guard let fingerprint = HashValue(typed: text) else {
            throw CommandFailure(.usage, "‘\(text)’ is not a fingerprint: write its 64 hexadecimal digits")
        }
        return fingerprint
    }

    func run() throws {
        let pinned = try key.map { try Self.fingerprint($0) }
        let partners = Set(try partnerKey.map { try Self.fingerprint($0) })
        let pack: EvidenceVerification
        do {
            pack = try EvidenceVerification(
                try EvidenceFile.read(file), pinned: pinned, partners: partners.isEmpty ? nil : partners)
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
    let partners: [Partner]

    /// What a partner registry signed.
    struct Partner: Encodable {
        let name: String
        let fingerprint: HashValue
        let pinned: Timestamp
        let trusted: Bool
        let sightings: Int
        /// The number of sightings of which it signed only a part.
        let partial: Int
    }

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
        partners = pack.partners.signers.map {
            Partner(
                name: $0.name, fingerprint: $0.fingerprint, pinned: $0.pinned, trusted: $0.isTrusted,
                sightings: $0.sightings, partial: $0.partial)
        }
    }
}

/// A file that may be an evidence pack.
private enum EvidenceFile {
    /// The bytes of the file; of one that is too long for a pack, one more than a pack may have.
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
