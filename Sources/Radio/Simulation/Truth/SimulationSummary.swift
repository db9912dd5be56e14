public import Beacons

/// The results of a played scenario, for people and for programs.
public struct SimulationSummary: Hashable, Sendable {
    /// The results of the network to the registry.
    public struct Network: Hashable, Sendable, Encodable {
        /// Requests that were lost.
        public var lost = 0
        /// Requests that arrived but whose responses were lost.
        public var unanswered = 0
        /// Requests that were delayed.
        public var delayed = 0

        public init() {}
    }

    public let scenario: Scenario
    public let comparison: Comparison
    /// Visits that the registry stored.
    public let reported: Int
    /// The times from the first frame of each visit to the registry's response, in the scenario's time, in order; empty if they
    /// were not measured, because the scenario was played without a clock.
    public let delays: [Duration]
    public let network: Network
    /// Missing bikes of the scenario that are not on the registry's list, so that they cannot be reported.
    public let notListed: [String]

    public init(
        _ scenario: Scenario, _ comparison: Comparison, reported: Int, delays: [Duration], network: Network,
        isListed: (BeaconIdentity) -> Bool
    ) {
        self.scenario = scenario
        self.comparison = comparison
        self.reported = reported
        self.delays = delays.sorted()
        self.network = network
        notListed = scenario.beacons.filter { beacon in
            guard beacon.isMissing else { return false }
            guard let rotation = beacon.rotation else { return !isListed(beacon.identity) }
            // A beacon whose clock is wrong by more than the list's window is not listed either.
            let identities = rotation.slots(until: scenario.duration).map(rotation.key.identities) ?? []
            return !identities.contains(where: isListed)
        }.map(\.name)
    }
}

extension SimulationSummary {
    /// The lines for people.
    public var lines: [String] {
        var lines = [
            "Stays of missing bikes in ‘\(scenario.name)’ (\(DurationText.format(scenario.duration))) with at least one "
                + "frame heard, compared with the registry’s sightings:",
            row("expected", comparison.expected.count),
            row("reported", reported),
        ]
        lines += finding("missed", comparison.missed)
        lines += finding("late", comparison.late)
        lines += finding("duplicate", comparison.duplicate)
        lines += finding("false", comparison.wrong)
        if !comparison.unheard.isEmpty { lines += finding("unheard", comparison.unheard) }
        if let longest = delays.last {
            lines.append("  delay     usually \(span(delays[delays.count / 2])), at most \(span(longest))")
        }
        if !scenario.network.isEmpty {
            lines.append(
                "  network   \(network.lost) requests lost, \(network.unanswered) unanswered, "
                    + "\(network.delayed) delayed")
        }
        return lines + [verdict]
    }

    private var verdict: String {
        if comparison.isFaultless {
            return "Every stay that was heard was reported exactly once, and nothing else was reported."
        }
        guard !notListed.isEmpty else { return "The reports differ from the simulation." }
        let names = notListed.prefix(3).joined(separator: ", ") + (notListed.count > 3 ? " …" : "")
        return "Not on the registry’s missing list: \(names). First ‘findmybike bike register --identity …’; then, "
            + "with an operator’s token, ‘findmybike claim accept BIKE IDENTITY’; then ‘findmybike bike missing --since …’."
    }

    private func row(_ name: String, _ count: Int) -> String {
        "  \(name)\(String(repeating: " ", count: 10 - name.count))\(count)"
    }

    private func finding(_ name: String, _ stays: [Comparison.Stay]) -> [String] {
        [row(name, stays.count)] + stays.map { "              \($0.name), \(times($0.heard))" }
    }

    private func finding(_ name: String, _ visits: [ReportedVisit]) -> [String] {
        [row(name, visits.count)] + visits.map { "              \($0.identity), \(times($0.heard))" }
    }

    private func times(_ range: ClosedRange<ScanInstant>) -> String {
        "\(span(scenario.start.duration(to: range.lowerBound))) to "
            + span(scenario.start.duration(to: range.upperBound))
    }

    /// The duration to the second, since smaller units are noise.
    private func span(_ duration: Duration) -> String {
        DurationText.format(.seconds(duration.seconds.rounded()))
    }
}

extension SimulationSummary: Encodable {
    private enum Key: String, CodingKey {
        case scenario, seconds, expected, reported, missed, late, duplicate, wrong = "false", told, network, notListed,
            unheard, faultless
    }

    /// A stay or a visit: the beacon, and its start and end in seconds since the scenario's start.
    private struct Found: Encodable {
        let name: String?
        let identity: String
        let from: Double
        let to: Double
    }

    /// The delays in seconds.
    private struct Told: Encodable {
        let median: Double
        let longest: Double
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(scenario.name, forKey: .scenario)
        try values.encode(scenario.duration.seconds, forKey: .seconds)
        try values.encode(comparison.expected.count, forKey: .expected)
        try values.encode(reported, forKey: .reported)
        try values.encode(comparison.missed.map(found), forKey: .missed)
        try values.encode(comparison.late.map(found), forKey: .late)
        try values.encode(comparison.duplicate.map(found), forKey: .duplicate)
        try values.encode(comparison.wrong.map(found), forKey: .wrong)
        try values.encode(comparison.unheard.map(found), forKey: .unheard)
        try values.encode(network, forKey: .network)
        try values.encode(notListed, forKey: .notListed)
        try values.encode(comparison.isFaultless, forKey: .faultless)
        guard let longest = delays.last else { return }
        try values.encode(Told(median: delays[delays.count / 2].seconds, longest: longest.seconds), forKey: .told)
    }

    private func found(_ stay: Comparison.Stay) -> Found { found(stay.name, stay.identity, stay.heard) }
    private func found(_ visit: ReportedVisit) -> Found { found(nil, visit.identity, visit.heard) }

    private func found(_ name: String?, _ identity: BeaconIdentity, _ range: ClosedRange<ScanInstant>) -> Found {
        Found(
            name: name, identity: "\(identity)", from: scenario.start.duration(to: range.lowerBound).seconds,
            to: scenario.start.duration(to: range.upperBound).seconds)
    }
}
