import Beacons
import TestSupport
import Testing

/// Test frames from other projects, and real ones: beacons that those projects recognise are recognised here.
@Suite struct BeaconFrameTests {
    @Test("every published frame is recognised correctly or not at all")
    func published() throws {
        var expected: [[UInt8]: [String]] = [:]
        for row in try Vectors.rows(of: "recognised.tsv") {
            expected[try #require(bytes(hex: row[0]))] = Array(row.dropFirst())
        }
        #expect(expected.count == 19)
        for frame in try Vectors.advertisingData().dropLast(try Vectors.rows(of: "captured.tsv").count) {
            let found = BeaconFrame(advertisingData: frame.span.bytes).map(describe)
            // Manufacturer data without a company identifier is listed unchanged.
            #expect(found == expected[frame] ?? expected[Array(frame.dropFirst(4))], "\(frame)")
        }
    }

    @Test("exactly the captures' iBeacons are recognised among the captured frames")
    func captured() throws {
        let beacons = try Vectors.rows(of: "captured.tsv").compactMap { row in
            let frame = try #require(bytes(hex: row[1]))
            return BeaconFrame(advertisingData: frame.span.bytes).map(describe)
        }
        #expect(beacons.allSatisfy { $0[0] == "iBeacon" })
        #expect(
            Set(beacons.map { $0[1] }) == [
                "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:1", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2",
                "494E5445-4C4C-495F-524F-434B535F4857:20594:62207",
                "494E5445-4C4C-495F-524F-434B535F4857:20597:62207",
            ]
        )
    }

    @Test("an iBeacon takes precedence over other beacons in the same frame")
    func priority() throws {
        let altBeacon = "1B FF 18 01 BE AC 2F234454CF6D4A0FADF2F4911BA9FFA6 0001 0002 C5 00"
        let eddystone = "15 16 AA FE 00 E7 00010203040506070809 010203040506"
        let frame = try #require(bytes(hex: altBeacon + eddystone + IBeaconTests.beacon))
        #expect(BeaconFrame(advertisingData: frame.span.bytes).map(describe)?[0] == "iBeacon")
        let others = try #require(bytes(hex: eddystone + altBeacon))
        #expect(BeaconFrame(advertisingData: others.span.bytes).map(describe)?[0] == "EddystoneUID")
    }

    @Test("an Eddystone power below the type's range is clamped")
    func eddystonePower() throws {
        let frame = try #require(bytes(hex: "15 16 AA FE 00 80 00010203040506070809 010203040506"))
        #expect(BeaconFrame(advertisingData: frame.span.bytes)?.measuredPower == -128)
    }

    /// The format, identity and power in the notation of recognised.tsv.
    private func describe(_ frame: BeaconFrame) -> [String] {
        let (format, identity) =
            switch frame {
            case .iBeacon(let beacon): ("iBeacon", "\(beacon.identity)")
            case .altBeacon(let beacon): ("AltBeacon", "\(beacon.identity)")
            case .eddystoneUID(let beacon):
                (
                    "EddystoneUID",
                    hexadecimal(UInt64(beacon.namespace.high), 4) + hexadecimal(beacon.namespace.low, 16) + ":"
                        + hexadecimal(beacon.instance, 12)
                )
            }
        return [format, identity, "\(frame.measuredPower)"]
    }

    private func hexadecimal(_ value: UInt64, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
