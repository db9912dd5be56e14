import RegistryAPI

/// Quarters of an hour that the registry has not acknowledged yet. Pure.
struct KeptCoverage: Codable, Hashable, Sendable {
    /// The maximum number of quarters: two days, after which the registry would no longer store them.
    static let limit = 2 * CoverageQuarter.perDay
    /// The time after a quarter's end before it is sent, so that a registry whose clock is a little late has reached
    /// the end, too.
    static let grace = Duration.seconds(60)

    /// The latest known wall time.
    private(set) var latest: Timestamp?
    /// In the order of time.
    private(set) var quarters: [CoverageQuarter] = []

    /// Notes the present wall time.
    mutating func note(_ time: Timestamp) { latest = time }

    /// Adds what was heard in a quarter, or in a part of it. Quarters from the future, which a wrong clock left behind,
    /// are dropped, then the oldest if there are too many.
    mutating func add(_ quarter: CoverageQuarter) {
        if let index = quarters.firstIndex(where: { $0.begins == quarter.begins }) {
            quarters[index] = quarters[index].joined(with: quarter)
        } else {
            quarters.append(quarter)
            quarters.sort { $0.begins < $1.begins }
        }
        if let latest { quarters.removeAll { $0.begins > latest } }
        quarters.removeFirst(max(0, quarters.count - Self.limit))
    }

    /// The oldest quarters that have ended, at most as many as fit into a heartbeat.
    var due: [CoverageQuarter] {
        guard let latest else { return [] }
        return Array(
            quarters.filter { $0.ends.advanced(by: Self.grace) <= latest }.prefix(StationHeartbeat.maximumQuarters))
    }

    /// Removes quarters that the registry has acknowledged.
    mutating func remove(_ sent: [CoverageQuarter]) {
        let begun = Set(sent.map(\.begins))
        quarters.removeAll { begun.contains($0.begins) }
    }
}
