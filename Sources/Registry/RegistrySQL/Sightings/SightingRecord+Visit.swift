import Beacons
import Evidence
import RegistryAPI
import RegistryRules

extension ReportedVisit {
    /// The audit's event for a sighting, with the digest of its record.
    func event(
        _ action: AuditAction, _ visit: Visit, _ bike: MissingBike, slot: Int64?, received: Timestamp, salt: [UInt8],
        _ signed: SignedReport?
    ) -> AuditEvent {
        let record = SightingRecord(
            visit, slot: slot, station: station.id, report: bike.reportID, received: received)
        return AuditEvent(
            action, by: .station(station.id), at: time, owner: bike.ownerID, bike: bike.bikeID, report: bike.reportID,
            station: station.id, details: SightingRecord.details(of: visit.id, record.digest(salt: salt), signed))
    }
}

extension SightingRecord {
    /// The details of the entry that commits to a record.
    ///
    /// - Parameter report: what a partner signed of the sighting; nil for a station of this registry.
    static func details(
        of visit: VisitID, _ digest: HashValue, _ report: SignedReport? = nil
    ) -> [String: String] {
        let details = ["sighting": visit.description, digestKey: digest.description]
        return report.map { details.merging($0.details) { $1 } } ?? details
    }

    /// The record of a sighting as it is stored.
    ///
    /// - Parameter slot: the slot of a rotating beacon that was heard; nil for another beacon, and for a record from
    ///   before the slot was recorded.
    init(_ visit: Visit, slot: Int64?, station: StationID, report: ReportID, received: Timestamp) {
        let (place, receiver) = (visit.place, visit.receiver)
        var fields: [Field] = []
        fields.reserveCapacity(25)
        func add(_ name: String, _ content: Content?) {
            if let content { fields.append(Field(name, content)) }
        }
        // In the order of their names.
        add("accuracy", (place?.accuracy).map { .number($0) })
        add("answer", (visit.confirmation?.answer.rawValue).map { .text($0) })
        add("answered", (visit.confirmation?.time).map { .time($0) })
        add("beacon", .text(visit.identity.description))
        add("count", .integer(visit.count))
        add("ended", .boolean(visit.ended))
        add("firstSeen", .time(visit.firstSeen))
        add("lastSeen", .time(visit.lastSeen))
        add("latitude", (place?.latitude).map { .number($0) })
        add("longitude", (place?.longitude).map { .number($0) })
        add("measuredPower", .integer(Int64(visit.measuredPower)))
        add("proximity", .text(visit.proximity.rawValue))
        add("received", .time(received))
        add("receiver", (receiver?.name).map { .text($0) })
        add("receiverAccuracy", (receiver?.place?.accuracy).map { .number($0) })
        add("receiverLatitude", (receiver?.place?.latitude).map { .number($0) })
        add("receiverLongitude", (receiver?.place?.longitude).map { .number($0) })
        add("report", .id(report))
        add("rssiMax", (visit.rssi?.max).map { .integer(Int64($0)) })
        add("rssiMin", (visit.rssi?.min).map { .integer(Int64($0)) })
        add("sighting", .id(visit.id))
        add("slot", slot.map { .integer($0) })
        add("station", .id(station))
        add("stay", .id(visit.stay))
        add("timeUncertain", .boolean(visit.isTimeUncertain))
        self.init(sorted: fields)
    }
}
