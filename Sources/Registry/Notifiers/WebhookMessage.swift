import Beacons
import Foundation
import RegistryAPI
import RegistryRules

/// The body of a webhook. Unless the channel may show places, it is built from types that have none.
enum WebhookMessage {
    /// The JSON that a receiver gets for an alert.
    static func body(of alert: ClaimedAlert) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let tellsPlaces = alert.channel.coordinates
        switch alert.content {
        case .sighting(let content):
            let message = SightingAlert(content, created: alert.created, reader: alert.reader)
            return [UInt8](try tellsPlaces ? encoder.encode(message) : encoder.encode(PlacelessAlert(message)))
        case .digest(let content):
            let message = SightingsDigest(content, created: alert.created, reader: alert.reader)
            return [UInt8](try tellsPlaces ? encoder.encode(message) : encoder.encode(PlacelessDigest(message)))
        case .notice(let notice):
            let message = NoticeAlert(notice, created: alert.created, reader: alert.reader)
            return [UInt8](try encoder.encode(message))
        }
    }
}

/// A ``SightingAlert`` without the place, for a reader that must not know it.
private struct PlacelessAlert: Encodable {
    struct Content: Encodable {
        let bike: SightingAlert.BikeSummary
        let report: ReportID
        let sighting: PlacelessSighting
        let message: String
        let certainty: String
        let advice: String
    }

    let type: String
    let timestamp: Timestamp
    let data: Content

    init(_ alert: SightingAlert) {
        (type, timestamp) = (alert.type, alert.timestamp)
        data = Content(
            bike: alert.data.bike, report: alert.data.report, sighting: PlacelessSighting(alert.data.sighting),
            message: alert.data.message, certainty: alert.data.certainty, advice: alert.data.advice
        )
    }
}

/// A ``SightingsDigest`` without the places, for a reader that must not know them.
private struct PlacelessDigest: Encodable {
    struct Content: Encodable {
        let bike: SightingAlert.BikeSummary
        let report: ReportID
        let count: Int
        let sightings: [PlacelessSighting]
        let message: String
        let advice: String
    }

    let type: String
    let timestamp: Timestamp
    let data: Content

    init(_ digest: SightingsDigest) {
        (type, timestamp) = (digest.type, digest.timestamp)
        data = Content(
            bike: digest.data.bike, report: digest.data.report, count: digest.data.count,
            sightings: digest.data.sightings.map(PlacelessSighting.init), message: digest.data.message,
            advice: digest.data.advice
        )
    }
}

/// A ``Sighting`` without its place and its receiver, which says where in the venue it was.
struct PlacelessSighting: Encodable {
    let id: VisitID
    let report: ReportID
    let station: Sighting.StationSummary
    let firstSeen: Timestamp
    let lastSeen: Timestamp
    let received: Timestamp
    let count: Int64
    let rssi: SignalStrength?
    let proximity: Proximity
    let ended: Bool
    let timeUncertain: Bool
    let late: Bool
    let level: SightingLevel
    let reasons: [SightingReason]
    let confirmation: VisitConfirmation?
    let dismissed: Timestamp?
    let acknowledged: Timestamp?
    let sameStay: Bool?

    init(_ sighting: Sighting) {
        id = sighting.id
        report = sighting.report
        station = sighting.station
        firstSeen = sighting.firstSeen
        lastSeen = sighting.lastSeen
        received = sighting.received
        count = sighting.count
        rssi = sighting.rssi
        proximity = sighting.proximity
        ended = sighting.ended
        timeUncertain = sighting.timeUncertain
        late = sighting.late
        level = sighting.level
        reasons = sighting.reasons
        confirmation = sighting.confirmation
        dismissed = sighting.dismissed
        acknowledged = sighting.acknowledged
        sameStay = sighting.sameStay
    }
}
