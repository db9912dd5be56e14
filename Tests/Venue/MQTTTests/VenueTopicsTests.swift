import Beacons
import Foundation
import RegistryAPI
import StationStatus
import Testing

@testable import MQTT

/// The messages to the venue's devices, byte by byte, since others write automations for them.
@Suite("Topics of a venue")
struct VenueTopicsTests {
    private let topics = VenueTopics(prefix: "findmybike", node: "garage", advice: "Do not confront anyone.")
    private let bike = MissingBikeHere(
        visit: "0199f0de-0000-7000-8000-000000000001", kind: .motorbike, make: "Honda", model: "CB500X",
        colours: [.red, .black], proximity: .near, firstSeen: "2026-11-21T12:00:00.000Z", receiver: "bar")

    private func text(_ message: MQTTMessage) -> String { String(decoding: message.payload, as: UTF8.self) }

    @Test("an alarm is one line of JSON, not retained, with what to look for and what to do")
    func alarm() {
        let message = topics.alarmMessage(about: bike)
        #expect(message.topic == "findmybike/garage/alarm")
        #expect(!message.isRetained)
        #expect(
            text(message) == """
                {"advice":"Do not confront anyone.","colours":["red","black"],"event_type":"alarm",\
                "first_seen":"2026-11-21T12:00:00.000Z","kind":"motorbike","make":"Honda","model":"CB500X",\
                "proximity":"near","receiver":"bar","visit":"0199f0de-0000-7000-8000-000000000001"}
                """)
    }

    @Test("the presence of a bike is retained, and the bikes are published before the state")
    func presence() {
        let here = topics.presenceMessages([bike])
        #expect(here.map(\.topic) == ["findmybike/garage/bikes", "findmybike/garage/present"])
        #expect(here.allSatisfy { $0.isRetained })
        #expect(text(here[0]).contains(#""model":"CB500X""#))
        #expect(text(here[1]) == "ON")
        let gone = topics.presenceMessages([])
        #expect(text(gone[0]) == #"{"advice":"Do not confront anyone.","bikes":[]}"#)
        #expect(text(gone[1]) == "OFF")
    }

    @Test("readings use the keys of Home Assistant's templates")
    func reading() {
        let message = topics.statusMessage(
            StationReading(advertsPerSecond: ["hci0": 12.5, "hci1": 0], listAge: nil, outboxDepth: 3))
        #expect(text(message) == #"{"adverts_per_second":{"hci0":12.5,"hci1":0},"outbox_depth":3}"#)
        #expect(!message.isRetained)
    }

    @Test(
        "an answer is a word, alone or before a visit",
        arguments: [
            ("seen", true, nil), ("absent", false, nil), ("absent 0199", false, "0199"),
            ("seen  0199\u{20}", true, "0199"),
        ] as [(String, Bool, String?)])
    func answers(text: String, isSeen: Bool, visit: String?) throws {
        let answer = try #require(topics.answer(in: MQTTMessage("findmybike/garage/answer", text)))
        #expect(answer.isSeen == isSeen)
        #expect(answer.visit == visit)
    }

    @Test("any other payload is not an answer, nor is a retained message")
    func noAnswers() {
        for text in ["", "yes", "seen a b", "SEEN", String(repeating: "seen ", count: 20)] {
            #expect(topics.answer(in: MQTTMessage("findmybike/garage/answer", text)) == nil)
        }
        #expect(topics.answer(in: MQTTMessage("findmybike/other/answer", "seen")) == nil)
        #expect(topics.answer(in: MQTTMessage("findmybike/garage/answer", "seen", isRetained: true)) == nil)
    }

    @Test(
        "a broker's address is a scheme, a host and perhaps a port",
        arguments: [
            ("mqtt://broker.local", "broker.local", 1883, false), ("mqtts://broker.local", "broker.local", 8883, true),
            ("mqtt://[::1]:1884/", "::1", 1884, false), ("mqtts://10.0.0.1:1", "10.0.0.1", 1, true),
        ])
    func address(url: String, host: String, port: Int, isEncrypted: Bool) throws {
        let broker = try #require(BrokerConfiguration(url: url, clientID: "c"))
        #expect(broker.host == host)
        #expect(broker.port == port)
        #expect(broker.isEncrypted == isEncrypted)
    }

    @Test(
        "an invalid address is refused",
        arguments: [
            "", "mqtt://", "http://a", "mqtt://user@a", "mqtt://a:0", "mqtt://a:70000", "mqtt://a:x", "mqtt://a/b",
            "mqtt://[::1", "mqtt://[::1]x", "mqtt://:1", "mqtt://a b",
        ])
    func noAddress(url: String) {
        #expect(BrokerConfiguration(url: url, clientID: "c") == nil)
    }
}

