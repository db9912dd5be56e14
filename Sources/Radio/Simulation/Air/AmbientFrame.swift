import Beacons

/// The advertising data of devices that are not bikes, in the mix of a busy street: mostly Apple's own frames.
enum AmbientFrame {
    /// Writes one frame of at most 31 bytes; its kind is derived from the device's hash.
    static func write(
        into bytes: inout [UInt8], device hash: UInt64, isFake: Bool, random: inout SplitMix64
    ) -> Advertisement.Event {
        if isFake {
            writeFakeIBeacon(into: &bytes, reading: random.next())
            return .legacy
        }
        // The shares of a busy street in percent.
        switch hash % 100 {
        case ..<45: return writeNearby(into: &bytes, hash)
        case ..<65: return writeFindMy(into: &bytes, hash)
        case ..<75: return writeHandoff(into: &bytes, hash)
        case ..<92: return writeName(into: &bytes, hash)
        case ..<96: return writeEddystoneUID(into: &bytes, hash)
        default: return writeEddystoneTLM(into: &bytes, reading: random.next())
        }
    }

    /// Apple's Nearby Info, type 0x10: phones and watches in use.
    private static func writeNearby(into bytes: inout [UInt8], _ hash: UInt64) -> Advertisement.Event {
        bytes += [0x02, 0x01, 0x1A, 0x02, 0x0A, 0x0C, 0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05]
        fill(&bytes, count: 5, from: hash)
        return [.legacy, .connectable, .scannable]
    }

    /// Apple's Find My, type 0x12: lost tags.
    private static func writeFindMy(into bytes: inout [UInt8], _ hash: UInt64) -> Advertisement.Event {
        bytes += [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19]
        fill(&bytes, count: 25, from: hash)
        return .legacy
    }

    /// Apple's Handoff, type 0x0C: laptops.
    private static func writeHandoff(into bytes: inout [UInt8], _ hash: UInt64) -> Advertisement.Event {
        bytes += [0x02, 0x01, 0x1A, 0x13, 0xFF, 0x4C, 0x00, 0x0C, 0x0E]
        fill(&bytes, count: 14, from: hash)
        return [.legacy, .connectable, .scannable]
    }

    /// A headset or lamp that only advertises its name.
    private static func writeName(into bytes: inout [UInt8], _ hash: UInt64) -> Advertisement.Event {
        let name = "Device \(hash % 10_000)".utf8
        bytes += [0x02, 0x01, 0x06, UInt8(truncatingIfNeeded: name.count + 1), 0x09]
        bytes += name
        return [.legacy, .connectable, .scannable]
    }

    /// A beacon of another format.
    private static func writeEddystoneUID(into bytes: inout [UInt8], _ hash: UInt64) -> Advertisement.Event {
        bytes += [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE, 0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEB]
        fill(&bytes, count: 16, from: hash)
        bytes += [0x00, 0x00]
        return .legacy
    }

    /// The readings of such a beacon.
    private static func writeEddystoneTLM(into bytes: inout [UInt8], reading: UInt64) -> Advertisement.Event {
        bytes += [0x02, 0x01, 0x06, 0x03, 0x03, 0xAA, 0xFE, 0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00]
        fill(&bytes, count: 12, from: reading)
        return .legacy
    }

    /// A thermometer like those of Govee: an iBeacon whose major and minor are readings that change in every frame.
    private static func writeFakeIBeacon(into bytes: inout [UInt8], reading: UInt64) {
        let identity = BeaconIdentity(
            uuid: ProximityUUID(high: 0x494E_5445_4C4C_495F, low: 0x524F_434B_535F_4857),  // “INTELLI_ROCKS_HW”
            major: UInt16(truncatingIfNeeded: reading),
            minor: UInt16(truncatingIfNeeded: reading >> 16)
        )
        bytes += IBeacon(identity: identity, measuredPower: -59).advertisingData
    }

    /// Appends pseudorandom bytes.
    private static func fill(_ bytes: inout [UInt8], count: Int, from hash: UInt64) {
        var word = hash
        for index in 0..<count {
            if index % 8 == 0 { word = SplitMix64.mix(word &+ 1) }
            bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * (index % 8))))
        }
    }
}
