import FoundationEssentials
public import RegistryAPI

/// Makes the archive that an owner gives to the police: files, their manifest, and the registry's signature over it.
///
/// The same content, key and time give the same bytes. `docs/evidence.md` describes the format.
public enum EvidencePack {
    /// The media type of a pack.
    public static let mediaType = "application/zip"

    /// The maximum number of sightings in a pack, of audit entries, and of spans of coverage. It bounds the memory needed
    /// to make one.
    public static let maximumItems = 2000

    /// The bytes of the archive.
    ///
    /// - Parameters:
    ///   - trail: the same sightings in formats that other programs read.
    ///   - time: the time when the pack is made.
    public static func archive(
        _ content: EvidenceContent, trail: [ArchiveFile], signedBy keyring: Keyring, at time: Timestamp
    ) throws -> [UInt8] {
        let key = keyring.current
        let checkpoint = Checkpoint(
            length: content.auditLength, chain: content.auditEnd, time: time, key: key.version
        )
        let description = try PackDescription(content, signedBy: key, at: time)
        var partners = content.partners
        partners.registryKeys = keyring.keys.map(\.fingerprint)
        var files = [
            ArchiveFile(Name.readMe, EvidenceText(content, description, key).text),
            try .json(Name.description, description),
            try .json(Name.bike, content.bike),
            try .json(Name.report, content.report),
            try .json(Name.stations, content.stations),
            try .json(Name.sightings, content.sightings),
            try .json(Name.records, content.records),
            try .json(Name.coverage, content.coverage),
            try .json(Name.partners, partners),
        ]
        files += trail
        files += [
            try .json(Name.audit, content.audit),
            ArchiveFile(Name.chain, content.proof.text),
            ArchiveFile(Name.checkpoint, checkpoint.text),
            ArchiveFile(Name.checkpointSignature, try keyring.sign(Array(checkpoint.text.utf8))),
            ArchiveFile(Name.key, key.publicKey),
        ]
        let manifest = Array(Manifest.text(of: files).utf8)
        files += [ArchiveFile(Name.manifest, manifest), ArchiveFile(Name.signature, try keyring.sign(manifest))]
        return ZIPArchive(files: files).bytes
    }

    /// The names of the files.
    enum Name {
        static let readMe = "README.txt"
        static let description = "pack.json"
        static let bike = "bike.json"
        static let report = "report.json"
        static let stations = "stations.json"
        static let sightings = "sightings.json"
        static let records = "records.json"
        static let coverage = "coverage.json"
        static let partners = "partners.json"
        static let audit = "audit.json"
        static let chain = "chain.csv"
        static let checkpoint = "checkpoint.txt"
        static let checkpointSignature = "checkpoint.sig"
        static let key = "key.pem"
        static let manifest = "MANIFEST"
        static let signature = "MANIFEST.sig"
    }
}

extension PackDescription {
    /// The version of the format that is written.
    private static let currentFormat = 4

    fileprivate init(_ content: EvidenceContent, signedBy key: PublishedKey, at time: Timestamp) throws {
        guard let fingerprint = HashValue(key.fingerprint) else {
            throw Keyring.FormatError(description: "its key \(key.version) has no fingerprint")
        }
        self.init(
            format: Self.currentFormat, made: time, bike: content.bike.id, report: content.report.id,
            sightings: Share(included: content.sightings.count, total: content.allSightings),
            auditEntries: Share(included: content.audit.count, total: content.allAuditEntries),
            keyVersion: key.version, fingerprint: fingerprint
        )
    }
}

extension ArchiveFile {
    /// Encodes a value as indented JSON with names in a fixed order and a final line feed.
    static func json(_ name: String, _ value: some Encodable) throws -> ArchiveFile {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return ArchiveFile(name, Array(try encoder.encode(value)) + "\n".utf8)
    }
}
