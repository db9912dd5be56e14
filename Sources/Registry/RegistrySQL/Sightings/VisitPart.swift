import RegistryAPI
import RegistryRules

/// The part of a visit that belongs to one report.
struct VisitPart {
    let visit: Visit
    let bike: MissingBike
    /// The sighting that the visit became before under this report.
    let known: KnownSighting?
    /// Whether it causes alerts if it is new. Only the last part does, so that a visit causes at most one.
    let isTold: Bool
    /// The hour of its station in which it begins.
    let hour: ReportingHours.Hour
    /// The sightings around it, if it is new.
    var surroundings = Surroundings()
    /// The channels for alerts, if it is new and begins a thread.
    var channels: [AlertChannel] = []

    /// Whether it may count in its hour, if it is new.
    var isCounted: Bool { isTold && !surroundings.wasHeard }
    var beginsThread: Bool { isTold && surroundings.thread == nil }

    /// The first of the stays that the visit continues; nil if there is none.
    var continues: StayID? {
        guard known == nil else { return known?.continues }
        return surroundings.continued.flatMap { $0.stay == visit.stay ? nil : $0.stay }
    }
}

extension VisitPart {
    /// The parts of a visit, the oldest report first.
    ///
    /// - Parameter bikes: the bike with the visit's beacon, once for each report under which it was missing at the
    ///   visit's time, and once for each known sighting.
    static func parts(
        of reported: ReportedVisit, among bikes: [MissingBike], _ sightings: [KnownSighting]
    ) -> [VisitPart] {
        func known(_ bike: MissingBike) -> KnownSighting? { sightings.first { $0.report == bike.report } }
        let bikes = bikes.sorted { $0.report < $1.report }
        let isOneBike = bikes.allSatisfy { $0.key == bikes[0].key }
        // After a beacon has moved, a known sighting belongs to another bike.
        let groups = isOneBike ? [bikes] : Array(Dictionary(grouping: bikes, by: \.key).values)
        let parts = groups.flatMap { bikes in
            OpenPeriod.parts(of: reported.visit, among: bikes.map { ($0.period, known($0) != nil) })
                .map { (bike: bikes[$0.index], visit: $0.visit) }
        }
        .sorted { $0.bike.report < $1.bike.report }.suffix(MissingBike.reportLimit)
        return parts.map { part in
            VisitPart(
                visit: part.visit, bike: part.bike, known: known(part.bike),
                isTold: part.bike.report == parts.last?.bike.report,
                hour: ReportingHours.Hour(station: reported.station.key, of: part.visit.firstSeen))
        }
    }
}
