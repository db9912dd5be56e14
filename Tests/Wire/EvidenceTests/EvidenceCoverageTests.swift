import FoundationEssentials
import RegistryAPI
import Testing

@testable import Evidence

@Suite("When stations listened, in evidence packs")
struct EvidenceCoverageTests {
    private let pinned = HashValue(PackFixture.keyring.current.fingerprint)

    private func readMe(_ content: EvidenceContent) throws -> String {
        let archive = try PackFixture.archive(content)
        let file = try #require(try ZIPArchive(reading: archive).files.first { $0.name == "README.txt" })
        return String(decoding: file.content, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test("a pack says when stations listened, and that this does not prove that the beacon was elsewhere")
    func told() throws {
        let content = PackFixture.content()
        let pack = try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        #expect(pack.coverage == content.coverage && pack.coverage?.spans == 2)
        let text = try readMe(content)
        #expect(
            text.contains("near where the beacon was heard: 1.\n") && text.contains("\n2026-11-21T09:00:00.000Z and"))
        #expect(text.contains("This does not prove that the beacon was somewhere else."))
        let lines = EvidenceSummary(pack) { "\($0)" }.lines.joined(separator: "\n")
        #expect(lines.contains("Silent:") && lines.contains("does not prove that it was somewhere else"))
    }

    @Test("a pack without coverage says so")
    func none() throws {
        var content = PackFixture.content()
        content.coverage = .none
        #expect(
            try EvidenceVerification(try PackFixture.archive(content), pinned: pinned).coverage == EvidenceCoverage.none
        )
        #expect(try readMe(content).contains("It is not known that any station nearby listened"))
    }

    @Test("only the newest spans are included, and the pack says how many there are")
    func limit() throws {
        var content = PackFixture.content()
        content.coverage = content.coverage.newest(1)
        #expect(content.coverage.spans == 1 && content.coverage.allSpans == 2)
        #expect(content.coverage.stations[0].spans[0].listened == 3600)
        #expect(content.coverage.newest(0).stations.isEmpty)
        #expect(try readMe(content).contains("Only the newest 1 of 2 such times are in this archive."))
        _ = try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
    }

    private static let quarter = CoverageQuarter.length

    @Test(
        "coverage that contradicts itself, the report or the sightings is refused, whoever signed it",
        arguments: [
            { $0.coverage.allSpans = 1 }, { $0.coverage.allSpans = -1 },
            { $0.coverage.stations += $0.coverage.stations },
            { $0.coverage.from = nil }, { $0.coverage.until = $0.coverage.from },
            { $0.coverage.from = $0.report.opened.advanced(by: .seconds(-1)) },
            { $0.coverage.until = PackFixture.time.advanced(by: .seconds(1)) },
            { $0.report.closed = PackFixture.time.advanced(by: .seconds(-1)) },
            { $0.coverage.until = $0.coverage.stations[0].spans[1].until.advanced(by: .seconds(-1)) },
            { $0.coverage.from = $0.coverage.stations[0].spans[0].from.advanced(by: .seconds(1)) },
            { $0.coverage.stations[0].area.latitude = 51.5001 },
            { $0.coverage.stations[0].spans = [] },
            { $0.coverage.stations[0].spans.reverse() },
            { $0.coverage.stations[0].spans[0].listened = 1679 },
            { $0.coverage.stations[0].spans[0].listened = 1801 },
            { $0.coverage.stations[0].spans[0].until = $0.coverage.stations[0].spans[0].from },
            { $0.coverage.stations[0].spans[1].from = $0.coverage.stations[0].spans[0].until },
            {
                let until = $0.coverage.stations[0].spans[0].until
                $0.coverage.stations[0].spans[0].until = until.advanced(by: .seconds(-1))
            },
        ] as [@Sendable (inout EvidenceContent) -> Void])
    func contradictions(change: @Sendable (inout EvidenceContent) -> Void) throws {
        var content = PackFixture.content()
        change(&content)
        let archive = try PackFixture.archive(content)
        #expect(throws: EvidenceFlaw.self) { try EvidenceVerification(archive, pinned: pinned) }
    }

    @Test("a station that heard the beacon in a span is a contradiction, and one that heard it beside the span is not")
    func overlap() throws {
        var content = PackFixture.content()
        let station = try #require(content.stations.first?.id)
        let before = PackFixture.time.advanced(by: Self.quarter * -1)
        content.coverage.stations = [
            ListeningStation(
                id: station, area: content.coverage.stations[0].area,
                spans: [ListeningSpan(from: before, until: PackFixture.time, listened: 900)])
        ]
        _ = try EvidenceVerification(try PackFixture.archive(content), pinned: pinned)
        content.sightings[0].firstSeen = before.advanced(by: .seconds(10))
        let sightings = content.sightings
        #expect(throws: EvidenceFlaw.contradiction("the station \(station) reported the beacon when it did not")) {
            try content.coverage.check(content.report, sightings, made: PackFixture.time)
        }
    }

    @Test("packs of earlier formats, which have no coverage, still verify")
    func earlier() throws {
        let archive = try PackFixture.archive()
        var files = try ZIPArchive(reading: archive).files.filter {
            $0.name != "coverage.json" && $0.name != "partners.json"
        }
        files.removeLast(2)
        let place = try #require(files.firstIndex { $0.name == "pack.json" })
        let text = String(decoding: files[place].content, as: UTF8.self)
        #expect(text.contains("\"format\" : 4"))
        files[place] = ArchiveFile("pack.json", text.replacing("\"format\" : 4", with: "\"format\" : 2"))
        let manifest = Array(Manifest.text(of: files).utf8)
        files += [
            ArchiveFile("MANIFEST", manifest), ArchiveFile("MANIFEST.sig", try PackFixture.keyring.sign(manifest)),
        ]
        let pack = try EvidenceVerification(ZIPArchive(files: files).bytes, pinned: pinned)
        #expect(pack.coverage == nil && pack.isTrusted && pack.records.count == 3)
        #expect(!EvidenceSummary(pack) { "\($0)" }.lines.contains { $0.hasPrefix("Silent") })
    }
}
