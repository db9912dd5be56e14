import Foundation
import Registry
import RegistryAPI

/// What a device is sent (Apple, “Generating a remote notification”).
struct APNsPayload: Encodable {
    /// Bytes of a whole payload.
    static let limit = 4096

    struct APS: Encodable {
        struct Alert: Encodable {
            var title: String
            var body: String
        }

        var alert: Alert
        var sound: String?
        var threadID: String
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
    /// For an app that knows what to do with them.
    var links: [Link]

    private init(_ alert: ClaimedAlert, _ text: AlertText, body: String) {
        aps = APS(
            alert: APS.Alert(title: text.title, body: body), sound: alert.isUrgent ? "default" : nil,
            threadID: alert.collapse, interruptionLevel: alert.isUrgent ? "time-sensitive" : "active"
        )
        links = text.links.map { Link(label: $0.label, url: $0.url) }
    }

    /// As JSON, the text cut where it would be too long.
    static func bytes(of alert: ClaimedAlert) throws -> [UInt8] {
        let text = alert.text
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try text.body.fitting(limit) { body in
            [UInt8](try encoder.encode(APNsPayload(alert, text, body: body)))
        }
    }
}

extension AlertText {
    /// All paragraphs.
    var body: String { paragraphs.joined(separator: "\n\n") }

    /// All paragraphs, and where the links lead.
    var whole: String {
        (paragraphs + links.map { "\($0.label): \($0.url)" }).joined(separator: "\n\n")
    }
}

extension String {
    /// What is made of as much of this text as fits.
    ///
    /// - Parameter limit: bytes of what is made.
    func fitting(_ limit: Int, _ make: (String) throws -> [UInt8]) rethrows -> [UInt8] {
        var text = self
        while true {
            let bytes = try make(text)
            let excess = bytes.count - limit
            guard excess > 0, !text.isEmpty else { return bytes }
            // Each character takes at least one byte; the mark takes three.
            text = text.dropLast(Swift.max(1, excess / 4 + 4)) + (text.count > excess / 4 + 4 ? "…" : "")
        }
    }
}
