public import Beacons

extension Scenario {
    /// A time of trouble on the way between station and registry. Outside of all of them the network is as it is.
    public struct NetworkSpell: Hashable, Sendable {
        /// When it holds, on the scanner's time line; its last moment is outside.
        public let time: Range<ScanInstant>
        /// Share of the requests that reach nobody, 0 to 1; 1 is a network that is away.
        public let lost: Double
        /// Share of the other requests that arrive, but whose answers do not, 0 to 1.
        public let unanswered: Double
        /// How long every request is held up, 0 to 1 min of the scenario's time.
        public let delay: Duration
    }
}

/// What becomes of one request.
public struct RequestFate: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case carried
        /// It reaches nobody.
        case lost
        /// It arrives, its answer does not: the caller cannot know, and must ask again.
        case unanswered
    }

    public let delay: Duration
    public let outcome: Outcome

    /// Nothing is in its way.
    public static let carried = RequestFate(delay: .zero, outcome: .carried)
}

/// Draws the fates of requests, one after the other; the same in every run for the same requests.
public struct SimulatedNetwork: Sendable {
    private let spells: [Scenario.NetworkSpell]
    private var random: SplitMix64

    public init(_ scenario: Scenario) {
        spells = scenario.network
        // The complement's stream is none of the beacons'.
        random = SplitMix64(seed: ~scenario.seed, stream: "")
    }

    public mutating func fate(at instant: ScanInstant) -> RequestFate {
        // Drawn always, so that one spell does not change what happens in the next.
        let (loss, silence) = (random.uniform(), random.uniform())
        guard let spell = spells.first(where: { $0.time.contains(instant) }) else {
            return .carried
        }
        let outcome: RequestFate.Outcome =
            loss < spell.lost ? .lost : silence < spell.unanswered ? .unanswered : .carried
        return RequestFate(delay: spell.delay, outcome: outcome)
    }
}

extension ScenarioField {
    func network(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> [Scenario.NetworkSpell] {
        var spells: [Scenario.NetworkSpell] = []
        for entry in try list(limit: 100) {
            let spell = try entry.spell(from: start, duration: duration)
            if let before = spells.last, before.time.upperBound > spell.time.lowerBound {
                throw entry.error("begins before the entry above ends: put them in order, one after the other")
            }
            spells.append(spell)
        }
        return spells
    }

    private func spell(from start: ScanInstant, duration: Duration) throws(ScenarioError) -> Scenario.NetworkSpell {
        let object = try object(allowing: ["from", "until", "lost", "unanswered", "delay"])
        let first = try object.required("from").duration(in: .zero...duration)
        let last = try object.required("until").duration(in: .zero...duration)
        guard first < last else { throw error("‘until’ must be later than ‘from’") }
        let spell = Scenario.NetworkSpell(
            time: start.advanced(by: first)..<start.advanced(by: last),
            lost: try object["lost"]?.number(in: 0...1, unit: "") ?? 0,
            unanswered: try object["unanswered"]?.number(in: 0...1, unit: "") ?? 0,
            delay: try object["delay"]?.duration(in: .zero ... .seconds(60)) ?? .zero
        )
        guard spell.lost > 0 || spell.unanswered > 0 || spell.delay > .zero else {
            throw error("nothing is wrong with this network: give ‘lost’, ‘unanswered’ or ‘delay’")
        }
        return spell
    }
}
