public import Simulation

/// The chance that a bike which passes a station is heard, by distance, speed and walls: passes that were played in the
/// product’s simulated air, and straight lines between them.
public struct PassTable: Sendable {
    /// The shortest distances to the station in metres.
    private static let offsets: [Double] = [0, 3, 6, 10, 15, 20, 25, 30, 36, 43, 51, 61, 73, 87, 103, 123]
    private static let speeds: [Double] = [1, 1.7, 2.8, 4.5, 7, 11, 18, 30]
    private static let losses: [Double] = [0, 5, 10, 15, 20]

    public let survey: PassSurvey
    private let shares: [Float]

    /// The distance in metres beyond which a station is not looked for; at most 150.
    public var reach: Double { min(150, survey.reach) }

    /// - Parameter passes: how many passes are played for each entry: with 4,000 the standard error is at most 0.8 %.
    public init(_ survey: PassSurvey, passes: Int = 4000, seed: UInt64) async throws {
        self.survey = survey
        let tables = try await parallel(Self.speeds.count) { speed in
            survey.heardShares(
                offsets: Self.offsets, speed: Self.speeds[speed], losses: Self.losses, count: passes, seed: seed)
        }
        shares = tables.flatMap { table in
            Self.losses.indices.flatMap { loss in table.map { Float($0[loss]) } }
        }
    }

    /// The chances at a speed and with walls on the way, for offsets in steps of half a metre.
    func chances(speed: Double, loss: Double) -> [Float] {
        let (speedIndex, speedShare) = Self.place(speed, in: Self.speeds)
        let (lossIndex, lossShare) = Self.place(loss, in: Self.losses)
        // Behind more than 20 dB, the reach is too short for a table of passes.
        let fade: Float = loss > 25 ? 0 : 1
        return (0...Int(2 * reach)).map { step in
            let (offset, share) = Self.place(Double(step) / 2, in: Self.offsets)
            var sum: Float = 0
            for (speed, x) in [(speedIndex, 1 - speedShare), (speedIndex + 1, speedShare)] {
                for (loss, y) in [(lossIndex, 1 - lossShare), (lossIndex + 1, lossShare)] {
                    let row = (speed * Self.losses.count + loss) * Self.offsets.count
                    sum += Float(x * y * (1 - share)) * shares[row + offset]
                    sum += Float(x * y * share) * shares[row + offset + 1]
                }
            }
            return sum * fade
        }
    }

    /// The chance of one pass.
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
