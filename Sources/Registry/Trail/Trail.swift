public import RegistryAPI

/// The sightings of one missing report in the order of their own times, for export.
public struct Trail: Sendable {
    public let report: ReportID
    public let sightings: [Sighting]

    /// Sightings in any order; identifiers decide between equal times, so that the same sightings make the same bytes.
    public init(_ sightings: some Sequence<Sighting>, of report: ReportID) {
        self.report = report
        self.sightings = sightings.sorted {
            ($0.firstSeen, $0.lastSeen, $0.id, $0.station.id) < ($1.firstSeen, $1.lastSeen, $1.id, $1.station.id)
        }
    }

    /// Those that nothing speaks against: what a line may be drawn through.
    var undisputed: [Sighting] { sightings.filter { $0.level != .disputed && $0.dismissed == nil } }

    /// Said in every export.
    static let caution = "A beacon can be copied: no sighting proves that the bike was there."
}

extension Sighting {
    /// Names joined by commas.
    var reasonNames: String { reasons.map(\.rawValue).joined(separator: ",") }
}
