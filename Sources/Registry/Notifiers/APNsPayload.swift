import Foundation
import RegistryAPI
import RegistryRules

/// The payload that a device receives (Apple, “Generating a remote notification”).
struct APNsPayload: Encodable {
    /// The maximum length of a whole payload in bytes.
    static let limit = 4096

    /// The part that the system itself reads.
    struct APS: Encodable {
        struct Alert: Encodable {
            var title: String
            var body: String
        }

        var alert: Alert
        /// Nil for an alert that comes silently.
        var sound: String?
        /// The system groups the notifications of one thread.
        var threadID: String
        /// `time-sensitive` is shown even while a Focus is on.
        var interruptionLevel: String

        private enum CodingKeys: String, CodingKey {
            case alert, sound
            case threadID = "thread-id"
            case interruptionLevel = "interruption-level"
        }
    }

    struct Link: Encodable {
        var label: String
        var url: String
    }

    var aps: APS
    /// The links, for apps that can show them.
    var links: [Link]

    private init(_ alert: ClaimedAlert, _ text: AlertText, body: String) {
        aps = APS(
            alert: APS.Alert(title: text.title, body: body), sound: alert.isUrgent ? "default" : nil,
            threadID: alert.collapse, interruptionLevel: alert.isUrgent ? "time-sensitive" : "active"
        )
        links = text.links.map { Link(label: $0.label, url: $0.url) }
    }

    /// The payload as JSON; text that is too long is cut.
    static func bytes(of alert: ClaimedAlert) throws -> [UInt8] {
        let text = alert.text
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try text.body.fitting(limit) { body in
            [UInt8](try encoder.encode(APNsPayload(alert, text, body: body)))
        }
    }
}
