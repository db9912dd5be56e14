import Beacons
import FoundationEssentials
import RegistryAPI
import Testing

@testable import Evidence

@Suite("Signatures of partner registries in evidence packs")
struct PartnerEvidenceTests {
    private let pinned = HashValue(PackFixture.keyring.current.fingerprint)

    private func verify(
        _ content: EvidenceContent, trusting partners: Set<HashValue>? = nil
    ) throws -> EvidenceVerification {
        try EvidenceVerification(try PackFixture.archive(content), pinned: pinned, partners: partners)
    }

    /// The partner's flaw that a pack is refused for.
    private func flaw(_ content: EvidenceContent, trusting partners: Set<HashValue>? = nil) -> EvidenceFlaw? {
        do {
            _ = try verify(content, trusting: partners)
            return nil
        } catch {
            return error as? EvidenceFlaw
        }
    }

    @Test("a pack says which sightings a partner signed, with which key, and since when it was pinned")
    func signed() throws {
        let pack = try verify(PartnerFixture().content)
        let signer = try #require(pack.partners.signers.first)
        #expect(pack.partners.signers.count == 1 && pack.partners.unsigned == 0)
        #expect(signer.name == "Zürich" && signer.sightings == 2 && signer.partial == 0 && !signer.isTrusted)
        #expect(signer.pinned == PackFixture.time && signer.fingerprint == PartnerFixture.fingerprint)
        let lines = EvidenceSummary(pack) { "\($0)" }.lines.joined(separator: "\n")
        #expect(lines.contains("Zürich signed 2 sightings") && lines.contains("\(PartnerFixture.fingerprint)"))
    }

    @Test("only a key that the reader has from its operator is trusted, and then no other of this partner is accepted")
    func trust() throws {
        let pack = try verify(PartnerFixture().content, trusting: [PartnerFixture.fingerprint])
        #expect(pack.partners.signers.map(\.isTrusted) == [true])
        #expect(flaw(PartnerFixture().content, trusting: [.zero]) == .partner(.unmatched(.zero), entry: 43))
    }

