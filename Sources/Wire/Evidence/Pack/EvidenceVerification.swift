import FoundationEssentials
public import RegistryAPI
import Syntax

/// A verified evidence pack: a registry signed every byte, and the audit entries belong to the registry's chain.
public struct EvidenceVerification: Sendable {
    /// Whether the key is the expected one. Without an expected key, the signer could be anybody.
    public let isTrusted: Bool
    /// The fingerprint of the key that signed the pack.
    public let fingerprint: HashValue
    public let keyVersion: Int
    public let made: Timestamp
    /// The signed end of the audit to which the entries are linked.
    public let checkpoint: Checkpoint
    public let bike: Bike
    public let report: MissingReport
    public let stations: [StationPlaces]
    public let sightings: [Sighting]
    /// The audit's records of the sightings; empty if the pack was made before records existed.
    public let records: [CommittedRecord]
    /// The number of sightings without an audit record: all, if the pack was made before records existed.
    public var unrecordedSightings: Int { sightings.count - records.count }
    /// The number of all sightings of the report; more than the included ones if there were too many.
    public let allSightings: Int
    /// When stations listened without reporting the beacon; nil if the pack was made before this was known.
    public let coverage: EvidenceCoverage?
    /// The signatures of partner registries over sightings by their stations.
    public let partners: PartnerVerification
    public let audit: [AuditEntry]

    /// Verifies a pack of any format.
    ///
    /// - Parameters:
    ///   - bytes: the archive, from an untrusted source.
    ///   - pinned: the fingerprint of the trusted key, if there is one.
    ///   - partners: the fingerprints of the trusted keys of partner registries; nil for any keys.
    /// - Throws: the first flaw that is found.
    public init(_ bytes: [UInt8], pinned: HashValue?, partners: Set<HashValue>? = nil) throws(EvidenceFlaw) {
        let files = try PackFiles(bytes)
        let key = try files.verifiedKey()
        if let pinned, pinned != key.fingerprint { throw .otherKey(key.fingerprint) }
        isTrusted = pinned != nil
        fingerprint = key.fingerprint
        let description: PackDescription = try files.value(EvidencePack.Name.description)
        guard (1...4).contains(description.format) else { throw .unreadable(file: EvidencePack.Name.description) }
        made = description.made
        keyVersion = description.keyVersion
        allSightings = description.sightings.total
        bike = try files.value(EvidencePack.Name.bike)
        report = try files.value(EvidencePack.Name.report)
        stations = try files.value(EvidencePack.Name.stations)
        sightings = try files.value(EvidencePack.Name.sightings)
        records = description.format == 1 ? [] : try files.value(EvidencePack.Name.records)
        coverage = description.format < 3 ? nil : try files.value(EvidencePack.Name.coverage)
        audit = try files.value(EvidencePack.Name.audit)
        checkpoint = try files.checkpoint(signedBy: key)
        try Self.checkLinks(audit, files.proof(), checkpoint)
        // The entries say which sightings a partner signed, whatever the format of the pack.
        let signed = description.format < 4 ? PartnerEvidence() : try files.value(EvidencePack.Name.partners)
        self.partners = try PartnerVerification(signed, records, audit, trusted: partners)
        // A pack without records is older than partners' signatures: it would hide them.
        if description.format == 1, let entry = audit.first(where: \.namesPartnerSignature) {
            throw .partner(.missing, entry: entry.index)
        }
        try checkAgreement(description)
        try checkRecords()
        if description.format > 1 {
            try checkCompleteness()
            try checkSightingEntries()
        }
        if let coverage { try coverage.check(report, sightings, made: made) }
    }

    /// Checks that the audit committed to each record, and that the sightings and stations agree with it.
    private func checkRecords() throws(EvidenceFlaw) {
        let entries = Dictionary(audit.map { ($0.index, $0) }) { first, _ in first }
        let sightingsByName = Dictionary(sightings.map { ($0.recordName, $0) }) { first, _ in first }
        guard Set(records.map(\.entry)).count == records.count else {
            throw .contradiction("two sightings have the same audit entry")
        }
        for record in records {
            guard let entry = entries[record.entry], record.isCommitted(by: entry),
                let sighting = sightingsByName[record.name], record.agrees(with: sighting)
            else { throw .record(entry: record.entry) }
        }
        let surveys = Set(stations.flatMap { station in station.places.flatMap { station.surveys(at: $0) } })
        for entry in audit {
            guard let survey = entry.survey else { continue }
            guard surveys.contains(survey) else { throw .record(entry: entry.index) }
        }
    }

    /// Checks that the entries contain no later record of a sighting, no other sighting, and the same dismissals.
    private func checkSightingEntries() throws(EvidenceFlaw) {
        var entries = SightingEntries(of: report.id)
        for entry in audit { entries.add(entry) }
        do {
            try entries.check(sightings, records, of: allSightings)
        } catch {
            throw .contradiction("\(error)")
        }
    }

    /// Checks that each sighting has a record, and that an entry records each place.
    private func checkCompleteness() throws(EvidenceFlaw) {
        let recorded = Set(records.map(\.name))
        guard sightings.allSatisfy({ recorded.contains($0.recordName) }) else {
            throw .contradiction("the audit has no record of a sighting")
        }
        // In a set, since an untrusted pack may have any number of places and of entries.
        let surveys = Set(audit.compactMap(\.survey))
        for station in stations {
            for place in station.places {
                guard !surveys.isDisjoint(with: station.surveys(at: place)) else {
                    throw .contradiction("no audit entry records a place of the station \(station.id)")
                }
            }
        }
    }

