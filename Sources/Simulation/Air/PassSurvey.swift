import Beacons

/// How often a beacon that passes a station is heard, by playing many passes in the simulated air.
public struct PassSurvey: Hashable, Sendable {
    /// The advertising interval, 20 ms to 10.24 s.
    public let interval: Duration
    /// The signal strength at 1 m in dBm, −127…20.
    public let measuredPower: Int8
    public let environment: Scenario.Environment

    /// Intervals outside 20 ms to 10.24 s are moved to the nearest bound.
    public init(interval: Duration, measuredPower: Int8) {
        self.interval = min(max(interval, .milliseconds(20)), .milliseconds(10_240))
        self.measuredPower = max(-127, min(20, measuredPower))
        environment = Scenario.Environment()
    }

    /// The distance in metres beyond which fewer than one frame in 700 is decoded; at most 1,000 m.
    public var reach: Double {
        environment.range(measuredPower: measuredPower, fade: -3 * environment.shadowingSigma) ?? 0
    }

    /// The probability that a frame from this distance is decoded, with `loss` more dB on its way.
    public func decoded(metres: Double, loss: Double) -> Double {
        let mean = environment.meanRSSI(measuredPower: measuredPower, metres: metres) - loss
        return environment.shadowingSigma > 0
            ? Normal.cumulative((mean - environment.sensitivity) / environment.shadowingSigma)
            : mean >= environment.sensitivity ? 1 : 0
    }

    /// The share of passes on a straight line of which at least one frame is received.
    ///
    /// - Parameters:
    ///   - offset: the shortest distance to the station in metres, 0 to 1,000.
    ///   - speed: in metres a second, 0.1 to 100.
    ///   - loss: the walls and bodies on the way in dB, beyond those of the environment; rounded to whole dB.
    ///   - count: the number of passes, at least 1.
    ///   - seed: the same seed gives the same share.
    public func heardShare(offset: Double, speed: Double, loss: Double, count: Int, seed: UInt64) -> Double {
        let half = (reach * reach - offset * offset).squareRoot()
        guard half > 0, count > 0 else { return 0 }
        let time = Duration.nanoseconds(Int64(2 * half / max(speed, 0.1) * 1e9))
        let ends = [
            Trajectory.Waypoint(at: .zero, x: -half, y: offset), Trajectory.Waypoint(at: time, x: half, y: offset),
        ]
        guard let trajectory = Trajectory(waypoints: ends, until: nil) else { return 0 }
        let power = Int8(max(-127, min(20, Double(measuredPower) - loss.rounded())))
        let sure = count / 8
        var heard = 0
        for number in 0..<count {
            if isHeard(pass(number, power, trajectory), seed: seed) { heard += 1 }
            // All or none of an eighth is all or none of the rest, within the error of the whole.
            if number + 1 == sure, sure >= 400, heard == 0 || heard == sure { return heard == 0 ? 0 : 1 }
        }
        return Double(heard) / Double(count)
    }

    /// The pass as a beacon whose name decides about its random numbers.
    private func pass(_ number: Int, _ power: Int8, _ trajectory: Trajectory) -> Scenario.Beacon {
        Scenario.Beacon(
            name: "\(number)", identity: BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0),
            measuredPower: power, interval: interval, jitter: .milliseconds(10), isMissing: true, addressRotation: nil,
            trajectory: trajectory)
    }

    private func isHeard(_ beacon: Scenario.Beacon, seed: UInt64) -> Bool {
        var source = BeaconSource(beacon, environment: environment, seed: seed)
        while let time = source.next {
            if source.transmit(at: time) != nil { return true }
        }
        return false
    }
}
