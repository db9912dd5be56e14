import Foundation
import StationStatus
import Syntax

/// The MQTT topics of a station, the messages that it publishes to them, and the answers that it reads from one. The guide
/// describes them for users; their names must not change.
public struct VenueTopics: Hashable, Sendable {
    /// An answer from staff about a missing bike.
    struct Answer: Hashable, Sendable {
        let isSeen: Bool
        /// The identifier of the visit, not checked yet; nil for the only unanswered alarm.
        let visit: String?
    }

    /// The first levels of all topics of this station.
    private let base: String
    /// What staff should do, in the venue's words.
    private let advice: String

    /// - Parameters:
    ///   - prefix: the first levels of the topics of all stations, such as `findmybike`.
    ///   - node: the station's own topic level; see ``isNode(_:)``.
    ///   - advice: what staff should do, in the venue's words.
    public init(prefix: String, node: String, advice: String) {
        base = "\(prefix)/\(node)"
        self.advice = advice
    }

    /// Whether a text is a valid topic level, here and in Home Assistant's discovery: 1 to 64 letters, digits, `_` and `-`.
    public static func isNode(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.unicodeScalars.allSatisfy(isNodeScalar)
    }

    /// Whether a topic level may contain a character.
    static func isNodeScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// `online` or `offline`, which the broker publishes if the connection is lost.
    var availability: String { "\(base)/availability" }
    /// One message for each alarm.
    var alarm: String { "\(base)/alarm" }
    /// `ON` or `OFF`: whether a missing bike is here.
    var present: String { "\(base)/present" }
    /// The missing bikes that are here.
    var bikes: String { "\(base)/bikes" }
    /// The station's readings.
    var status: String { "\(base)/status" }
    /// The topic that the station reads staff's answers from.
    var answer: String { "\(base)/answer" }

    var online: MQTTMessage { MQTTMessage(availability, "online", isRetained: true) }
    var offline: MQTTMessage { MQTTMessage(availability, "offline", isRetained: true) }

    /// The message for an alarm, published once; not retained, so that a later subscriber does not mistake it for a new
    /// alarm.
    func alarmMessage(about bike: MissingBikeHere) -> MQTTMessage {
        struct Alarm: Encodable {
            let eventType = "alarm"
            let advice: String
            let bike: MissingBikeHere

            func encode(to encoder: any Encoder) throws {
                try bike.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(eventType, forKey: .eventType)
                try container.encode(advice, forKey: .advice)
            }

            enum CodingKeys: CodingKey { case eventType, advice }
        }
        return json(alarm, Alarm(advice: advice, bike: bike), isRetained: false)
    }

    /// The messages with the missing bikes that are present.
    func presenceMessages(_ bikes: [MissingBikeHere]) -> [MQTTMessage] {
        struct Bikes: Encodable {
            let bikes: [MissingBikeHere]
            let advice: String
        }
        return [
            json(self.bikes, Bikes(bikes: bikes, advice: advice), isRetained: true),
            MQTTMessage(present, bikes.isEmpty ? "OFF" : "ON", isRetained: true),
        ]
    }

    /// The message with the station's state, published at intervals; not retained, since it is soon out of date.
    func statusMessage(_ reading: StationReading) -> MQTTMessage { json(status, reading, isRetained: false) }

    /// An answer from staff: `seen` or `absent`, optionally followed by a visit's identifier.
    ///
    /// - Returns: nil if the payload is not an answer, or if the message was retained, since it is then out of date.
    func answer(in message: MQTTMessage) -> Answer? {
        guard message.topic == answer, !message.isRetained, message.payload.count <= Self.maximumAnswer else {
            return nil
        }
        let words = String(decoding: message.payload, as: UTF8.self).split(at: " ").map(String.init)
        guard (1...2).contains(words.count), ["seen", "absent"].contains(words[0]) else { return nil }
        return Answer(isSeen: words[0] == "seen", visit: words.count == 2 ? words[1] : nil)
    }

    /// The maximum length of an answer in bytes: a word and a UUID, with room for spaces.
    private static let maximumAnswer = 64

    private func json(_ topic: String, _ value: some Encodable, isRetained: Bool) -> MQTTMessage {
        MQTTMessage(topic, Self.encode(value), isRetained: isRetained)
    }

    /// Encodes a value as JSON, with key names in snake case as Home Assistant expects them.
    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings, finite numbers and arrays of them always encode.
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}
