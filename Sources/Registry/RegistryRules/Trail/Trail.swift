public import RegistryAPI

/// The sightings of one missing report in the order of their times, for export.
public struct Trail: Sendable {
    public let report: ReportID
    public let sightings: [Sighting]

    /// Takes sightings in any order; identifiers decide between equal times,
    /// so that the same sightings give the same bytes.
    public init(_ sightings: some Sequence<Sighting>, of report: ReportID) {
        self.report = report
        self.sightings = sightings.sorted {
            ($0.firstSeen, $0.lastSeen, $0.id, $0.station.id) < ($1.firstSeen, $1.lastSeen, $1.id, $1.station.id)
        }
    }

    /// The sightings that are neither disputed nor dismissed, through which a line may be drawn.
    var undisputed: [Sighting] { sightings.filter { $0.level != .disputed && $0.dismissed == nil } }

    /// A caution that every export contains.
    static let caution = "A beacon can be copied: no sighting proves that the bike was there."
}

extension Sighting {
    /// The names of the reasons, joined by commas.
    var reasonNames: String { reasons.map(\.rawValue).joined(separator: ",") }
}
