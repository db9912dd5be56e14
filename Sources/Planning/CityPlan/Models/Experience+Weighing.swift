import Glibc
import Simulation

extension Experience {
    /// How much each world counts after some searches, and how well the worlds agree with them.
    struct Weighing: Sendable {
        /// How many searches ended within a span of time because the bike was heard, and what the worlds say of that.
        struct Span: Sendable {
            let horizon: Horizon
            /// The searches that had not ended before, neither silently nor because the bike was heard.
            let searches: Int
            let heard: Int
            /// The share that is expected in each world.
            let expected: [Double]
            /// The probability of fewer in each world, among as many searches; of equally many, half.
            let fewer: [Double]

            /// The probability in a world of what is as far off as what was observed, on the same side.
            func tail(inWorld world: Int) -> Double { min(fewer[world], 1 - fewer[world]) }

            /// That of the world that agrees best.
            var bestTail: Double { fewer.map { min($0, 1 - $0) }.max() ?? 0 }
        }

        /// The weight of each world, 0 to 1; the likeliest has 1.
        let weights: [Double]
        /// How much of a search counts as evidence, 0 to 1: less than 1 if too few worlds would be left.
        let power: Double
        /// How many worlds could well have brought about what was observed.
        let compatible: Int
        let spans: [Span]

        /// The number of equally likely worlds that would be as informative.
        var effectiveWorlds: Double { Self.effectiveCount(weights) }

        /// Kish’s effective sample size.
        static func effectiveCount(_ weights: [Double]) -> Double {
            let sum = weights.reduce(0, +)
            let squares = weights.reduce(0) { $0 + $1 * $1 }
            return squares > 0 ? sum * sum / squares : 0
        }
    }

    /// What the existing stations of one world hear, to compare with the searches.
    private struct WorldResult {
        /// How many bikes are heard within each horizon.
        let heard: [Int]
        /// How many are stolen.
        let bikes: Int
    }

    /// How many effective worlds must be left, so that an interval of 90 % still has some beyond each of its ends.
    private static let leastWorlds = 40.0
    /// Below this probability, a world could not have brought about what was observed.
    private static let leastProbability = 0.01

    /// Weighs worlds by how likely each makes what became of the searches with the existing stations.
    ///
    /// - Parameter worlds: what the stations of each world heard.
    /// - Throws: ``ScenarioError`` if no world could have brought it about.
    func weighing(_ worlds: [HeardTally.Counts]) throws(ScenarioError) -> Weighing {
        let results = worlds.map { world in
            WorldResult(
                heard: Horizon.allCases.map { world.heard(order: 0, $0, stations: 0) }, bikes: world.bikes)
        }
        let logs = results.map { logLikelihood(heard: $0.heard, of: $0.bikes) }
        let power = Self.power(logs, leaving: min(Self.leastWorlds, Double(worlds.count) / 2))
        let spans = observedSpans(results)
        let compatible = worlds.indices.count { world in
            !spans.contains { Self.isUnlikely($0.tail(inWorld: world), amongSpans: spans.count) }
        }
        guard compatible > 0 else { throw Self.misfit(spans, searches.count) }
        return Weighing(weights: Self.weights(logs, power), power: power, compatible: compatible, spans: spans)
    }

    /// Whether a world could hardly have brought about what was observed in one of some spans: twice the tail, because it
    /// could be as far off on the other side, and times the spans, because each could be far off (Bonferroni).
    ///
    /// - Parameter tail: the probability of what was observed and of what is farther off on this side.
    private static func isUnlikely(_ tail: Double, amongSpans spans: Int) -> Bool {
        2 * tail * Double(spans) < leastProbability
    }

    /// The weight of each world: its likelihood to a power, divided by that of the likeliest world.
    ///
    /// - Parameter logs: the logarithms of the likelihoods.
    private static func weights(_ logs: [Double], _ power: Double) -> [Double] {
        let greatest = logs.max() ?? 0
        return logs.map { exp(power * ($0 - greatest)) }
    }