    @Test("a partner whose key the reader does not have is not checked, and spoils no other")
    func uncheckedPartner() throws {
        let hostile = PartnerFixture.Partner(id: PartnerID(high: 8, low: 2), name: "Lyon", number: 2)
        let content = PartnerFixture(second: hostile).content
        let pack = try verify(content, trusting: [PartnerFixture.fingerprint])
        #expect(pack.partners.signers.map(\.name) == ["Zürich", "Lyon"])
        #expect(pack.partners.signers.map(\.isTrusted) == [true, false])
        #expect(pack.partners.signers.map(\.sightings) == [1, 1])
        let lines = EvidenceSummary(pack) { "\($0)" }.lines.joined(separator: "\n")
        #expect(lines.contains("Lyon signed 1 sighting") && lines.contains("not checked"))
        let both = try verify(content, trusting: [PartnerFixture.fingerprint, hostile.fingerprint])
        #expect(both.partners.signers.map(\.isTrusted) == [true, true])
        // The key that is given for a partner must be its own.
        #expect(
            flaw(content, trusting: [PartnerFixture.fingerprint, .zero]) == .partner(.unmatched(.zero), entry: 46))
    }

    @Test("another key of a partner whose key the reader has is refused")
    func secondKey() {
        let other = PartnerFixture.Partner(name: "Zürich", number: 2)
        #expect(
            flaw(PartnerFixture(second: other).content, trusting: [PartnerFixture.fingerprint])
                == .partner(.untrusted, entry: 46))
    }

    @Test(
        "a signature that was forged, moved or removed is noticed, whoever signed the pack",
        arguments: zip(
            [
                .missing, .missing, .misplaced, .forged, .forged, .unpinned, .unpinned, .unpinned, .unpinned, .unpinned,
            ] as [PartnerVerification.Flaw],
            [
                { $0.partners.statements.removeFirst() },
                { $0.partners = PartnerEvidence() },
                { content in
                    let (first, second) = (content.partners.statements[0], content.partners.statements[1])
                    content.partners.statements[0].statement = second.statement
                    content.partners.statements[0].signature = second.signature
                    content.partners.statements[1].statement = first.statement
                    content.partners.statements[1].signature = first.signature
                },
                { $0.partners.statements[0].statement += " " },
                { $0.partners.statements[0].statement = $0.partners.statements[1].statement },
                { $0.partners.keys = [] },
                { $0.partners.keys[0].publicKey = PackFixture.keyring.current.publicKey },
                { $0.partners.keys[0].partner = PartnerID(high: 9, low: 9) },
                { $0.partners.keys[0].entry = 42 },
                { $0.audit.removeAll { $0.event?.action == "partner.joined" } },
            ] as [@Sendable (inout EvidenceContent) -> Void])
    )
    func tampered(expected: PartnerVerification.Flaw, change: @Sendable (inout EvidenceContent) -> Void) {
        var content = PartnerFixture().content
        change(&content)
        content.allAuditEntries = content.audit.count
        #expect(flaw(content) == .partner(expected, entry: 43))
    }

    @Test("a signature that belongs to no sighting, or a second one for the same, is refused")
    func surplus() {
        var content = PartnerFixture().content
        content.partners.statements.append(content.partners.statements[0])
        #expect(flaw(content) == .contradiction("a sighting has two signatures of partners"))
        content.partners.statements[2].sighting = VisitID(high: 9, low: 9)
        #expect(flaw(content) == .contradiction("a partner’s signature belongs to no sighting"))
    }

    @Test("a registry cannot use a statement about another visit, station or registry, or one of a key pinned later")
    func misused() {
        for change in [
            { $0.visit.id = VisitID(high: 9, low: 9) }, { $0.station.id = StationID(high: 9, low: 9) },
            { $0.to = "\(HashValue.zero)" },
        ] as [(inout ForwardedVisit) -> Void] {
            #expect(flaw(PartnerFixture(saying: change).content) == .partner(.misplaced, entry: 43))
        }
        var content = PartnerFixture(pinsLate: true).content
        content.partners.keys[0].entry = 44
        #expect(flaw(content) == .partner(.unpinned, entry: 42))
    }

    @Test("a statement that says less than the sighting counts as a part of it")
    func partial() throws {
        for change in [
            { $0.visit.count = 1 }, { $0.visit.firstSeen = $0.visit.firstSeen.advanced(by: .seconds(1)) },
            { $0.visit.lastSeen = $0.visit.lastSeen.advanced(by: .seconds(-1)) },
            { $0.visit.identity = BeaconIdentity(uuid: $0.visit.identity.uuid, major: 1, minor: 7) },
        ] as [(inout ForwardedVisit) -> Void] {
            let pack = try verify(PartnerFixture(saying: change).content)
            #expect(pack.partners.signers.map(\.partial) == [2])
        }
    }

    @Test("sightings by a partner's station without its signature are counted")
    func unsigned() throws {
        let pack = try verify(PartnerFixture(signs: false).content)
        #expect(pack.partners.signers.isEmpty && pack.partners.unsigned == 2)
    }

    @Test("packs of the format before still verify, and cannot hide a signature")
    func earlierFormat() throws {
        func earlier(_ content: EvidenceContent, format: Int = 3) throws -> [UInt8] {
            var files = try ZIPArchive(reading: try PackFixture.archive(content)).files.dropLast(2)
                .filter { $0.name != "partners.json" }
            let description = try #require(files.firstIndex { $0.name == "pack.json" })
            let text = String(decoding: files[description].content, as: UTF8.self)
            files[description] = ArchiveFile(
                "pack.json", text.replacing("\"format\" : 4", with: "\"format\" : \(format)"))
            let manifest = Array(Manifest.text(of: files).utf8)
            files += [
                ArchiveFile("MANIFEST", manifest),
                ArchiveFile("MANIFEST.sig", try PackFixture.keyring.sign(manifest)),
            ]
            return ZIPArchive(files: files).bytes
        }
        let pack = try EvidenceVerification(try earlier(PackFixture.content()), pinned: pinned)
        #expect(pack.sightings.count == 3 && pack.partners.signers.isEmpty && pack.partners.unsigned == 0)
        for format in [3, 1] {
            #expect(throws: EvidenceFlaw.partner(.missing, entry: 43)) {
                try EvidenceVerification(try earlier(PartnerFixture().content, format: format), pinned: pinned)
            }
        }
    }
}

/// A pack about two sightings by stations of partners.
private struct PartnerFixture {
    /// A partner with one key and one station.
    struct Partner {
        var id = PartnerID(high: 8, low: 1)
        var name: String
        /// That of its station.
        var number: UInt64
        let keyring = Keyring(at: PackFixture.time)

        var fingerprint: HashValue { HashValue(keyring.current.fingerprint) ?? .zero }
        var pseudonym: StationID { StationID(high: 77, low: number) }
        // The third is that of the coverage.
        var station: StationID { StationID(high: 7, low: number) }

        var joined: AuditEntry.Event {
            AuditEntry.Event(
                action: "partner.joined", time: PackFixture.time,
                details: ["partner": "\(id)", "keys": "\(fingerprint)", "name": name])
        }

        var enrolled: AuditEntry.Event {
            AuditEntry.Event(
                action: "station.enrolled", time: PackFixture.time, station: station,
                details: [
                    "latitude": "51.5", "longitude": "-0.12", "accuracy": "10.0", "partner": "\(id)",
                    "pseudonym": "\(pseudonym)",
                ])
        }

