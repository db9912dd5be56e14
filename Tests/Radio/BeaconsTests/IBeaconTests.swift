import Beacons
import TestSupport
import Testing

/// A frame that is wrongly rejected is a stolen bike missed; one that is wrongly accepted is a false alarm.
@Suite struct IBeaconTests {
    static let beacon = "1A FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5"
    static let nearby = "0A FF 4C 00 10 05 18 18 13 13 AB"

    static var expected: IBeacon? {
        BeaconIdentity("21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100").map { IBeacon(identity: $0, measuredPower: -59) }
    }

    @Test(
        "it is found at any position",
        arguments: [
            "02 01 06" + beacon,
            "02 01 1A" + beacon,
            beacon,
            beacon + "02 01 06",
            "03 03 AA FE 04 09 41 42 43" + beacon,
            nearby + beacon,
            beacon + nearby,
            "05 FF 59 00 01 02" + beacon,
            beacon + "00 00 00 00",
            beacon + "1F FF 4C",
            // With a battery level after the beacon's own bytes.
            "02 01 06 1B FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5 64",
        ]
    )
    func found(hex: String) throws {
        let frame = try #require(bytes(hex: hex))
        #expect(IBeacon(advertisingData: frame.span.bytes) == Self.expected)
        #expect(BeaconFrame(advertisingData: frame.span.bytes) == Self.expected.map(BeaconFrame.iBeacon))
    }

    @Test("the first of two beacons in a frame is used")
    func first() throws {
        let second = "1A FF 4C 00 02 15 00000000000000000000000000000001 0002 0003 C0"
        let frame = try #require(bytes(hex: Self.beacon + second))
        #expect(IBeacon(advertisingData: frame.span.bytes) == Self.expected)
    }

    @Test(
        "near misses are rejected",
        arguments: [
            "",
            "02 01 06",
            nearby,
            // A wrong type, length, company or AD type; one byte short; hidden behind padding; truncated.
            "1A FF 4C 00 03 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
            "1A FF 4C 00 02 14 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
            "1A FF 00 4C 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
            "1A 16 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
            "19 FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064",
            "00 1A FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
            "1B FF 4C 00 02 15 21EECF71D5C74A009B9027C94B5146EA 0001 0064 C5",
        ]
    )
    func rejected(hex: String) throws {
        let frame = try #require(bytes(hex: hex))
        #expect(IBeacon(advertisingData: frame.span.bytes) == nil)
    }

    @Test(
        "an invalid measured power is passed on, and the distance calculation refuses it",
        arguments: [Int8.min, 0, 20, .max])
    func power(power: Int8) throws {
        var frame = try #require(bytes(hex: Self.beacon))
        frame[26] = UInt8(bitPattern: power)
        #expect(IBeacon(advertisingData: frame.span.bytes)?.measuredPower == power)
    }

    @Test("an encoded beacon is parsed again")
    func roundTrip() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1000 {
            let beacon = IBeacon(
                identity: BeaconIdentity(
                    uuid: ProximityUUID(high: random.next(), low: random.next()),
                    major: .random(in: .min ... .max, using: &random),
                    minor: .random(in: .min ... .max, using: &random)
                ),
                measuredPower: .random(in: .min ... .max, using: &random)
            )
            let frame = beacon.advertisingData
            #expect(frame.count == 30)
            #expect(IBeacon(advertisingData: frame.span.bytes) == beacon)
        }
    }
}
