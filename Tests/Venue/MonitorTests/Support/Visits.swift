import Beacons
import RegistryAPI
import TestSupport

/// Makes visits for tests, each with its own identifier.
struct VisitMaker {
    private var generator = SeededGenerator(seed: 1)
    private var milliseconds: Int64 = 1_795_241_585_000

    /// A time later than all visits of a maker.
    static let time = Timestamp(milliseconds: 1_795_250_000_000)

    mutating func visit(count: Int64 = 2, ended: Bool = false) -> Visit {
        milliseconds += 1000
        let time = Timestamp(milliseconds: milliseconds)
        return Visit(
            id: VisitID(at: time, using: &generator),
            stay: StayID(at: time, using: &generator),
            identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4),
            firstSeen: time,
            lastSeen: time,
            count: count,
            rssi: SignalStrength(min: -80, max: -60),
            measuredPower: -59,
            proximity: .near,
            place: nil,
            ended: ended
        )
    }
}
