import Simulation

/// When the stations of a world listen.
struct StationHours: Sendable {
    private let seed: UInt64
    /// The share of days on which a station works.
    private let uptime: Double
    /// As in ``Coverage``.
    private let keys: [UInt64]
    /// For each station its hours if it is switched off outside them; nil if it always listens.
    private let hours: [ClosedRange<Float>?]

    /// - Parameter sites: each station’s own hours of the day, in the order of the coverage; nil for those of the world.
    init(_ world: World, _ coverage: Coverage, sites: [ClosedRange<Double>?]) {
        // Any constant, so that these chances are not those of something else with the world’s seed.
        let seed = SplitMix64.mix(world.seed ^ 0x5747)
        keys = coverage.keys
        (self.seed, uptime) = (seed, world.surroundings.uptime)
        hours = zip(coverage.keys, sites).map { key, own in
            if let own { return Float(own.lowerBound)...Float(own.upperBound) }
            let isOff = SplitMix64.chance(seed, key, -1) < world.surroundings.offAtNight
            return isOff ? Float(world.surroundings.opens)...Float(world.surroundings.closes) : nil
        }
    }

    /// The first moment of a time span at which a station listens, in seconds since the theft; nil if it never does.
    ///
    /// - Parameters:
    ///   - from: the beginning of the span, in seconds since the theft.
    ///   - end: its end, in seconds since the theft.
    ///   - midnight: the seconds from the midnight before the theft to the theft.
    func first(_ station: Int32, from: Double, until end: Double, midnight: Double) -> Double? {
        var time = from
        while time <= end {
            let clock = midnight + time
            let day = (clock / 86_400).rounded(.down)
            if uptime < 1, SplitMix64.chance(seed, keys[Int(station)], Int(day)) >= uptime {
                time = (day + 1) * 86_400 - midnight
                continue
            }
            guard let hours = hours[Int(station)] else { return time }
            let second = clock - day * 86_400
            let (opens, closes) = (Double(hours.lowerBound) * 3600, Double(hours.upperBound) * 3600)
            if second < opens {
                time += opens - second
            } else if second > closes {
                time = (day + 1) * 86_400 - midnight
            } else {
                return time
            }
        }
        return nil
    }
}
