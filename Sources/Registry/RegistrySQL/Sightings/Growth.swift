import Beacons
import RegistryAPI
import RegistryRules
import Syntax

/// The parts of a sighting that grow every few minutes during its visit. An audit entry for each update would cost as
/// much as a sighting.
///
/// Other changes, and the end of the visit, are recorded immediately. For the growing parts, the row keeps the latest
/// record's values until the next record: after an hour (``SightingRules/unrecorded``), when the visit ends, or when an
/// evidence pack is made.
struct Growth: Hashable {
    let lastSeen: Timestamp
    let count: Int64
    let rssi: SignalStrength?
    let measuredPower: Int
    let proximity: Proximity

    /// The growing parts of a visit as it is now.
    init(_ visit: Visit) {
        lastSeen = visit.lastSeen
        count = visit.count
        rssi = visit.rssi
        measuredPower = visit.measuredPower
        proximity = visit.proximity
    }

    /// Parses a column; nil if the text is invalid.
    init?(_ text: String) {
        let words = text.split(at: " ").map(String.init)
        guard words.count == 6, let last = Int64(words[0]), let count = Int64(words[1]), let power = Int(words[4]),
            let proximity = Proximity(rawValue: words[5])
        else { return nil }
        lastSeen = Timestamp(milliseconds: last)
        self.count = count
        if let min = Int(words[2]), let max = Int(words[3]) {
            rssi = SignalStrength(min: min, max: max)
        } else {
            rssi = nil
        }
        measuredPower = power
        self.proximity = proximity
    }

    /// The column's text: six words, with `-` for a signal strength that no radio measured.
    var text: String {
        let weakest = rssi.map { String($0.min) } ?? "-"
        let strongest = rssi.map { String($0.max) } ?? "-"
        return "\(lastSeen.milliseconds) \(count) \(weakest) \(strongest) \(measuredPower) \(proximity.rawValue)"
    }
}

extension Visit {
    /// The visit with its growing parts limited to those of the record.
    func limited(to growth: Growth) -> Visit {
        var result = self
        result.lastSeen = growth.lastSeen
        result.count = growth.count
        result.rssi = growth.rssi
        result.measuredPower = growth.measuredPower
        result.proximity = growth.proximity
        return result
    }

    /// Whether the only change is that an ongoing visit has lasted longer.
    func isGrowth(of before: Visit) -> Bool { !before.ended && limited(to: Growth(before)) == before }
}
