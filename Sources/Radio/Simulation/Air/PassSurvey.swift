import Beacons
private import Glibc

/// How often a beacon that passes a station is heard, by playing many passes in the simulated air.
public struct PassSurvey: Hashable, Sendable {
    /// The advertising interval, 20 ms to 10.24 s.
    public let interval: Duration
    /// The signal strength at 1 m in dBm, −127…20.
    public let measuredPower: Int8
    public let environment: Scenario.Environment

    /// The fewest passes that show that all or none are heard.
    private static let smallestTrial = 400

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
        guard environment.shadowingSigma > 0 else { return mean >= environment.sensitivity ? 1 : 0 }
        return Normal.cumulative((mean - environment.sensitivity) / environment.shadowingSigma)
    }

    /// The shares of passes on a straight line of which at least one frame is received, for each offset and each loss.
    ///
    /// Each pass is played once for all offsets and losses, which differ only in how much they weaken the signal.
    ///
    /// - Parameters:
    ///   - offsets: the shortest distances to the station in metres, 0 to 1,000.
    ///   - speed: in metres a second, 0.1 to 100.
    ///   - losses: the walls and bodies on the way in dB, beyond those of the environment; in ascending order.
    ///   - count: the number of passes, at least 1.
    ///   - seed: the same seed gives the same shares.
    public func heardShares(
        offsets: [Double], speed: Double, losses: [Double], count: Int, seed: UInt64
    ) -> [[Double]] {
        let none = offsets.map { _ in [Double](repeating: 0, count: losses.count) }
        let speed = max(speed, 0.1)
        guard reach > 0, count > 0, let weakest = losses.last, let trajectory = trajectory(speed) else { return none }
        let thresholds = losses.map { environment.sensitivity + $0 }
        // For each offset, by number: how many passes were heard behind exactly so many of the losses, the smallest ones.
        var passes = offsets.map { _ in [Int](repeating: 0, count: losses.count + 1) }
        // Offsets of which more passes must be played.
        var undecided = Array(offsets.indices)
        var played = [Int](repeating: count, count: offsets.count)
        let trial = count / 8
        for number in 0..<count where !undecided.isEmpty {
            let best = strongest(
                pass: number, trajectory, speed: speed, offsets: undecided.map { offsets[$0] },
                enough: environment.sensitivity + weakest, seed: seed)
            for (signal, offset) in zip(best, undecided) {
                var heard = 0
                while heard < thresholds.count, signal >= thresholds[heard] { heard += 1 }
                passes[offset][heard] += 1
            }
            // If all or none of the first eighth are heard, so are all or none of the rest, within the error of the
            // whole.
            guard number + 1 == trial, trial >= Self.smallestTrial else { continue }
            undecided.removeAll { offset in
                guard passes[offset].contains(trial) else { return false }
                played[offset] = trial
                return true
            }
        }
        return zip(passes, played).map { passes, played in
            losses.indices.map { Double(passes[($0 + 1)...].reduce(0, +)) / Double(played) }
        }
    }

    /// The share of one kind of pass.
    public func heardShare(offset: Double, speed: Double, loss: Double, count: Int, seed: UInt64) -> Double {
        heardShares(offsets: [offset], speed: speed, losses: [loss], count: count, seed: seed)[0][0]
    }

    /// Straight through the station’s place, as far as it can hear.
    private func trajectory(_ speed: Double) -> Trajectory? {
        let time = Duration.nanoseconds(Int64(2 * reach / speed * 1e9))
        return Trajectory(
            waypoints: [
                Trajectory.Waypoint(at: .zero, x: -reach, y: 0), Trajectory.Waypoint(at: time, x: reach, y: 0),
            ], until: nil)
    }

    /// The strongest frame of a pass in dBm, for each offset; playing ends when all are at least `enough`.
    private func strongest(
        pass number: Int, _ trajectory: Trajectory, speed: Double, offsets: [Double], enough: Double, seed: UInt64
    ) -> [Double] {
        // The beacon's name determines its random numbers.
        let beacon = Scenario.Beacon(
            name: "\(number)", identity: BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: 0),
            measuredPower: measuredPower, interval: interval, jitter: .milliseconds(10), isMissing: true,
            addressRotation: nil, trajectory: trajectory)
        var source = BeaconSource(beacon, environment: environment, seed: seed)
        var best = [Double](repeating: -.infinity, count: offsets.count)
        while let time = source.next {
            guard let signal = source.send(at: time) else { continue }
            let along = abs(Double(time) / 1e9 * speed - reach)
            // The signal without the path loss at this point of the line through the station.
            let shadowed = signal - environment.meanRSSI(measuredPower: 0, metres: along)
            var least = Double.infinity
            for index in offsets.indices {
                let metres = (along * along + offsets[index] * offsets[index]).squareRoot()
                best[index] = max(best[index], shadowed + environment.meanRSSI(measuredPower: 0, metres: metres))
                least = min(least, best[index])
            }
            if least >= enough { break }
        }
        return best
    }
}

extension PassSurvey {
    /// The same passes as a scenario of the monitor’s own simulation: beacons that pass the station one after the other on a
    /// straight line.
    ///
    /// - Parameters:
    ///   - offset: the shortest distance to the station in metres, 0 to 1,000.
    ///   - speed: in metres a second, 0.1 to 100.
    ///   - passes: 1 to 1,000.
    public func scenario(offset: Double, speed: Double, passes: Int, seed: UInt64) throws(ScenarioError) -> Scenario {
        let half = 2 * reach
        let time = Int(2000 * half / speed)
        return try Scenario(
            yaml: """
                name: passes
                seed: \(seed)
                duration: \(passes + time / 1000 + 10)s
                beacons:
                  - name: bike
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1000
                    measuredPower: \(measuredPower)
                    interval: \(Int(interval / .milliseconds(1)))ms
                    missing: true
                    path:
                      - { at: 0s, x: \(-half), y: \(offset) }
                      - { at: \(time)ms, x: \(half), y: \(offset) }
                    copies: { count: \(passes), later: 1s }
                """, source: "passes")
    }
}

/// The standard normal distribution.
public enum Normal {
    /// The probability of a value up to this one.
    public static func cumulative(_ value: Double) -> Double { 0.5 * erfc(-value / 2.0.squareRoot()) }
}