    /// Checks that each entry matches its commitment, and that the commitment is in the
    /// chain that ends at the checkpoint.
    private static func checkLinks(
        _ entries: [AuditEntry], _ proof: ChainProof, _ checkpoint: Checkpoint
    ) throws(EvidenceFlaw) {
        let proved: [Int64: ChainLink]
        do {
            proved = try proof.verified(endingAt: checkpoint.length, checkpoint.chain)
        } catch {
            throw .chain(error)
        }
        for entry in entries {
            guard let commitment = HashValue(entry.commitment),
                entry.computedCommitment == commitment
            else { throw .entry(index: entry.index) }
            guard let link = proved[entry.index], link.commitment == commitment, link.hash == HashValue(entry.chain)
            else { throw .unlinked(index: entry.index) }
        }
    }

    /// Checks that all files are about the same bike, report and key, and have as many items as `pack.json` says. More
    /// audit entries than the report has may be included: those about stations and partners.
    private func checkAgreement(_ pack: PackDescription) throws(EvidenceFlaw) {
        guard report.bike == bike.id, pack.bike == bike.id, pack.report == report.id,
            sightings.allSatisfy({ $0.report == report.id }),
            audit.allSatisfy({ $0.event?.report ?? report.id == report.id }), audit.allSatisfy({ !$0.isErased }),
            sightings.count == pack.sightings.included, sightings.count <= pack.sightings.total,
            audit.count == pack.auditEntries.included
        else { throw .contradiction("the files are about different bikes, reports or numbers") }
        guard pack.fingerprint == fingerprint, pack.keyVersion == checkpoint.key else {
            throw .contradiction("the files name different keys")
        }
    }
}

extension AuditEntry {
    /// Whether the entry says that a partner has signed a sighting. Checkpoints have signatures, too.
    fileprivate var namesPartnerSignature: Bool {
        guard let event, event.action.begins(with: "sighting.") else { return false }
        return event.details[PartnerStatement.signatureDetail] != nil
    }

    /// The survey that the entry records; nil for any other entry.
    fileprivate var survey: Survey? {
        guard let event, let surveyed = event.surveyedPlace else { return nil }
        return Survey(station: surveyed.station, place: surveyed.place, since: event.details["since"])
    }
}

/// That a station was surveyed at a place, as an entry of the audit says it.
private struct Survey: Hashable {
    let station: StationID
    let place: Place
    /// The time from which it was there; nil for its enrolment, whose entry names no time.
    let since: String?
}

extension StationPlaces {
    /// The surveys any of which records a place of the station.
    fileprivate func surveys(at place: SurveyedPlace) -> [Survey] {
        let dated = Survey(station: id, place: place.place, since: place.since.description)
        guard place.since == enrolled else { return [dated] }
        return [dated, Survey(station: id, place: place.place, since: nil)]
    }
}

/// The files of an archive, parsed step by step.
private struct PackFiles {
    private let files: [ArchiveFile]

    init(_ bytes: [UInt8]) throws(EvidenceFlaw) {
        do {
            files = try ZIPArchive(reading: bytes).files
        } catch {
            throw .archive(error)
        }
    }

    /// The bytes of a file.
    private func content(_ name: String) throws(EvidenceFlaw) -> [UInt8] {
        guard let file = files.first(where: { $0.name == name }) else { throw .missing(file: name) }
        return file.content
    }

    private func text(_ name: String) throws(EvidenceFlaw) -> String {
        guard let text = String(validating: try content(name), as: UTF8.self) else { throw .unreadable(file: name) }
        return text
    }

    /// The value that a file has as JSON.
    func value<Value: Decodable>(_ name: String) throws(EvidenceFlaw) -> Value {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(try content(name))) else {
            throw .unreadable(file: name)
        }
        return value
    }

    /// The key in the archive, after verifying that it signed the manifest and that the
    /// manifest matches all other files.
    func verifiedKey() throws(EvidenceFlaw) -> PublicKey {
        let manifest = try content(EvidencePack.Name.manifest)
        let signature = try content(EvidencePack.Name.signature)
        guard files.suffix(2).map(\.name) == [EvidencePack.Name.manifest, EvidencePack.Name.signature],
            manifest == Array(Manifest.text(of: files.dropLast(2)).utf8)
        else { throw .manifest }
        guard let key = PublicKey(pem: try text(EvidencePack.Name.key)), key.isSignature(signature, of: manifest)
        else { throw .signature }
        return key
    }

    /// The checkpoint, after verifying that the key signed it.
    func checkpoint(signedBy key: PublicKey) throws(EvidenceFlaw) -> Checkpoint {
        let bytes = try content(EvidencePack.Name.checkpoint)
        let signature = try content(EvidencePack.Name.checkpointSignature)
        guard key.isSignature(signature, of: bytes),
            let checkpoint = Checkpoint(try text(EvidencePack.Name.checkpoint))
        else { throw .checkpoint }
        return checkpoint
    }

    func proof() throws(EvidenceFlaw) -> ChainProof {
        guard let proof = ChainProof(try text(EvidencePack.Name.chain)) else {
            throw .unreadable(file: EvidencePack.Name.chain)
        }
        return proof
    }
}
