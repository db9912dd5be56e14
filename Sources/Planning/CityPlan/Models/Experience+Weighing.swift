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
        }

        let weights: [Double]
        /// How much of a search counts as evidence, 0 to 1: less than 1 if too few worlds would be left.
        let power: Double
        /// How many worlds could well have brought about what was observed.
        let compatible: Int
        let spans: [Span]

        /// The number of equally likely worlds that would be as informative.
        var effectiveWorlds: Double { Self.effective(weights) }

        /// Kish’s effective sample size.
        static func effective(_ weights: [Double]) -> Double {
            let (sum, squares) = (weights.reduce(0, +), weights.reduce(0) { $0 + $1 * $1 })
            return squares > 0 ? sum * sum / squares : 0
        }
    }

    /// How many effective worlds must be left, so that an interval of 90 % still has some beyond each of its ends.
    private static let leastWorlds = 40.0
    /// Below this probability, a world could not have brought about what was observed.
    private static let leastProbability = 0.01

    /// Weighs worlds by how likely each makes what became of the searches with the existing stations.
    ///
    /// - Throws: ``ScenarioError`` if no world could have brought it about.
    func weighing(_ worlds: [HeardTally.Counts]) throws(ScenarioError) -> Weighing {
        let heard = worlds.map { world in Horizon.allCases.map { world.heard(order: 0, $0, stations: 0) } }
        let logs = zip(heard, worlds).map { logLikelihood(heard: $0, of: $1.bikes) }
        let power = Self.power(logs, leaving: min(Self.leastWorlds, Double(worlds.count) / 2))
        let spans = spans(zip(heard, worlds).map { ($0, $1.bikes) })
        let compatible = worlds.indices.count { world in
            !spans.contains { Self.isUnlikely(min($0.fewer[world], 1 - $0.fewer[world]), spans.count) }
        }
        guard compatible > 0 else { throw Self.misfit(spans, searches.count) }
        return Weighing(weights: Self.weights(logs, power), power: power, compatible: compatible, spans: spans)
    }

    /// - Parameter tail: the probability of what was observed and of what is farther off on this side, in one of some
    ///   spans.
    private static func isUnlikely(_ tail: Double, _ spans: Int) -> Bool {
        2 * tail * Double(spans) < leastProbability
    }

    private static func weights(_ logs: [Double], _ power: Double) -> [Double] {
        let most = logs.max() ?? 0
        return logs.map { exp(power * ($0 - most)) }
    }

    /// The largest power of the likelihood up to 1 that leaves this many effective worlds: more power leaves fewer.
    private static func power(_ logs: [Double], leaving least: Double) -> Double {
        func leaves(_ power: Double) -> Bool { Weighing.effective(weights(logs, power)) >= least }
        guard !leaves(1) else { return 1 }
        var (low, high) = (0.0, 1.0)
        // A hundred thousand searches need powers of a hundred-thousandth.
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if leaves(middle) { low = middle } else { high = middle }
        }
        return low
    }

    /// The observations in each span of time, beside each world's prediction for as many searches.
    private func spans(_ worlds: [(heard: [Int], bikes: Int)]) -> [Weighing.Span] {
        let chances = worlds.map { Self.chances(heard: $0.heard, of: $0.bikes) }
        return Horizon.allCases.indices.compactMap { span in
            let start = span > 0 ? Horizon.allCases[span - 1].seconds : 0
            // How long each search lasted within the span, if it was not heard there.
            let ends = tallies.compactMap { tally -> (end: Double, isHeard: Bool, count: Int)? in
                let end = Horizon.allCases[span].seconds
                let (lasted, own) = (tally.search.lasted * 3600, tally.search.span)
                guard own.map({ $0 >= span }) ?? (lasted > start) else { return nil }
                let isCut = (own == nil || own == span) && lasted > start
                return (isCut ? min(lasted, end) : end, own == span, tally.count)
            }
            let searches = ends.reduce(0) { $0 + $1.count }
            guard searches > 0 else { return nil }
            let heard = ends.reduce(0) { $0 + ($1.isHeard ? $1.count : 0) }
            let expected = chances.map { chances in
                let before = span > 0 ? chances[span - 1] : 0
                let sum = ends.reduce(0.0) { sum, search in
                    sum + Double(search.count) * (Self.chance(within: search.end, chances) - before)
                }
                return sum / (1 - before) / Double(searches)
            }
            let fewer = zip(expected, worlds).map { expected, world in
                // A world of few bikes knows its own chances only roughly, as if there were fewer searches.
                let bikes = Double(max(1, world.bikes - (span > 0 ? world.heard[span - 1] : 0)))
                let scale = bikes / (bikes + Double(searches))
                func upTo(_ count: Double) -> Double {
                    Binomial.cumulative(count * scale, of: Double(searches) * scale, chance: expected)
                }
                return (upTo(Double(heard) - 1) + upTo(Double(heard))) / 2
            }
            return Weighing.Span(
                horizon: Horizon.allCases[span], searches: searches, heard: heard, expected: expected, fewer: fewer)
        }
    }

    private static func misfit(_ spans: [Weighing.Span], _ searches: Int) -> ScenarioError {
        // The span that the worlds explain least.
        func best(_ span: Weighing.Span) -> Double { span.fewer.map { min($0, 1 - $0) }.max() ?? 0 }
        let worst = spans.min { best($0) < best($1) }
        let isAlone = worst.map { isUnlikely(best($0), spans.count) } ?? false
        let example = worst.flatMap { isAlone ? $0 : nil }.map { span in
            "\(span.heard) of the \(span.searches) bikes that were still searched for were heard within "
                + "\(span.horizon.words), but the simulated cities say \(Percent.number(span.expected.min() ?? 0)) to "
                + "\(Percent.text(span.expected.max() ?? 0)); "
        }
        return ScenarioError(
            source: "experience",
            problem: "no simulated city could bring about these \(searches) searches: \(example ?? "")check that "
                + "the stations are those that these searches relied on, and that times are in hours after the report; then "
                + "widen the assumptions in a copy of the models, or plan without experience")
    }
}

/// The binomial distribution.
enum Binomial {
    /// The probability of at most so many successes, to about 0.01 or better (Camp and Paulson, as in Johnson, Kotz and
    /// Kemp, “Univariate Discrete Distributions”, section 3.6). Numbers need not be whole.
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
