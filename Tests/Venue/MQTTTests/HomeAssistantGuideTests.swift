import Beacons
import Foundation
import RegistryAPI
import StationStatus
import TestSupport
import Testing
import Yams

@testable import MQTT

/// The examples for Home Assistant, compared with what the monitor publishes. Home Assistant itself is not run.
@Suite("The guide for Home Assistant")
struct HomeAssistantGuideTests {
    private let topics = VenueTopics(prefix: "findmybike", node: "cafe", advice: "Call.")
    private let bike = MissingBikeHere(
        visit: "0199f0de-0000-7000-8000-000000000001", kind: .motorbike, make: "Honda", model: "CB500X",
        colours: [.red], proximity: .near, firstSeen: nil, receiver: "bar")

    private func blocks() throws -> [String] {
        let page = try String(contentsOfFile: Repository.path("docs/guide/home-assistant.md"), encoding: .utf8)
        return page.matches(of: #/(?ms)^```yaml\n(.*?)^```$/#).map { String($0.output.1) }
    }

    private func keys(_ payload: [UInt8]) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        return Set(try #require(object).keys)
    }

    @Test("each example is YAML")
    func yaml() throws {
        #expect(try blocks().count == 4)
        for block in try blocks() { #expect(try Yams.compose(yaml: block)?.mapping?.isEmpty == false) }
    }

    @Test("the automation subscribes to the alarm's topic and uses fields that an alarm has")
    func automation() throws {
        let block = try #require(try blocks().first { $0.hasPrefix("automation:") })
        let automation = try #require(try Yams.compose(yaml: block)?["automation"]?[0])
        let alarm = topics.alarmMessage(about: bike)
        #expect(automation["triggers"]?[0]?["topic"]?.string == alarm.topic)
        let used = block.matches(of: #/payload_json\.(\w+)/#).map { String($0.output.1) }
        #expect(Set(used) == ["colours", "make", "model", "receiver", "advice"])
        #expect(try Set(used).isSubset(of: keys(alarm.payload)))
    }

    @Test("the card uses the entity that Home Assistant discovers, and its attributes")
    func card() throws {
        let block = try #require(try blocks().first { $0.hasPrefix("type:") })
        let discovery = HomeAssistantDiscovery(
            prefix: "homeassistant", node: "cafe", version: "1", takesAnswers: false)
        let message = try #require(
            discovery.messages(topics, adapters: []).first { $0.topic.contains("binary_sensor") })
        let text = String(decoding: message.payload, as: UTF8.self)
        #expect(text.contains(#""name":"Missing bike here""#) && text.contains(#""name":"FindMyBike cafe""#))
        // Home Assistant makes the identifier from the names of the device and the entity.
        let entities = Set(block.matches(of: #/binary_sensor\.\w+/#).map { String($0.output) })
        #expect(entities == ["binary_sensor.findmybike_cafe_missing_bike_here"])
        let attributes = Set(block.matches(of: #/here', '(\w+)'/#).map { String($0.output.1) })
        let bikes = try #require(topics.presenceMessages([bike]).first)
        #expect(attributes == ["bikes", "advice"])
        #expect(try attributes == keys(bikes.payload))
    }
}
