import Foundation
import RegistryAPI
import RegistryRules

/// The payload that a device receives (Apple, “Generating a remote notification”).
struct APNsPayload: Encodable {
    /// The maximum length of a whole payload in bytes.
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

extension AlertText {
    /// All paragraphs, separated by empty lines.
    var body: String { paragraphs.joined(separator: "\n\n") }

    /// All paragraphs, and the URLs of the links.
    var whole: String {
        (paragraphs + links.map { "\($0.label): \($0.url)" }).joined(separator: "\n\n")
    }
}

extension String {
    /// Makes a message from as much of this text as fits.
    ///
    /// - Parameter limit: the maximum length of the result in bytes.
    func fitting(_ limit: Int, _ make: (String) throws -> [UInt8]) rethrows -> [UInt8] {
        var text = self
        while true {
            let bytes = try make(text)
            let excess = bytes.count - limit
            guard excess > 0, !text.isEmpty else { return bytes }
            // Each character takes at least one byte; the ellipsis takes three.
            text = text.dropLast(Swift.max(1, excess / 4 + 4)) + (text.count > excess / 4 + 4 ? "…" : "")
        }
    }
}
