import Beacons
import TestSupport
import Testing

/// A registry and a beacon that derive different identities lose the bike: the same cases are tried in C and JavaScript.
@Suite struct RotatingBeaconTests {
    /// One line: key, beacon's time in seconds, identity and address.
    private static func line(_ key: RotatingBeaconKey, seconds: UInt32) -> String {
        let slot = RotatingSlot(beaconSeconds: seconds)
        let data = key.frame(at: slot).advertisingData[9..<29]
        let address = key.address(at: slot).description.filter { $0 != ":" }.lowercased()
        return [key.hexadecimal, "\(seconds)", Self.hex(data), address].joined(separator: "\t")
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("identities and addresses are those of the profile’s vectors")
    func vectors() throws {
        let rows = try Vectors.rows(of: "rotating.tsv")
        #expect(rows.count == 67)
        for row in rows {
            let key = try #require(RotatingBeaconKey(hexadecimal: row[0]))
            let seconds = try #require(UInt32(row[1]))
            #expect(Self.line(key, seconds: seconds) == row.joined(separator: "\t"))
        }
    }

    @Test("PyCA’s one-step key derivation gives the same")
    func oracle() async throws {
        var generator = SeededGenerator(seed: 18)
        let cases = (0..<1000).map { _ in
            (RotatingBeaconKey.random(using: &generator), UInt32.random(in: .min ... .max, using: &generator))
        }
        let python = Repository.path(".build/venv/bin/python")
        let oracle = Repository.path("Tests/Radio/BeaconsTests/Fixtures/rotating_oracle.py")
        let result = try await BuiltProgram(path: python).run(
            [oracle], input: cases.map { "\($0.0.hexadecimal) \($0.1)\n" }.joined())
        try #require(result.status == 0, "run ‘scripts/prepare.sh tests’: \(result.errors)")
        #expect(result.output.split(separator: "\n").map(String.init) == cases.map { Self.line($0.0, seconds: $0.1) })
    }

    @Test("a range of slots has the identities of its slots, across epochs and at the end of the clock")
    func ranges() throws {
        var generator = SeededGenerator(seed: 1)
        let key = RotatingBeaconKey.random(using: &generator)
        for first in [0, 63, 1_753_000, 0x3F_FF80] {
            let slots = try #require(RotatingSlot(first))...(try #require(RotatingSlot(first + 127)))
            #expect(key.identities(in: slots) == slots.map(key.identity))
            #expect(Set(key.identities(in: slots)).count == 128)
        }
    }

    @Test("every frame has the same bytes around its identity")
    func frame() throws {
        let key = try #require(RotatingBeaconKey(hexadecimal: "000102030405060708090a0b0c0d0e0f"))
        let data = key.frame(at: RotatingSlot(beaconSeconds: 0)).advertisingData
        #expect(Self.hex(data.prefix(9)) == "0201061aff4c000215" && data.count == 30 && data.last == 0xC5)
    }

    @Test("the top bits of an address say its kind")
    func addressKinds() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<100 {
            let key = RotatingBeaconKey.random(using: &generator)
            let slot = RotatingSlot(beaconSeconds: generator.next())
            let (rotating, fixed) = (key.address(at: slot).value, key.address(at: slot, kind: .staticRandom).value)
            #expect(rotating >> 46 == 0 && fixed >> 46 == 3 && rotating == fixed & 0x3FFF_FFFF_FFFF)
        }
    }

    @Test("the record for a device is the one that the firmware’s checks read")
    func record() throws {
        let key = try #require(RotatingBeaconKey(hexadecimal: "000102030405060708090a0b0c0d0e0f"))
        let expected = "464d42726f743100" + key.hexadecimal + "6b0167a0" + "50d1203a"
        #expect(Self.hex(key.record(beaconSeconds: 1_795_254_176)) == expected)
    }

    @Test("slots begin every 1,024 seconds, and end with the beacon’s clock")
    func slots() throws {
        #expect(RotatingSlot(beaconSeconds: 1023).number == 0 && RotatingSlot(beaconSeconds: 1024).number == 1)
        #expect(RotatingSlot(unixSeconds: -1) == nil && RotatingSlot(unixSeconds: 1 << 32) == nil)
        let last = try #require(RotatingSlot(unixSeconds: 1 << 32 - 1))
        #expect(last == RotatingSlot.all.upperBound && last.start == 0xFFFF_FC00)
        #expect(RotatingSlot(-1) == nil && RotatingSlot(1 << 22) == nil && RotatingSlot(Int.max) == nil)
        #expect(last.advanced(by: 1) == last && last.advanced(by: .max) == last)
        #expect(last.advanced(by: .min).number == 0 && last.advanced(by: -1).distance(to: last) == 1)
    }

    @Test("a key is 32 hexadecimal digits, not all zero", arguments: ["", "00", "0", "-0", "+1"])
    func noKey(prefix: String) {
        #expect(RotatingBeaconKey(hexadecimal: prefix) == nil)
        #expect(RotatingBeaconKey(hexadecimal: prefix + "000102030405060708090a0b0c0d0e0f00") == nil)
        #expect(RotatingBeaconKey(hexadecimal: String(repeating: "0", count: 32)) == nil)
        #expect(RotatingBeaconKey(bytes: Array(repeating: 1, count: 15)) == nil)
        #expect(RotatingBeaconKey(hexadecimal: "0001020304050607-8090a0b0c0d0e0f") == nil)
    }

    @Test("no text of a key shows it")
    func redaction() throws {
        let key = try #require(RotatingBeaconKey(hexadecimal: "AB0102030405060708090a0b0c0d0e0f"))
        #expect(key.hexadecimal == "ab0102030405060708090a0b0c0d0e0f")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", "\(Optional(key) as Any)", dumped] {
            #expect(!text.lowercased().contains("0102") && !text.contains("\(key.bytes[0])"))
        }
    }
}
