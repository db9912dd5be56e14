import Simulation

/// The rounds of buses or delivery bikes that carry a station: each drives one route there and back, from 6 to 22 o’clock.
struct VehicleRounds: Sendable {
    /// A piece of street on which a vehicle drives, once in a round.
    struct Stop: Sendable {
        let vehicle: Int32
        /// How far into the round it passes the middle of the piece, in metres.
        let metres: Float
    }

    /// The number of vehicles.
    let count: Int
    /// The length of each round in metres, at least 1.
    let lengths: [Float]
    /// For each piece the index of its first stop, and one more at the end.
    let first: [Int32]
    let stops: [Stop]

    static let none = VehicleRounds(count: 0, lengths: [], first: [], stops: [])

    private init(count: Int, lengths: [Float], first: [Int32], stops: [Stop]) {
        (self.count, self.lengths, self.first, self.stops) = (count, lengths, first, stops)
    }

    /// Routes between anchors of opposite parts of the city, chosen by the seed.
    init(count: Int, in network: StreetNetwork, _ routes: Routes, seed: UInt64) {
        guard count > 0 else {
            self = .none
            return
        }
        var random = SplitMix64(seed: seed, stream: "vehicles")
        var lengths: [Float] = []
        var passed: [(piece: Int32, stop: Stop)] = []
        for vehicle in 0..<count {
            let from = Int32(random.next(below: UInt64(routes.anchors.count)))
            var to = Int32(random.next(below: UInt64(routes.anchors.count)))
            if to == from { to = (to + 1) % Int32(routes.anchors.count) }
            var way: Float = 0
            var there: [(Int32, Float)] = []
            var crossing = routes.anchors[Int(from)]
            while case let piece = routes.piece(towards: to, from: crossing), piece >= 0 {
                let length = network.pieces[Int(piece)].length
                there.append((piece, way + length / 2))
                way += length
                crossing = network.other(piece, than: crossing)
            }
            for (piece, metres) in there {
                passed.append((piece, Stop(vehicle: Int32(vehicle), metres: metres)))
                passed.append((piece, Stop(vehicle: Int32(vehicle), metres: 2 * way - metres)))
            }
            lengths.append(max(1, 2 * way))
        }
        passed.sort { $0.piece < $1.piece }
        var first = [Int32](repeating: 0, count: network.pieces.count + 1)
        for (piece, _) in passed { first[Int(piece) + 1] += 1 }
        for index in 1..<first.count { first[index] += first[index - 1] }
        self.init(count: count, lengths: lengths, first: first, stops: passed.map(\.stop))
    }

    /// The stops on a piece, as indices of ``stops``.
    @inline(__always)
    func stops(on piece: Int32) -> Range<Int> {
        count == 0 ? 0..<0 : Int(first[Int(piece)])..<Int(first[Int(piece) + 1])
    }
}

/// When a vehicle drives past one place: once in each round, during the ``WakingHours``.
struct VehiclePasses {
    /// The length of a round in seconds.
    let lap: Double
    /// The seconds from 6 o’clock to the first pass of a day, less than a round.
    let first: Double

    /// The time of a pass.
    ///
    /// - Parameters:
    ///   - start: in seconds since some midnight, as the result.
    ///   - skipped: the number of passes between the start and this one, at least 0.
    /// - Returns: nil if a round is so long that the vehicle never gets to this place.
    func time(after start: Double, skipping skipped: Double) -> Double? {
        let perDay = ((WakingHours.length - first) / lap).rounded(.down) + 1
        guard perDay >= 1 else { return nil }
        let day = (start / 86_400).rounded(.down)
        let sinceFirst = start - day * 86_400 - WakingHours.begin - first
        let earlierToday = max(0, min(perDay, (sinceFirst / lap).rounded(.up)))
        // Passes are numbered from that midnight.
        let number = day * perDay + earlierToday + skipped
        let dayOfPass = (number / perDay).rounded(.down)
        let lapsThatDay = number.truncatingRemainder(dividingBy: perDay)
        return dayOfPass * 86_400 + WakingHours.begin + first + lapsThatDay * lap
    }
}
