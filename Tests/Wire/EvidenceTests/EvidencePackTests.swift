import RegistryAPI
import Testing

@testable import Evidence

@Suite("Evidence packs")
struct EvidencePackTests {
    private let pinned = HashValue(PackFixture.keyring.current.fingerprint)

    @Test("with a trusted key a pack yields the content that it was made from")
    func verifies() throws {
        let content = PackFixture.content()
        let pack = try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        #expect(pack.isTrusted && pack.fingerprint == pinned && pack.keyVersion == 1)
        #expect(pack.bike == content.bike && pack.report == content.report && pack.sightings == content.sightings)
        #expect(pack.stations == content.stations && pack.audit == content.audit && pack.audit.count == 9)
        #expect(pack.checkpoint.length == 44 && pack.checkpoint.chain == content.auditEnd)
    }

    @Test("a pack of a registry with an empty audit and no sightings verifies too")
    func empty() throws {
        let pack = try EvidenceVerification(
            try PackFixture.archive(PackFixture.content(sightings: 0, chain: 0)), pinned: pinned
        )
        #expect(pack.sightings.isEmpty && pack.audit.isEmpty && pack.checkpoint.length == 0)
    }

    @Test("the same content gives the same bytes")
    func deterministic() throws {
        #expect(try PackFixture.archive() == PackFixture.archive())
    }

    @Test("without a pinned fingerprint a pack is not trusted")
    func untrusted() throws {
        #expect(try !EvidenceVerification(try PackFixture.archive(), pinned: nil).isTrusted)
    }

    @Test("a pack that another key signed is refused, even if it is otherwise valid")
    func otherKey() throws {
        let forger = Keyring(at: PackFixture.time)
        let fingerprint = try #require(HashValue(forger.current.fingerprint))
        let forged = try PackFixture.archive(signedBy: forger)
        #expect(throws: EvidenceFlaw.otherKey(fingerprint)) { try EvidenceVerification(forged, pinned: pinned) }
    }

