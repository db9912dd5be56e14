import Beacons
import Foundation
import TestSupport
import Testing

@testable import RegistryAPI

@Suite("Reading visits in place")
struct PlainVisitReaderTests {
    private static let place = #""place":{"latitude":-51.500729,"longitude":0.124625,"accuracy":10.5}"#
    private static let full = VisitBatchReadingTests.visit.replacing(
        #""ended":false"#, with: #""ended":true,"timeUncertain":false,\#(place)"#
    )

    /// Whether the text was read in place; what was read must be what the rules read.
    private func isPlain(_ body: [UInt8]) throws -> Bool {
        guard let visits = PlainVisitReader.visits(in: body) else { return false }
        #expect(try VisitBatchReading(byRules: body).entries == visits.map(VisitBatchReading.Entry.visit))
        return true
    }

    private func isPlain(_ body: String) throws -> Bool { try isPlain(Array(body.utf8)) }

    @Test("what a station encodes is read in place", arguments: [VisitBatchReadingTests.visit, full])
    func plain(visit: String) throws {
        #expect(try isPlain(#"{"visits":[\#(visit)]}"#))
        #expect(try isPlain(#"{"visits":[\#(visit),\#(visit)]}"#))
        let batch = try JSONDecoder().decode(VisitBatch.self, from: Data(#"{"visits":[\#(visit)]}"#.utf8))
        for formatting in [[], .sortedKeys, .prettyPrinted] as [JSONEncoder.OutputFormatting] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            #expect(try isPlain([UInt8](encoder.encode(batch))))
        }
    }

    @Test("an empty batch is read in place")
    func empty() throws { #expect(try isPlain(#" { "visits" : [ ] } "#)) }

    @Test(
        "everything else is left to the rules",
        arguments: [
            ("false", #"false,"battery":3"#), ("false", #"false,"place":null"#), ("false", #"false,"ended":false"#),
            ("near", #"ne\u0061r"#), ("near", "nearby"), (#""count":5"#, #""count":5.0"#),
            (#""count":5"#, #""count":05"#),
            (#""count":5"#, #""count":0"#), (#""count":5"#, #""count":5e0"#), (#""count":5"#, #""count":"5""#),
            (#""count":5"#, #""count":99999999999999999999999999999999999999"#), (#""min":-80"#, #""min":-50"#),
            ("494E5445-4C4C", "494E54454C4C"), ("2026-11-21T06:13:05Z", "2026-02-30T06:13:05Z"),
            (#""ended":false"#, #""ended":False"#), (#","ended":false"#, ""),
            (#""rssi":{"min":-80,"max":-60}"#, #""rssi":{}"#),
            (#""ended":false"#, #""ended":false,"place":{"latitude":91,"longitude":0}"#),
            (#""ended":false"#, #""ended":false,"place":{"latitude":1.2345678901234567,"longitude":0}"#),
        ]
    )
    func leftToTheRules(field: String, replacement: String) throws {
        let visit = VisitBatchReadingTests.visit.replacing(field, with: replacement)
        #expect(visit != VisitBatchReadingTests.visit)
        #expect(try !isPlain(#"{"visits":[\#(visit)]}"#))
    }

    @Test("a batch that is too large is left to the rules, which count it")
    func tooLarge() throws {
        let visits = Array(repeating: Self.full, count: 501).joined(separator: ",")
        #expect(try !isPlain(#"{"visits":[\#(visits)]}"#))
    }

    @Test("whatever is read in place, the rules read alike", arguments: 0..<4 as Range<UInt64>)
    func mutations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let original = Array(#"{"visits":[\#(Self.full)]}"#.utf8)
        let pieces = ["0", "1", "9", "-", ".", "e1", " ", "\n", ",", "\"", "}", "{", "]", "null", "Z", "+01:00"]
        var plain = 0
        for _ in 0..<5000 {
            var bytes = original
            let place = Int.random(in: bytes.indices, using: &generator)
            if Bool.random(using: &generator) { bytes.remove(at: place) }
            let piece = pieces[Int.random(in: pieces.indices, using: &generator)]
            bytes.insert(contentsOf: Array(piece.utf8), at: place)
            if try isPlain(bytes) { plain += 1 }
        }
        #expect(plain > 100)
    }
}
