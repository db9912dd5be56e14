import Beacons
import Evidence
import Foundation
import RegistryAPI
import RegistryRules
import Syntax

/// The parts of a sighting that grow every few minutes during its visit. An audit entry for each update would cost as
/// much as a sighting.
///
/// Other changes, and the end of the visit, are recorded at once. For the growing parts, the row keeps the latest
/// record's values until the next record: after an hour (``SightingRules/unrecorded``), when the visit ends, or when an
/// evidence pack is made.
struct Growth: Hashable {
    let lastSeen: Timestamp
    let count: Int64
    let rssi: SignalStrength?
    let measuredPower: Int
    let proximity: Proximity

    init(_ observation: VisitObservation) {
        lastSeen = observation.lastSeen
        count = observation.count
        rssi = observation.rssi
        measuredPower = observation.measuredPower
        proximity = observation.proximity
    }

    /// Parses a column; nil if the text is invalid.
    init?(_ text: String) {
        let words = text.split(at: " ").map(String.init)
        guard words.count == 6, let last = Int64(words[0]), let count = Int64(words[1]), let power = Int(words[4]),
            let proximity = Proximity(rawValue: words[5])
        else { return nil }
        lastSeen = Timestamp(milliseconds: last)
        self.count = count
        rssi = Int(words[2]).flatMap { min in Int(words[3]).map { SignalStrength(min: min, max: $0) } }
        measuredPower = power
        self.proximity = proximity
    }

    var text: String {
        let range = [rssi?.min, rssi?.max].map { $0.map { "\($0)" } ?? "-" }
        return "\(lastSeen.milliseconds) \(count) \(range[0]) \(range[1]) \(measuredPower) \(proximity.rawValue)"
    }
}

extension VisitObservation {
    /// The observation with its growing parts limited to those of the record.
    func limited(to growth: Growth?) -> VisitObservation {
        guard let growth else { return self }
        var result = self
        result.lastSeen = growth.lastSeen
        result.count = growth.count
        result.rssi = growth.rssi
        result.measuredPower = growth.measuredPower
        result.proximity = growth.proximity
        return result
    }

    /// Whether the only change is that an ongoing visit has lasted longer.
    func isGrowth(of before: VisitObservation) -> Bool { !before.ended && limited(to: Growth(before)) == before }
}

extension SightingRecord {
    /// - Parameter slot: the slot of a rotating beacon that was heard; nil for another beacon, and for a record from
    ///   before the slot was recorded.
    init(
        _ visit: VisitID, stay: StayID, beacon: BeaconIdentity, slot: Int64?, station: StationID, report: ReportID,
        received: Timestamp, _ seen: VisitObservation
    ) {
        var fields = [
            Field("beacon", beacon.description), Field("count", String(seen.count)),
            Field("ended", seen.ended.description), Field("firstSeen", seen.firstSeen.description),
            Field("lastSeen", seen.lastSeen.description), Field("measuredPower", String(seen.measuredPower)),
            Field("proximity", seen.proximity.rawValue), Field("received", received.description),
            Field("report", report.description), Field("sighting", visit.description),
            Field("station", station.description), Field("stay", stay.description),
            Field("timeUncertain", seen.timeUncertain.description),
        ]
        if let slot { fields.append(Field("slot", String(slot))) }
        if let place = seen.place { fields += place.auditDetails.map { Field($0.key, $0.value) } }
        if let rssi = seen.rssi {
            fields += [Field("rssiMax", String(rssi.max)), Field("rssiMin", String(rssi.min))]
        }
        if let answer = seen.confirmation {
            fields += [Field("answer", answer.answer.rawValue), Field("answered", answer.time.description)]
        }
        if let receiver = seen.receiver {
            fields.append(Field("receiver", receiver.name))
            for (key, value) in receiver.place?.auditDetails ?? [:] {
                fields.append(Field("receiver" + key.prefix(1).uppercased() + key.dropFirst(), value))
            }
        }
        self.init(fields)
    }
}
