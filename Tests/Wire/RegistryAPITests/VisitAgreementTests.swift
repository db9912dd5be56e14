import Beacons
import Foundation
import TestSupport
import Testing

@testable import RegistryAPI

@Suite("Visits, parsed by the reader and by a decoder")
struct VisitAgreementTests {
    private static let place = #""place":{"latitude":-51.500729,"longitude":0.124625,"accuracy":10.5}"#
    private static let full = VisitBatchReadingTests.visit.replacing(
        #""ended":false"#, with: #""ended":true,"timeUncertain":false,\#(place),"receiver":{"name":"bar"}"#
    )

    /// Whether both accept the text. If so, both must parse the same visits.
    private func agree(_ body: [UInt8]) throws -> Bool {
        guard let batch = try? JSONDecoder().decode(VisitBatch.self, from: Data(body)),
            let reading = try? VisitBatchReading(body)
        else { return false }
        let visits = reading.entries.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
        guard visits.count == reading.entries.count else { return false }
        #expect(visits == batch.visits.map(Self.bounded), "\(String(decoding: body, as: UTF8.self))")
        return true
    }

    /// Applies the reader's bounds, which the decoder does not have.
    private static func bounded(_ visit: Visit) -> Visit {
        let powers = -127...20
        var visit = visit
        visit.count = min(max(visit.count, 1), 1 << 53)
        if let rssi = visit.rssi, rssi.min > rssi.max || !powers.contains(rssi.min) || !powers.contains(rssi.max) {
            visit.rssi = nil
        }
        if let name = visit.receiver?.name, !VenueReceiver.isName(name) { visit.receiver = nil }
        if !powers.contains(visit.measuredPower) { visit.measuredPower = 0 }
        return visit
    }

    @Test("a visit encoded by a station is read", arguments: [VisitBatchReadingTests.visit, full])
    func encoded(visit: String) throws {
        #expect(try agree(Array(#"{"visits":[\#(visit)]}"#.utf8)))
        #expect(try agree(Array(#"{"visits":[\#(visit),\#(visit)]}"#.utf8)))
        let batch = try JSONDecoder().decode(VisitBatch.self, from: Data(#"{"visits":[\#(visit)]}"#.utf8))
        for formatting in [[], .sortedKeys, .prettyPrinted] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            #expect(try agree([UInt8](encoder.encode(batch))))
        }
    }

    @Test("an empty batch is read")
    func empty() throws { #expect(try agree(Array(#" { "visits" : [ ] } "#.utf8))) }

    @Test(
        "the spelling of a visit does not matter",
        arguments: [
            ("false", #"false,"battery":3"#), ("false", #"false,"place":null"#), ("near", #"ne\u0061r"#),
            ("count", #"c\u006funt"#), (#""count":5"#, #""count":5.0"#), (#""count":5"#, #""count":5e0"#),
            ("494E5445-4C4C-495F-524F-434B535F4857", "494E54454C4C495F524F434B535F4857"),
            ("2026-11-21T06:13:05Z", "2026-11-21T08:13:05.000+02:00"),
        ]
    )
    func forms(field: String, replacement: String) throws {
        let visit = VisitBatchReadingTests.visit.replacing(field, with: replacement)
        #expect(visit != VisitBatchReadingTests.visit)
        let entries = try VisitBatchReading(Array(#"{"visits":[\#(visit)]}"#.utf8)).entries
        #expect(try entries == VisitBatchReading(Array(VisitBatchReadingTests.batch.utf8)).entries)
        #expect(try agree(Array(#"{"visits":[\#(visit)]}"#.utf8)))
    }

    @Test("both parse the same visits from any text that both accept", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = Array(#"{"visits":[\#(Self.full)]}"#.utf8)
        let pieces = ["0", "1", "9", "-", ".", "e1", " ", "\n", ",", "\"", "}", "{", "]", "null", "Z", "+01:00"]
        var read = 0
        for _ in 0..<5000 {
            var bytes = original
            let place = Int.random(in: bytes.indices, using: &generator)
            if Bool.random(using: &generator) { bytes.remove(at: place) }
            let piece = pieces[Int.random(in: pieces.indices, using: &generator)]
            bytes.insert(contentsOf: Array(piece.utf8), at: place)
            if try agree(bytes) { read += 1 }
        }
        #expect(read > 100)
    }
}
