import Beacons
import Foundation
import Presence
import Simulation

extension ScanInstant {
    /// A moment in whole or broken seconds of a test's time line.
    static func at(_ seconds: Double) -> ScanInstant {
        ScanInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension IBeacon {
    static func bike(_ minor: UInt16, power: Int8 = -59) -> IBeacon {
        IBeacon(
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: minor),
            measuredPower: power
        )
    }

    /// One of 2⁶⁴ identities.
    static func stranger(_ number: UInt64) -> IBeacon {
        IBeacon(
            identity: BeaconIdentity(uuid: ProximityUUID(high: 9, low: number), major: 0, minor: 0),
            measuredPower: -59
        )
    }
}

extension PresenceTracker {
    /// Frames of one bike at each time in seconds, with a signal of −70 dBm.
    mutating func hear(_ times: some Sequence<Double>, bike: UInt16 = 1) -> [PresenceEvent] {
        times.flatMap { observe(.bike(bike), rssi: -70, at: .at($0)) }
    }
}

/// `kind@seconds` of each event: a short form to compare with.
func summary(_ events: [PresenceEvent]) -> [String] {
    events.map { event in
        let seconds = event.time.seconds
        return "\(event.kind)@\(seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds))"
    }
}

/// A small seeded generator (Knuth's MMIX constants), so that a failing schedule can be run again.
struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

extension Scenario {
    /// A scenario file that the project ships.
    static func shipped(_ name: String) throws -> Scenario {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Scenario(path: root.appending(path: "config/scenarios/\(name).yaml").path)
    }
}
