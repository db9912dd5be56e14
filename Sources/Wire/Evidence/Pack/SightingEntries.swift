public import RegistryAPI

/// The audit's entries about the sightings of one report, for comparison with the sightings. A record shows that a
/// sighting is unchanged since it was recorded. Only the other entries show that no later record and no other sighting
/// was left out.
public struct SightingEntries {
    /// Two stations may use the same identifier of a visit.
    private struct Name: Hashable {
        let visit: VisitID
        let station: StationID
    }

    /// What the audit says about one sighting.
    private struct Entries {
        /// The first entry that records the sighting; nil if it is not known.
        var first: Int64?
        /// The last entry that records it.
        var last: Int64?
        /// When the owner dismissed it last; nil if the owner has not.
        var dismissed: Timestamp?
    }

    private let report: ReportID
    private var entries: [Name: Entries] = [:]
    /// Whether the registry deleted the sightings, because the report closed long ago.
    private var areDeleted = false

    public init(of report: ReportID) { self.report = report }

    /// Adds an entry; the entries come in the order of the chain. Entries about anything else are ignored.
    public mutating func add(_ entry: AuditEntry) {
        guard let event = entry.event, event.report == report else { return }
        if event.action == "sightings.deleted" { areDeleted = true }
        guard let visit = event.details["sighting"].flatMap({ VisitID($0) }), let station = event.station else {
            return
        }
        let name = Name(visit: visit, station: station)
        switch event.action {
        case "sighting.stored" where event.details[SightingRecord.digestKey] != nil:
            entries[name, default: Entries()].first = entry.index
            entries[name]?.last = entry.index
        case "sighting.changed" where event.details[SightingRecord.digestKey] != nil:
            entries[name, default: Entries()].last = entry.index
        case "sighting.dismissed": entries[name, default: Entries()].dismissed = event.time
        default: break
        }
    }

    /// Checks that each sighting has the last record of the audit, that exactly the dismissed ones are marked as
    /// dismissed, and that no sighting is missing.
    ///
    /// - Parameters:
    ///   - sightings: the newest sightings of the report.
    ///   - records: the records of these sightings.
    ///   - total: the number of all sightings. Older ones than these may be left out.
    /// - Throws: `changedSighting`, `missingSighting`.
    public func check(
        _ sightings: [Sighting], _ records: [CommittedRecord], of total: Int
    ) throws(ChainWalk.Fault) {
        let recorded = Dictionary(records.map { ($0.name, $0.entry) }) { max($0, $1) }
        var names: Set<Name> = []
        for sighting in sightings {
            let name = Name(visit: sighting.id, station: sighting.station.id)
            names.insert(name)
            let known = entries[name] ?? Entries()
            if let last = known.last, last != recorded[sighting.recordName] { throw .changedSighting(sighting.id) }
            guard known.dismissed == sighting.dismissed else { throw .changedSighting(sighting.id) }
        }
        if areDeleted && sightings.isEmpty { return }
        // Sightings are stored in the order of their first entries.
        let oldest = names.map { entries[$0]?.first ?? 0 }.min() ?? .max
        for (name, known) in entries where !names.contains(name) && known.last != nil {
            let isOlder = known.first.map { $0 < oldest } ?? true
            guard total > sightings.count, isOlder else { throw .missingSighting(name.visit) }
        }
    }
}