    /// The largest power of the likelihood up to 1 that leaves this many effective worlds: more power leaves fewer.
    private static func power(_ logs: [Double], leaving least: Double) -> Double {
        func leavesEnough(_ power: Double) -> Bool {
            Weighing.effectiveCount(weights(logs, power)) >= least
        }
        guard !leavesEnough(1) else { return 1 }
        var (low, high) = (0.0, 1.0)
        // A hundred thousand searches need powers of a hundred-thousandth, and 50 steps are far more exact than that.
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if leavesEnough(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// Some equal searches that had not ended before a span of time began.
    private struct OpenSearches {
        /// When they ended within the span, in seconds since the report: at the latest, its end.
        let end: Double
        /// Whether the bike was heard within the span.
        let isHeard: Bool
        let count: Int
    }

    /// The observations in each span of time, beside each world's prediction for as many searches. Spans to which no
    /// search lasted are left out.
    private func observedSpans(_ worlds: [WorldResult]) -> [Weighing.Span] {
        let chances = worlds.map { Self.chances(heard: $0.heard, of: $0.bikes) }
        return Horizon.allCases.indices.compactMap { span -> Weighing.Span? in
            let open = openSearches(in: span)
            let searches = open.reduce(0) { $0 + $1.count }
            guard searches > 0 else { return nil }
            let heard = open.reduce(0) { $0 + ($1.isHeard ? $1.count : 0) }
            let expected = chances.map { Self.expectedShare(of: open, in: span, $0) }
            let fewer = zip(expected, worlds).map { expected, world -> Double in
                let heardBefore = span > 0 ? world.heard[span - 1] : 0
                return Self.chanceOfFewer(
                    than: heard, of: searches, expected: expected, bikes: world.bikes - heardBefore)
            }
            return Weighing.Span(
                horizon: Horizon.allCases[span], searches: searches, heard: heard, expected: expected, fewer: fewer)
        }
    }

    /// The searches that had not ended before a span, which is the index of a horizon.
    private func openSearches(in span: Int) -> [OpenSearches] {
        let start = span > 0 ? Horizon.allCases[span - 1].seconds : 0
        let end = Horizon.allCases[span].seconds
        return tallies.compactMap { tally -> OpenSearches? in
            let lasted = tally.search.lasted * 3600
            guard let heardIn = tally.search.span else {
                guard lasted > start else { return nil }
                return OpenSearches(end: min(lasted, end), isHeard: false, count: tally.count)
            }
            guard heardIn >= span else { return nil }
            // A search whose bike was heard later lasted longer than this span.
            let isCutShort = heardIn == span && lasted > start
            return OpenSearches(
                end: isCutShort ? min(lasted, end) : end, isHeard: heardIn == span, count: tally.count)
        }
    }

    /// The share of some searches that a world expects to be heard within a span, of those that were not heard before.
    ///
    /// - Parameter chances: the world’s chances to be heard within each horizon.
    private static func expectedShare(of open: [OpenSearches], in span: Int, _ chances: [Double]) -> Double {
        let before = span > 0 ? chances[span - 1] : 0
        var sum = 0.0
        var searches = 0
        for search in open {
            sum += Double(search.count) * (chance(within: search.end, chances) - before)
            searches += search.count
        }
        return sum / (1 - before) / Double(searches)
    }

    /// The probability that a world has fewer heard searches than were observed, with half of that of equally many.
    ///
    /// - Parameters:
    ///   - expected: the share that the world expects.
    ///   - bikes: how many of the world’s bikes were not heard before the span.
    private static func chanceOfFewer(
        than heard: Int, of searches: Int, expected: Double, bikes: Int
    ) -> Double {
        // A world of few bikes knows its own chances only roughly, as if there were fewer searches.
        let known = Double(max(1, bikes))
        let scale = known / (known + Double(searches))
        func upTo(_ count: Double) -> Double {
            Binomial.cumulative(count * scale, of: Double(searches) * scale, chance: expected)
        }
        return (upTo(Double(heard) - 1) + upTo(Double(heard))) / 2
    }

    /// The error that no world fits, with the span that the worlds explain least if that alone rules them all out.
    private static func misfit(_ spans: [Weighing.Span], _ searches: Int) -> ScenarioError {
        var example = ""
        if let worst = spans.min(by: { $0.bestTail < $1.bestTail }),
            isUnlikely(worst.bestTail, amongSpans: spans.count)
        {
            let lowest = Percent.number(worst.expected.min() ?? 0)
            let highest = Percent.text(worst.expected.max() ?? 0)
            example =
                "\(worst.heard) of the \(worst.searches) bikes that were still searched for were heard within "
                + "\(worst.horizon.words), but the simulated cities say \(lowest) to \(highest); "
        }
        return ScenarioError(
            source: "experience",
            problem: "no simulated city could bring about these \(searches) searches: \(example)check that "
                + "the stations are those that these searches relied on, and that times are in hours after the report; then "
                + "widen the assumptions in a copy of the models, or plan without experience")
    }
}

/// The binomial distribution.
enum Binomial {
    /// The probability of at most so many successes, to about 0.01 or better (Camp and Paulson, as in Johnson, Kotz and
    /// Kemp, “Univariate Discrete Distributions”, section 3.6). Numbers need not be whole.
    ///
    /// - Parameter chance: of a success in one trial.
    static func cumulative(_ successes: Double, of trials: Double, chance: Double) -> Double {
        guard successes >= 0 else { return 0 }
        guard successes < trials, chance > 0 else { return 1 }
        guard chance < 1 else { return 0 }
        let rest = trials - successes
        let (one, two) = (1 / (9 * rest), 1 / (9 * (successes + 1)))
        let ratio = cbrt((successes + 1) * (1 - chance) / (rest * chance))
        return Normal.cumulative(((1 - two) * ratio - (1 - one)) / (two * ratio * ratio + one).squareRoot())
    }
}