@Suite("Discovery by Home Assistant")
struct HomeAssistantDiscoveryTests {
    private let topics = VenueTopics(prefix: "findmybike", node: "garage", advice: "")

    private func messages(takesAnswers: Bool, _ adapters: [String] = ["hci0"]) -> [MQTTMessage] {
        HomeAssistantDiscovery(prefix: "homeassistant", node: "garage", version: "1.2.3", takesAnswers: takesAnswers)
            .messages(topics, adapters: adapters)
    }

    @Test("each entity is announced once, retained by the broker, under one device, with its availability")
    func entities() throws {
        let messages = messages(takesAnswers: true)
        #expect(
            messages.map(\.topic).sorted() == [
                "homeassistant/binary_sensor/findmybike_garage/missing_bike/config",
                "homeassistant/button/findmybike_garage/absent/config",
                "homeassistant/button/findmybike_garage/seen/config",
                "homeassistant/event/findmybike_garage/alarm/config",
                "homeassistant/sensor/findmybike_garage/adverts_hci0/config",
                "homeassistant/sensor/findmybike_garage/list_age/config",
                "homeassistant/sensor/findmybike_garage/outbox_depth/config",
            ])
        var identifiers: Set<String> = []
        for message in messages {
            #expect(message.isRetained)
            let entity = try #require(
                try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
            identifiers.insert(try #require(entity["unique_id"] as? String))
            #expect(entity["availability_topic"] as? String == "findmybike/garage/availability")
            let device = try #require(entity["device"] as? [String: Any])
            #expect(device["identifiers"] as? [String] == ["findmybike_garage"])
            #expect(device["sw_version"] as? String == "1.2.3")
        }
        #expect(identifiers.count == messages.count)
    }

    @Test("a receiver's name with a dot gives a topic that Home Assistant accepts, and each receiver its own")
    func receivers() throws {
        let names = ["bar", "bar.2", "bar_2", "bar-2", "bar..2"]
        let topics = messages(takesAnswers: false, names).map(\.topic).filter { $0.contains("/adverts_") }
        #expect(Set(topics).count == names.count)
        // https://www.home-assistant.io/integrations/mqtt/#discovery-topic
        for topic in topics {
            #expect(topic.wholeMatch(of: /homeassistant\/\w+\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+\/config/) != nil)
        }
        let text = messages(takesAnswers: false, ["bar.2"]).map { String(decoding: $0.payload, as: UTF8.self) }.joined()
        #expect(text.contains("value_json.adverts_per_second['bar.2']"))
    }

    @Test("if answers are not allowed there are no buttons")
    func noButtons() {
        #expect(!messages(takesAnswers: false).contains { $0.topic.contains("button") })
    }

    @Test("entities refer to the published topics")
    func pointers() throws {
        let texts = messages(takesAnswers: true).map { String(decoding: $0.payload, as: UTF8.self) }
        for pointer in [
            #""state_topic":"findmybike/garage/present""#, #""json_attributes_topic":"findmybike/garage/bikes""#,
            #""state_topic":"findmybike/garage/alarm""#, #""event_types":["alarm"]"#,
            #""value_template":"{{ value_json.adverts_per_second['hci0'] | default(none) }}""#,
            #""command_topic":"findmybike/garage/answer""#, #""payload_press":"absent""#,
        ] {
            #expect(texts.contains { $0.contains(pointer) }, "\(pointer)")
        }
    }
}
