import Foundation
import RegistryAPI
import Syntax
import Terminal

// Words for people instead of the identifiers of programs.

extension ReportOutcome {
    var words: String {
        switch self {
        case .recovered: "recovered"
        case .falseAlarm: "false alarm"
        case .givenUp: "given up"
        case .expired: "expired"
        }
    }
}

extension SightingReason {
    var words: String {
        switch self {
        case .otherVenue: "another venue agrees"
        case .seenAtVenue: "staff saw the bike"
        case .tooFast: "heard too far away at the time"
        case .tooManyHops: "moved faster than traffic"
        case .otherPlace: "the station’s place is in doubt"
        case .reportsEverything: "the station reports too much"
        case .notSeenAtVenue: "staff looked and did not see the bike"
        case .quarantined: "the operator does not trust the station"
        case .unverified: "reported through an app, unchecked"
        case .beaconProved: "only the beacon could send this at that time, or a radio that repeated it immediately"
        case .replayed: "an old signal, recorded and repeated"
        }
    }
}

extension BikeEvent.Kind {
    var words: String {
        switch self {
        case .registered: "registered"
        case .changed: "details changed"
        case .beaconMoved: "beacon exchanged with another bike’s"
        case .beaconProved: "a station heard the beacon in its test"
        case .beaconAccepted: "the operator accepted the beacon"
        case .beaconRetired: "new beacon, the old one is retired"
        case .transferred: "taken over from another owner"
        case .found: "somebody heard the beacon"
        }
    }
}

extension Sighting {
    /// How certain the sighting is, why, and the owner's decision.
    var certainty: String {
        let reasons = reasons.isEmpty ? "" : ": \(reasons.map(\.words).joined(separator: ", "))"
        let marks = (late ? "; reported late" : "") + (dismissed == nil ? "" : "; dismissed by you")
        return level.rawValue + reasons + marks
    }
}

extension ChannelDelivery {
    /// A description of the message.
    var words: String {
        switch event {
        case "sighting.created": "a sighting"
        case "sighting.updated": "an update to a sighting"
        case "sightings.digest": "several sightings"
        default: event.split(at: ".").joined(separator: ", ")
        }
    }
}

extension Timestamp {
    /// The time in the user's time zone, with the zone.
    var local: String { LocalTime.text(of: self) }
}

extension Place {
    /// The coordinates to about a metre, in the form that maps accept.
    var text: String { "\(Self.degrees(latitude)), \(Self.degrees(longitude))" }

    /// Degrees with five decimals.
    static func degrees(_ value: Double) -> String { String(format: "%.5f", value) }
}
