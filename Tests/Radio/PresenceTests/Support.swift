import Beacons
import Presence
import Simulation
import TestSupport

extension ScanInstant {
    /// A time in seconds, with a fraction, on a test's time line.
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
    /// A tracker that opens a visit on the second frame, like a station with that setting.
    static func pairs() throws -> PresenceTracker {
        PresenceTracker(configuration: try PresenceConfiguration(enterFrames: 2))
    }

    /// Observes a frame of one bike at each time in seconds, with a signal of −70 dBm.
    mutating func hear(_ times: some Sequence<Double>, bike: UInt16 = 1) -> [PresenceEvent] {
        times.flatMap { observe(.bike(bike), rssi: -70, at: .at($0)) }
    }
}

/// `kind@seconds` of each event: a short form for comparison.
func summary(_ events: [PresenceEvent]) -> [String] {
    events.map { event in
        let seconds = event.time.seconds
        return "\(event.kind)@\(seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds))"
    }
}

extension Scenario {
    /// Reads one of the project's shipped scenario files.
    static func shipped(_ name: String) throws -> Scenario {
        try Scenario(path: Repository.path("config/scenarios/\(name).yaml"))
    }
}
