import Beacons
import TestSupport
import Testing

/// A faulty iterator misses beacons that follow other structures, or reads past the end of a report.
@Suite struct ADStructuresTests {
    @Test(
        "structures are found in order",
        arguments: [
            ("", []),
            ("02 01 06", [1]),
            ("02 01 06 03 03 AA FE 01 09", [1, 3, 9]),
            ("00 02 01 06", []),
            ("02 01 06 00 00 00 00", [1]),
        ] as [(String, [UInt8])]
    )
    func order(hex: String, types: [UInt8]) throws {
        let frame = try #require(bytes(hex: hex))
        var structures = ADStructures()
        var found: [UInt8] = []
        while let structure = structures.next(in: frame.span.bytes) { found.append(structure.type) }
        #expect(found == types)
        #expect(!structures.isTruncated)
    }

    @Test(
        "a structure that is longer than the data is the end and is reported",
        arguments: ["02", "02 01", "02 01 06 05 FF 4C 00", "FF 01 06", "02 01 06 FF"]
    )
    func truncated(hex: String) throws {
        let frame = try #require(bytes(hex: hex))
        var structures = ADStructures()
        while let structure = structures.next(in: frame.span.bytes) { #expect(structure.type == 1) }
        #expect(structures.isTruncated)
        let again = structures.next(in: frame.span.bytes)
        #expect(again == nil)
    }

    @Test("an empty structure has empty data")
    func emptyStructure() {
        var structures = ADStructures()
        let frame: [UInt8] = [0x01, 0xFF]
        let structure = structures.next(in: frame.span.bytes)
        #expect(structure?.type == 0xFF)
        #expect(structure?.data.isEmpty == true)
    }
}
