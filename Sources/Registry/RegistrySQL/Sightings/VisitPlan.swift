import RegistryAPI
import RegistryRules

/// The decisions about a set of visits, made before anything is written.
struct VisitPlan {
    /// A visit with its decision, and the decisions about its parts.
    struct Step {
        let reported: ReportedVisit
        let decision: VisitDecision
        var parts: [(part: VisitPart, decision: SightingDecision)] = []
    }

    private(set) var steps: [Step]
    private(set) var hours = ReportingHours()
    /// The channels for alerts, by bike.
    private(set) var channels: [Int64: [AlertChannel]] = [:]

    /// Nil if visits of the set affect each other, so that each must be recorded before the next one is read. This is
    /// so if two belong to one report, or if one of them makes the station exceed its share of missing bikes.
    init?(_ db: any Transaction, for set: ArraySlice<ReportedVisit>) throws {
        steps = zip(set, try VisitFacts.all(db, of: set)).map {
            Step(reported: $0, decision: VisitDecision($0, $1))
        }
        guard set.count == 1 || hasDifferentReports else { return nil }
        let surroundings = try Surroundings.all(db, newVisits)
        hours = try ReportingHours(db, adding: counted(surroundings))
        for index in steps.indices {
            let reported = steps[index].reported
            steps[index].parts = try steps[index].decision.parts.map { part in
                (part, try part.decision(for: reported, surroundings[part.bike.report] ?? Surroundings(), &hours))
            }
        }
        guard set.count == 1 || !newParts.contains(where: { $0.visit.fullHour != nil }) else { return nil }
        let bikes = newParts.filter { $0.part.isTold && $0.visit.surroundings.thread == nil }.map(\.part.bike.key)
        channels = try AlertChannel.all(db, of: Set(bikes))
    }

    /// Whether no two parts of visits belong to one report.
    private var hasDifferentReports: Bool {
        var reports: Set<Int64> = []
        return steps.allSatisfy { $0.decision.parts.allSatisfy { reports.insert($0.bike.report).inserted } }
    }

    /// The parts that become new sightings.
    private var newParts: [(part: VisitPart, visit: NewVisit)] {
        steps.flatMap { step in
            step.parts.compactMap { part, decision in if case .add(let visit) = decision { (part, visit) } else { nil }
            }
        }
    }

    /// The parameters of ``Surroundings/all(_:_:)``.
    private var newVisits: Parameters {
        var given: Parameters = []
        for step in steps {
            let station = step.reported.station.key
            for part in step.decision.parts where part.known == nil {
                let hour = ReportingHours.Hour(station: station, of: part.visit.firstSeen).times
                given.append(
                    part.bike.report, station, part.visit.stay, hour.lowerBound, hour.upperBound,
                    part.visit.firstSeen.milliseconds, part.bike.slot?.slot
                )
            }
        }
        return given
    }

    /// The hours of new visits, with the number of reports that the set adds to each.
    private func counted(_ surroundings: [Int64: Surroundings]) -> [ReportingHours.Hour: Int] {
        var counted: [ReportingHours.Hour: Int] = [:]
        for step in steps {
            for part in step.decision.parts where part.known == nil {
                let hour = ReportingHours.Hour(station: step.reported.station.key, of: part.visit.firstSeen)
                let isCounted = part.isTold && surroundings[part.bike.report]?.wasHeard != true
                counted[hour, default: 0] += isCounted ? 1 : 0
            }
        }
        return counted
    }
}
