/// Counts for several orders of stations together how many stations of each order are needed to hear each bike.
struct HeardTally: HearingSink, Sendable {
    /// How many bikes there are, and how many stations they need to be heard.
    struct Counts: Sendable {
        /// The number of orders.
        let orders: Int
        /// The maximum number of stations in an order.
        let most: Int
        private(set) var bikes = 0
        /// For each order, horizon and number of stations from 0 to ``most``, one after the other: the bikes of which
        /// exactly so many stations of the order are needed. A bike that no station hears is not in it.
        private var needed: [Int32]

        init(orders: Int, most: Int) {
            (self.orders, self.most) = (orders, most)
            needed = [Int32](repeating: 0, count: orders * Horizon.allCases.count * (most + 1))
        }

        /// The index in ``needed`` of the count for 0 stations.
        private func offset(_ order: Int, _ horizon: Int) -> Int {
            (order * Horizon.allCases.count + horizon) * (most + 1)
        }

        /// Counts one more bike.
        ///
        /// - Parameter best: for each order and horizon the least rank of the stations that hear it; `.max` for none.
        fileprivate mutating func add(_ best: [Int32]) {
            bikes += 1
            for order in 0..<orders {
                for horizon in Horizon.allCases.indices {
                    let rank = best[order * Horizon.allCases.count + horizon]
                    if rank <= most { needed[offset(order, horizon) + Int(rank)] += 1 }
                }
            }
        }

        /// How many bikes the first stations of an order hear, with those that exist already.
        func heard(order: Int, _ horizon: Horizon, stations: Int) -> Int {
            let start = offset(order, Horizon.allCases.firstIndex(of: horizon) ?? 0)
            return (0...stations).reduce(0) { $0 + Int(needed[start + $1]) }
        }

        /// The share of the bikes that are heard, by the number of stations from 0 to the most.
        func shares(order: Int, _ horizon: Horizon) -> [Double] {
            let start = offset(order, Horizon.allCases.firstIndex(of: horizon) ?? 0)
            var sum = 0
            return (0...most).map {
                sum += Int(needed[start + $0])
                return bikes > 0 ? Double(sum) / Double(bikes) : 0
            }
        }
    }

    /// For each order and station its number in the order, from 1; 0 if it exists already, `.max` if it is not in it.
    let ranks: [[Int32]]
    /// The number of stations that exist already: the first ones.
    let existing: Int
    private(set) var all: Counts
    /// The counts of each kind of thief.
    private(set) var models: [Counts]
    /// For each existing station how many bikes only it heard within a month, of all existing ones.
    private(set) var onlyHere: [Int32]
    /// How many bikes the first order’s stations heard for the first time in each span of time, and at last later.
    private(set) var delays = [Int32](repeating: 0, count: HeardTally.spans + 1)

    /// For each area the bikes that are stolen there.
    private(set) var stolen: [Int32]
    /// For each area those of them that the first order’s stations hear in time.
    private(set) var stolenAndHeard: [Int32]

    /// The index of the horizon that counts as in time.
    private let goal: Int

    // The bike that is being counted.
    private var model = 0
    private var area = 0
    /// For each order and horizon the least rank of the stations that have heard it; `.max` for none.
    private var best: [Int32]
    /// The seconds from the report until a station of the first order heard it.
    private var firstHeard = Double.infinity
    /// How many existing stations have heard it, and the last of them.
    private var existingCount = 0
    private var lastExisting = 0

    /// The number of spans of time for ``delays``. The first is a minute, and the end of each is a fifth later than that
    /// of the one before: 64 reach beyond 30 days.
    static let spans = 64
    private static let firstSpanEnd = 60.0
    private static let spanGrowth = 1.2

    /// - Parameters:
    ///   - most: the maximum number of stations in an order.
    ///   - existing: the number of stations that exist already.
    ///   - models: the number of kinds of thieves.
    ///   - areas: the number of cells in which bikes are stolen.
    ///   - goal: the horizon within which a bike is heard in time.
    init(ranks: [[Int32]], most: Int, existing: Int, models: Int, areas: Int, goal: Horizon) {
        self.ranks = ranks
        self.existing = existing
        all = Counts(orders: ranks.count, most: most)
        self.models = [Counts](repeating: Counts(orders: ranks.count, most: most), count: models)
        stolen = [Int32](repeating: 0, count: areas)
        stolenAndHeard = stolen
        self.goal = Horizon.allCases.firstIndex(of: goal) ?? 0
        onlyHere = [Int32](repeating: 0, count: existing)
        best = [Int32](repeating: .max, count: ranks.count * Horizon.allCases.count)
    }

    mutating func begin(model: Int, area: Int) {
        self.model = model
        self.area = area
        for index in best.indices { best[index] = .max }
        firstHeard = .infinity
        existingCount = 0
    }

    mutating func heard(_ station: Int32, after seconds: Double) {
        if Int(station) < existing {
            existingCount += 1
            lastExisting = Int(station)
        }
        let month = Horizon.allCases.count - 1
        for order in ranks.indices {
            let rank = ranks[order][Int(station)]
            guard rank < .max else { continue }
            if order == 0 { firstHeard = min(firstHeard, seconds) }
            var horizon = month
            while horizon >= 0, seconds <= Horizon.allCases[horizon].seconds {
                let index = order * Horizon.allCases.count + horizon
                if rank < best[index] { best[index] = rank }
                horizon -= 1
            }
        }
    }

    mutating func end() {
        all.add(best)
        models[model].add(best)
        stolen[area] += 1
        if best[goal] < .max { stolenAndHeard[area] += 1 }
        if existingCount == 1 { onlyHere[lastExisting] += 1 }
        if firstHeard.isFinite { delays[Self.span(of: firstHeard)] += 1 }
    }

    private static func span(of seconds: Double) -> Int {
        var span = 0
        var end = firstSpanEnd
        while seconds > end, span < spans {
            end *= spanGrowth
            span += 1
        }
        return span
    }

    /// The end of a span in seconds.
    static func bound(of span: Int) -> Double {
        (0..<span).reduce(firstSpanEnd) { end, _ in end * spanGrowth }
    }
}
