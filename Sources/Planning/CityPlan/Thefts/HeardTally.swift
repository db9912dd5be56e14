/// How long after the report a bike counts as heard.
public enum Horizon: String, CaseIterable, Codable, Hashable, Sendable {
    case hour, day, week, month

    /// 30 days for a month.
    var seconds: Double {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .week: 7 * 86_400
        case .month: 30 * 86_400
        }
    }
}

/// Counts for several orders of stations together how many stations of each order are needed to hear each bike.
struct HeardTally: HearingSink, Sendable {
    /// The number of bikes; and of those, for each order, horizon and number of stations, how many need exactly so
    /// many.
    struct Counts: Sendable {
        let orders: Int
        let most: Int
        private(set) var bikes = 0
        private(set) var needed: [Int32]

        init(orders: Int, most: Int) {
            (self.orders, self.most) = (orders, most)
            needed = [Int32](repeating: 0, count: orders * Horizon.allCases.count * (most + 1))
        }

        fileprivate func place(_ order: Int, _ horizon: Int) -> Int {
            (order * Horizon.allCases.count + horizon) * (most + 1)
        }

        fileprivate mutating func add(_ best: [Int32]) {
            bikes += 1
            for order in 0..<orders {
                for horizon in Horizon.allCases.indices {
                    let rank = best[order * Horizon.allCases.count + horizon]
                    if rank <= most { needed[place(order, horizon) + Int(rank)] += 1 }
                }
            }
        }

        /// How many bikes so many stations hear.
        func heard(order: Int, _ horizon: Horizon, stations: Int) -> Int {
            let start = place(order, Horizon.allCases.firstIndex(of: horizon) ?? 0)
            return (0...stations).reduce(0) { $0 + Int(needed[start + $1]) }
        }

        /// The share of the bikes that are heard, by the number of stations from 0 to the most.
        func shares(order: Int, _ horizon: Horizon) -> [Double] {
            let start = place(order, Horizon.allCases.firstIndex(of: horizon) ?? 0)
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
    private(set) var models: [Counts]
    /// For each existing station how many bikes only it heard within a month, of all existing ones.
    private(set) var onlyHere: [Int32]
    /// How many bikes the first order’s stations heard for the first time in each of 64 spans of time.
    private(set) var delays = [Int32](repeating: 0, count: HeardTally.spans + 1)

    /// For each area the bikes that are stolen there, and those of them that the first order’s stations hear in time.
    private(set) var stolen: [Int32]
    private(set) var stolenAndHeard: [Int32]

    private let goal: Int
    private var model = 0
    private var area = 0
    private var best: [Int32]
    private var firstHeard = Double.infinity
    private var existingCount = 0
    private var lastExisting = 0

    /// Spans of time that grow by a fifth: from a minute to 30 days.
    static let spans = 64

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
        var bound = 60.0
        while seconds > bound, span < spans {
            bound *= 1.2
            span += 1
        }
        return span
    }

    /// The end of a span in seconds.
    static func bound(of span: Int) -> Double { (0..<span).reduce(60.0) { bound, _ in bound * 1.2 } }
}