    @Test("every flipped bit is detected")
    func flips() throws {
        let archive = try PackFixture.archive()
        // Every byte of the structure at both ends, and every 29th byte of the contents between them.
        for position in archive.indices where position < 300 || position > archive.count - 1200 || position % 29 == 0 {
            var changed = archive
            changed[position] ^= 1 << (position % 8)
            #expect(throws: EvidenceFlaw.self, "byte \(position)") {
                try EvidenceVerification(changed, pinned: nil)
            }
        }
    }

    @Test("an archive that is truncated or has bytes appended is refused")
    func lengths() throws {
        let archive = try PackFixture.archive()
        for length in stride(from: 0, to: archive.count, by: 97) {
            #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(Array(archive[..<length]), pinned: nil) }
        }
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(Array(archive.dropLast()), pinned: nil) }
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(archive + [0], pinned: nil) }
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification([0] + archive, pinned: nil) }
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(archive + archive, pinned: nil) }
    }

    @Test("added, removed, duplicate, renamed or reordered files are detected")
    func rearranged() throws {
        let files = try ZIPArchive(reading: try PackFixture.archive()).files
        func expectRefusal(_ files: [ArchiveFile], _ comment: Comment) {
            #expect(throws: EvidenceFlaw.self, comment) {
                try EvidenceVerification(ZIPArchive(files: files).bytes, pinned: nil)
            }
        }
        for position in files.indices {
            var without = files
            let file = without.remove(at: position)
            expectRefusal(without, "without \(file.name)")
            if position < files.count - 1 { expectRefusal(without + [file], "\(file.name) at the end") }
            expectRefusal(files + [file], "twice \(file.name)")
            var renamed = files
            renamed[position] = ArchiveFile(file.name + "x", file.content)
            expectRefusal(renamed, "renamed \(file.name)")
            var with = files
            with.insert(ArchiveFile("more.txt", "more"), at: position)
            expectRefusal(with, "more before \(file.name)")
        }
        expectRefusal(files + [ArchiveFile("more.txt", "more")], "more at the end")
    }

    @Test(
        "a name that leads out of the folder is refused", arguments: ["../x", "/x", "a/b", ".x", "", "a\\b", "ä", "-x"])
    func paths(name: String) {
        let archive = ZIPArchive(files: [ArchiveFile(name, "x")]).bytes
        #expect(throws: ZIPArchive.Flaw.badName) { try ZIPArchive(reading: archive) }
    }

    @Test("headers with sizes beyond the archive are refused", arguments: [18, 22, 26, 28])
    func hostileLengths(offset: Int) throws {
        var archive = try PackFixture.archive()
        archive[offset] = 0xFF
        archive[offset + 1] = 0xFF
        #expect(throws: ZIPArchive.Flaw.notCanonical) { try ZIPArchive(reading: archive) }
    }

    @Test("an archive with more files than any pack is refused")
    func manyFiles() {
        let archive = ZIPArchive(files: (0..<65).map { ArchiveFile("f\($0)", "") }).bytes
        #expect(throws: ZIPArchive.Flaw.tooManyFiles) { try ZIPArchive(reading: archive) }
    }

    @Test("an archive that is valid but signed over audit entries outside the chain is refused")
    func foreignEntries() throws {
        var content = PackFixture.content()
        content.audit[1] = SampleChain(length: 41, report: ReportID(high: 9, low: 9)).entries[13]
        #expect(throws: EvidenceFlaw.unlinked(index: 14)) {
            try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        }
        content = PackFixture.content()
        content.audit[1].event?.action = "x"
        #expect(throws: EvidenceFlaw.entry(index: 14)) {
            try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        }
        content = PackFixture.content()
        content.auditEnd = .zero
        #expect(throws: EvidenceFlaw.chain(.broken(index: 44))) {
            try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        }
        content = PackFixture.content()
        content.report.bike = BikeID(high: 9, low: 9)
        #expect(throws: EvidenceFlaw.self) {
            try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        }
    }

    @Test(
        "a sighting, a record or a place that differs from the audit is refused, whoever signed it",
        arguments: [
            { $0.sightings[1].firstSeen = $0.sightings[1].firstSeen.advanced(by: .seconds(-1)) },
            { $0.sightings[1].lastSeen = $0.sightings[1].lastSeen.advanced(by: .seconds(-1)) },
            { $0.sightings[1].count = 1 }, { $0.sightings[1].station.id = StationID(high: 7, low: 2) },
            { $0.sightings[1].timeUncertain = true },
            { $0.sightings[1].confirmation = VisitConfirmation(answer: .seen, time: PackFixture.time) },
            { $0.sightings[1].receiver = VenueReceiver(name: "bar") },
            { $0.sightings[2].receiver = VenueReceiver(name: "door") },
            { $0.sightings[2].receiver?.place?.accuracy = 1 },
            { $0.records[1].record = SightingRecord($0.records[1].record.fields.filter { $0.name != "count" }) },
            { $0.records[1].salt = String(repeating: "0", count: 32) }, { $0.records[1].entry = 41 },
            { $0.audit.removeAll { $0.index == 42 } }, { $0.audit.removeAll { $0.index == 44 } },
            { $0.records.remove(at: 0) },
            // A sighting is missing, even if the pack leaves out older ones.
            { leaveOut(1, of: &$0, total: 2) }, { leaveOut(1, of: &$0, total: 3) }, { leaveOut(2, of: &$0, total: 3) },
            { $0.sightings[1].dismissed = PackFixture.time },
            { $0.stations[0].places[0].since = $0.stations[0].places[0].since.advanced(by: .seconds(1)) },
            {
                let since = $0.stations[0].enrolled.advanced(by: .seconds(30))
                $0.stations[0].places.append(.init(since: since, place: Place(latitude: 48.85, longitude: 2.35)))
            },
            {
                $0.stations[0].mobile = true
                $0.stations[0].places[0].place = Place(latitude: 48.85, longitude: 2.35)
            },
        ] as [@Sendable (inout EvidenceContent) -> Void]
    )
    func records(change: @Sendable (inout EvidenceContent) -> Void) throws {
        var content = PackFixture.content()
        change(&content)
        content.allAuditEntries = content.audit.count
        let archive = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(archive, pinned: pinned) }
    }

    private static func leaveOut(_ number: Int, of content: inout EvidenceContent, total: Int) {
        content.sightings.remove(at: number)
        content.records.remove(at: number)
        content.allSightings = total
    }

    @Test("the entry about a move of a station, and the place with its time, need each other")
    func moved() throws {
        let since = PackFixture.time.advanced(by: .seconds(30))
        var content = PackFixture.content(
            move: AuditEntry.Event(
                action: "station.changed", time: since, station: PackFixture.station,
                details: ["latitude": "48.85", "longitude": "2.35", "since": "\(since)"]))
        let withoutPlace = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.record(entry: 45)) { try EvidenceVerification(withoutPlace, pinned: pinned) }
        content.stations[0].places.append(.init(since: since, place: Place(latitude: 48.85, longitude: 2.35)))
        #expect(try EvidenceVerification(try PackFixture.archive(content), pinned: pinned).stations == content.stations)
        content.stations[0].places[1].since = PackFixture.time
        let withOtherTime = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.record(entry: 45)) { try EvidenceVerification(withOtherTime, pinned: pinned) }
    }

    @Test("a pack may leave out the oldest sightings")
    func oldest() throws {
        var content = PackFixture.content()
        Self.leaveOut(0, of: &content, total: 3)
        #expect(try EvidenceVerification(try PackFixture.archive(content), pinned: pinned).sightings.count == 2)
    }

    @Test("visits in progress may have grown since their records")
    func grown() throws {
        var content = PackFixture.content()
        content.sightings[1].lastSeen = content.sightings[1].lastSeen.advanced(by: .seconds(300))
        let pack = try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        #expect(pack.unrecordedSightings == 0)
    }

    @Test("a sighting needs a record, whatever the audit says")
    func unrecorded() throws {
        var content = PackFixture.content()
        content.records.remove(at: 0)
        let archive = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.contradiction("the audit has no record of a sighting")) {
            try EvidenceVerification(archive, pinned: pinned)
        }
    }

    @Test("a pack says what it leaves out")
    func limit() throws {
        var content = PackFixture.content()
        content.allSightings = 7000
        let archive = try PackFixture.archive(content)
        let readMe = try #require(try ZIPArchive(reading: archive).files.first)
        #expect(String(decoding: readMe.content, as: UTF8.self).contains("Only the newest 3 are in this archive"))
        #expect(try EvidenceVerification(archive, pinned: pinned).allSightings == 7000)
    }

    @Test("a pack with more sightings than it says that there are is refused", arguments: [2, -1, .min])
    func impossibleTotal(total: Int) throws {
        var content = PackFixture.content()
        content.allSightings = total
        let archive = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.contradiction("the files are about different bikes, reports or numbers")) {
            try EvidenceVerification(archive, pinned: pinned)
        }
    }
}
