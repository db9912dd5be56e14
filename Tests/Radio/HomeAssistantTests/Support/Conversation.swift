import Beacons
import Foundation
import Scanning
import TestSupport

@testable import HomeAssistant

/// A conversation with Home Assistant, played from a text: lines of the server begin with `<`, those that are expected
/// of the client with `>`, and `+30` lets seconds pass.
struct Conversation {
    private(set) var now = ScanInstant(nanoseconds: 1_000_000_000)
    private(set) var dialogue: HomeAssistantDialogue
    private(set) var sent: [String] = []
    private(set) var news = HomeAssistantNews()

    /// The wall time of the beginning.
    static let date: Int64 = 1_764_284_400

    init(date: Int64? = date, missed: Duration = .seconds(30)) {
        dialogue = HomeAssistantDialogue(token: "the token", date: date, missed: missed, at: now)
    }

    /// A conversation in which the subscription is asked for, and nothing has been heard.
    static func opened(
        date: Int64? = date, missed: Duration = .seconds(30), version: String = "2026.2.3"
    ) throws
        -> Conversation
    {
        var talk = Conversation(date: date, missed: missed)
        try talk.take(#"{"type":"auth_required","ha_version":"\#(version)"}"#)
        try talk.take(#"{"type":"auth_ok","ha_version":"\#(version)"}"#)
        return talk
    }

    mutating func take(_ text: String) throws { try take(Array(text.utf8)) }

    mutating func take(_ text: [UInt8]) throws {
        news = HomeAssistantNews()
        sent += try dialogue.take(text, at: now, into: &news)
    }

    /// Receives bytes that do not complete a message.
    mutating func receivePart() { dialogue.notePart(at: now) }

    /// Lets seconds pass, with a tick in each.
    mutating func pass(_ seconds: Int) throws {
        for _ in 0..<seconds {
            now = now.advanced(by: .seconds(1))
            sent += try dialogue.tick(at: now)
        }
    }

    /// An event with an iBeacon whose newest frame is of this second since the beginning.
    mutating func hear(_ id: Int, _ address: String = "AA:BB:CC:DD:EE:01", at seconds: Double, rssi: Int = -60) throws {
        try take(event(id, [advert(address, at: seconds, rssi: rssi)]))
    }

    func event(_ id: Int, _ adverts: [String]) -> String {
        #"{"id":\#(id),"type":"event","event":{"add":[\#(adverts.joined(separator: ","))]}}"#
    }

    func advert(_ address: String = "AA:BB:CC:DD:EE:01", at seconds: Double, rssi: Int = -60) -> String {
        #"{"name":"x","address":"\#(address)","rssi":\#(rssi),"manufacturer_data":{"76":"\#(Self.beacon)"},"#
            + #""service_data":{},"service_uuids":[],"source":"AA:00:00:00:00:01","connectable":false,"#
            + #""time":\#(Double(Self.date) + seconds),"tx_power":-127,"raw":null}"#
    }

    /// An iBeacon without the company's number.
    static let beacon = "0215fda50693a4e24fb1afcfc6eb0764782500010002c5"
}