        var places: StationPlaces {
            StationPlaces(
                id: station, name: "Bistro (via \(name))", venue: "partner", mobile: false, enrolled: PackFixture.time,
                places: [.init(since: PackFixture.time, place: PackFixture.place)])
        }

        func key(pinnedBy entry: Int64) -> PartnerKey {
            PartnerKey(partner: id, name: name, publicKey: keyring.current.publicKey, entry: entry)
        }
    }

    static let first = Partner(name: "Zürich", number: 1)
    static var fingerprint: HashValue { first.fingerprint }

    let content: EvidenceContent

    /// - Parameters:
    ///   - change: what the statements say, in place of what was heard.
    ///   - pinsLate: whether the key is pinned after the sightings.
    ///   - second: whose station reported the second sighting; nil for the first partner's.
    init(
        saying change: (inout ForwardedVisit) -> Void = { _ in }, signs: Bool = true, pinsLate: Bool = false,
        second: Partner? = nil
    ) {
        var chain = SampleChain(length: 40, report: PackFixture.report, every: 7)
        if !pinsLate { chain.append(Self.first.joined) }
        chain.append(Self.first.enrolled)
        var keys = [Self.first.key(pinnedBy: 41)]
        var sightings: [Sighting] = []
        var (records, statements): ([CommittedRecord], [PartnerStatement]) = ([], [])
        for number in 0..<2 {
            var (partner, sighting) = (Self.first, PackFixture.sighting(number))
            if number == 1, let second {
                partner = second
                chain.append(partner.joined)
                keys.append(partner.key(pinnedBy: Int64(chain.links.count)))
                chain.append(partner.enrolled)
            }
            sighting.station = .init(id: partner.station, name: sighting.station.name)
            sightings.append(sighting)
            let statement = Self.statement(sighting, partner, change)
            let record = Self.record(sighting)
            let salt = Array(0..<16 as Range<UInt8>)
            var details = ["sighting": "\(sighting.id)", "digest": "\(record.digest(salt: salt))"]
            if signs {
                details["signature"] = statement.signature
                details["key"] = "\(partner.fingerprint)"
                statements.append(statement)
            }
            chain.append(
                AuditEntry.Event(
                    action: "sighting.stored", time: PackFixture.time, report: PackFixture.report,
                    station: partner.station, details: details))
            records.append(
                CommittedRecord(entry: Int64(chain.links.count), salt: Hexadecimal.text(salt), record: record))
        }
        if pinsLate { chain.append(Self.first.joined) }
        let audit = chain.entries.filter { entry in
            entry.event?.report == PackFixture.report || entry.event?.details["partner"] != nil
        }
        var content = EvidenceContent(
            bike: PackFixture.bike, report: PackFixture.missing, sightings: sightings, records: records,
            allSightings: 2, stations: [Self.first.places] + (second.map { [$0.places] } ?? []),
            coverage: PackFixture.coverage, audit: audit, allAuditEntries: audit.count,
            proof: chain.proof(of: audit.map(\.index)), auditLength: Int64(chain.links.count), auditEnd: chain.end)
        content.partners = PartnerEvidence(keys: keys, statements: statements)
        self.content = content
    }

    private static func record(_ sighting: Sighting) -> SightingRecord {
        SightingRecord([
            .init("beacon", "\(PackFixture.bike.identity)"), .init("sighting", "\(sighting.id)"),
            .init("station", "\(sighting.station.id)"), .init("report", "\(sighting.report)"),
            .init("received", "\(sighting.received)"), .init("firstSeen", "\(sighting.firstSeen)"),
            .init("lastSeen", "\(sighting.lastSeen)"), .init("count", "\(sighting.count)"), .init("ended", "false"),
            .init("timeUncertain", "false"),
        ])
    }

    private static func statement(
        _ sighting: Sighting, _ partner: Partner, _ change: (inout ForwardedVisit) -> Void
    ) -> PartnerStatement {
        let visit = Visit(
            id: sighting.id, stay: StayID(high: 1, low: 1), identity: PackFixture.bike.identity,
            firstSeen: sighting.firstSeen, lastSeen: sighting.lastSeen, count: sighting.count, rssi: nil,
            measuredPower: -59, proximity: .near, place: nil, ended: false)
        var forwarded = ForwardedVisit(
            to: PackFixture.keyring.current.fingerprint, received: sighting.received,
            station: ForwardingStation(
                id: partner.pseudonym, name: "Bistro", mobile: false, place: PackFixture.place), visit: visit)
        change(&forwarded)
        let json = (try? JSONEncoder().encode(forwarded)) ?? Data()
        let text = SignedVisit.title + "\n" + String(decoding: json, as: UTF8.self)
        let signature = (try? partner.keyring.sign(Array(text.utf8))) ?? []
        return PartnerStatement(
            sighting: sighting.id, station: sighting.station.id, statement: text,
            signature: Hexadecimal.text(signature))
    }
}
