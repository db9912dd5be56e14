import Glibc
public import Simulation

/// The chance that a bike which passes a station is heard, by distance, speed and walls: passes that were played in the
/// product’s simulated air, and lines between them.
public struct PassTable: Sendable {
    /// The shortest distances to the station in metres.
    private static let offsets: [Double] = [
        0, 3, 6, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 61, 67, 73, 80, 87, 95, 103, 113, 123,
    ]
    /// In metres a second.
    private static let speeds: [Double] = [1, 1.7, 2.8, 4.5, 7, 11, 18, 30]
    /// How much walls weaken the signal, in dB. Close together, because they cost nearly nothing.
    private static let losses = (0...20).map(Double.init)

    public let survey: PassSurvey
    /// The chance for each speed, loss and offset, one after the other; the offset changes fastest.
    private let shares: [Float]
    /// The greatest chance between two speeds: this many passes cannot distinguish a greater one from 1.
    private let most: Double

    /// The distance in metres beyond which a station is not looked for; at most 150.
    public var reach: Double { min(150, survey.reach) }

    /// Plays the passes.
    ///
    /// - Parameter passes: how many are played for each entry: with 4,000 the standard error is at most 0.8 %.
    /// - Throws: `CancellationError`.
    public init(_ survey: PassSurvey, passes: Int = 4000, seed: UInt64) async throws {
        self.survey = survey
        most = 1 - 0.5 / Double(max(1, passes))
        let tables = try await parallel(Self.speeds.count) { speed in
            survey.heardShares(
                offsets: Self.offsets, speed: Self.speeds[speed], losses: Self.losses, count: passes, seed: seed)
        }
        shares = tables.flatMap { table in
            Self.losses.indices.flatMap { loss in table.map { Float($0[loss]) } }
        }
    }

    /// The chances at a speed and with walls on the way, for offsets from 0 to the reach in steps of half a metre.
    ///
    /// - Parameters:
    ///   - speed: in metres a second.
    ///   - loss: how much the walls weaken the signal, in dB.
    func chances(speed: Double, loss: Double) -> [Float] {
        let paces = Self.speeds.map { -1 / $0 }
        let (index, share) = Self.place(-1 / max(0.1, speed), in: paces)
        // The table ends at 20 dB, and its last chances are taken up to 25 dB. Behind more, hardly a pass is heard.
        guard loss <= 25 else { return [Float](repeating: 0, count: Int(2 * reach) + 1) }
        return (0...Int(2 * reach)).map { step in
            let offset = Double(step) / 2
            let (slow, fast) = (chance(offset, speed: index, loss), chance(offset, speed: index + 1, loss))
            return Float(between(slow, fast, share))
        }
    }

    /// The chance at a speed of the table.
    private func chance(_ offset: Double, speed: Int, _ loss: Double) -> Double {
        let (loss, lossShare) = Self.place(loss, in: Self.losses)
        let (offset, offsetShare) = Self.place(offset, in: Self.offsets)
        func row(_ loss: Int) -> Double {
            let start = (speed * Self.losses.count + loss) * Self.offsets.count + offset
            return Double(shares[start]) * (1 - offsetShare) + Double(shares[start + 1]) * offsetShare
        }
        return row(loss) * (1 - lossShare) + row(loss + 1) * lossShare
    }

    /// The chance between two speeds. A bike that is within reach twice as long sends twice as many frames, so
    /// −log(1 − chance) grows about with the time for a metre. Straight lines between the chances, or in the speed, are
    /// too optimistic.
    private func between(_ slow: Double, _ fast: Double, _ share: Double) -> Double {
        guard slow != fast else { return slow }
        let (one, two) = (log(1 - min(slow, most)), log(1 - min(fast, most)))
        return 1 - exp(one + share * (two - one))
    }

    /// The chance that one pass is heard.
    ///
    /// - Parameters:
    ///   - offset: the shortest distance to the station in metres.
    ///   - speed: in metres a second.
    ///   - loss: how much walls weaken the signal, in dB.
    public func chance(offset: Double, speed: Double, loss: Double = 0) -> Double {
        let chances = chances(speed: speed, loss: loss)
        let step = Int(max(0, offset * 2))
        return step < chances.count ? Double(chances[step]) : 0
    }

    /// The entry below a value, and the share of the way to the next.
    private static func place(_ value: Double, in entries: [Double]) -> (index: Int, share: Double) {
        let index = max(0, min(entries.count - 2, (entries.firstIndex { $0 > value } ?? entries.count) - 1))
        let share = (value - entries[index]) / (entries[index + 1] - entries[index])
        return (index, max(0, min(1, share)))
    }
}
