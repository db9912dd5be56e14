public import Beacons

extension Scenario {
    /// A period of trouble in the network between station and registry. Outside all periods the network is unchanged.
    public struct NetworkSpell: Hashable, Sendable {
        /// The period on the scanner's time line, excluding its end.
        public let time: Range<ScanInstant>
        /// The share of the requests that are lost, 0 to 1; 1 is a network outage.
        public let lost: Double
        /// The share of the other requests that arrive but whose responses are lost, 0 to 1.
        public let unanswered: Double
        /// The delay of every request, 0 to 1 min of the scenario's time.
        public let delay: Duration
    }
}

/// The simulated outcome of one request.
public struct RequestFate: Hashable, Sendable {
    /// What becomes of a request.
    public enum Outcome: Hashable, Sendable {
        case carried
        /// The request is lost.
        case lost
        /// The request arrives, but its response is lost: the caller cannot know, and must retry.
        case unanswered
    }

    /// How long the request is delayed, in the scenario's time.
    public let delay: Duration
    public let outcome: Outcome

    /// The request and its response are not affected.
    public static let carried = RequestFate(delay: .zero, outcome: .carried)
}

/// Draws the outcomes of successive requests; the same in every run for the same requests.
public struct SimulatedNetwork: Sendable {
    private let spells: [Scenario.NetworkSpell]
    private var random: SplitMix64

    public init(_ scenario: Scenario) {
        spells = scenario.network
        // The stream of the complement is different from those of the beacons.
        random = SplitMix64(seed: ~scenario.seed, stream: "")
    }

    /// Draws the outcome of the next request, which is made at this time.
    public mutating func fate(at instant: ScanInstant) -> RequestFate {
        // Always drawn, so that one period does not affect the outcomes in the next.
        let (loss, silence) = (random.uniform(), random.uniform())
        guard let spell = spells.first(where: { $0.time.contains(instant) }) else {
            return .carried
        }
        let outcome: RequestFate.Outcome
        if loss < spell.lost {
            outcome = .lost
        } else {
            outcome = silence < spell.unanswered ? .unanswered : .carried
        }
        return RequestFate(delay: spell.delay, outcome: outcome)
    }
}

extension ScenarioField {
    /// The list `network` of a scenario file.
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
            throw error("this entry has no effect: give ‘lost’, ‘unanswered’ or ‘delay’")
        }
        return spell
    }
}
