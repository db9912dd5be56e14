import Simulation
import Syntax

/// A number that is not known exactly: its range, its meaning and its source.
public struct Assumption: Hashable, Codable, Sendable {
    /// The ends of the range, in the unit of the ``AssumptionKind``. Each value within it is taken to be as likely as any
    /// other.
    public let from: Double
    public let to: Double
    /// Where the range comes from, or that it is a guess.
    public let source: String

    /// A value of the range.
    func drawn(_ random: inout SplitMix64) -> Double { from + (to - from) * random.uniform() }
}

/// What a kind of assumption means, and where a drawn value of it goes.
struct AssumptionKind<Values>: Sendable {
    /// Its name in a model’s file.
    let key: String
    /// Where a drawn value goes.
    let value: any WritableKeyPath<Values, Double> & Sendable
    /// What it means, for people.
    let words: String
    /// What follows a number, with a space before it, such as ` m/s`; empty for a share.
    let unit: String
    /// The values that a file may give.
    let bounds: ClosedRange<Double>

    init(
        _ key: String, _ value: any WritableKeyPath<Values, Double> & Sendable, _ words: String, unit: String = "",
        in bounds: ClosedRange<Double>
    ) {
        (self.key, self.value, self.words, self.unit, self.bounds) = (key, value, words, unit, bounds)
    }
}

extension [Assumption] {
    /// Draws a value of each, in the order of their kinds.
    func draw<Values>(
        _ kinds: [AssumptionKind<Values>], into values: inout Values, _ random: inout SplitMix64
    ) {
        for (assumption, kind) in zip(self, kinds) { values[keyPath: kind.value] = assumption.drawn(&random) }
    }
}

extension ScenarioField {
    /// Reads an object with one assumption of each kind, in the order of the kinds.
    func assumptions<Values>(_ kinds: [AssumptionKind<Values>]) throws(ScenarioError) -> [Assumption] {
        let object = try object(allowing: kinds.map(\.key))
        var assumptions: [Assumption] = []
        for kind in kinds { assumptions.append(try object.assumption(kind)) }
        return assumptions
    }
}

extension ScenarioObject {
    /// Reads `{ from, to, source }`.
    fileprivate func assumption<Values>(_ kind: AssumptionKind<Values>) throws(ScenarioError) -> Assumption {
        let field = try required(kind.key)
        let object = try field.object(allowing: ["from", "to", "source"])
        let from = try object.required("from").number(in: kind.bounds, unit: kind.unit)
        let to = try object.required("to").number(in: kind.bounds, unit: kind.unit)
        guard from <= to else { throw field.error("‘from’ is greater than ‘to’: exchange them") }
        return Assumption(from: from, to: to, source: try object.required("source").text(limit: 400).line(atMost: 400))
    }
}

/// An assumption as the report shows it.
public struct ShownAssumption: Hashable, Codable, Sendable {
    /// The model’s name, or “every city”.
    public let model: String
    /// What is assumed.
    public let words: String
    public let from: Double
    public let to: Double
    /// What follows a number, with a space before it, such as ` m/s`; empty for a share.
    public let unit: String
    /// Where the range comes from, or that it is a guess.
    public let source: String

    init<Values>(of model: String, _ kind: AssumptionKind<Values>, _ assumption: Assumption) {
        self.model = model
        words = kind.words
        from = assumption.from
        to = assumption.to
        unit = kind.unit
        source = assumption.source
    }
}
