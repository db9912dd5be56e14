/// The configuration messages for Home Assistant's discovery of a station
/// (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery).
public struct HomeAssistantDiscovery: Hashable, Sendable {
    private let prefix: String
    private let node: String
    private let version: String
    private let takesAnswers: Bool

    /// - Parameters:
    ///   - prefix: the discovery prefix in Home Assistant's settings, by default `homeassistant`.
    ///   - node: the station's own topic level, as in ``VenueTopics``.
    ///   - version: the version of this program.
    ///   - takesAnswers: whether to add buttons for staff's answers.
    public init(prefix: String, node: String, version: String, takesAnswers: Bool) {
        self.prefix = prefix
        self.node = node
        self.version = version
        self.takesAnswers = takesAnswers
    }

    /// The retained messages, one for each entity.
    ///
    /// - Parameter adapters: the adapters, each of which has a sensor.
    func messages(_ topics: VenueTopics, adapters: [String]) -> [MQTTMessage] {
        var here = Entity("Missing bike here", "mdi:motorbike")
        here.stateTopic = topics.present
        here.jsonAttributesTopic = topics.bikes
        var alarm = Entity("Missing bike alarm", "mdi:alarm-light")
        alarm.stateTopic = topics.alarm
        alarm.eventTypes = ["alarm"]
        let entities =
            [("binary_sensor", "missing_bike", here), ("event", "alarm", alarm)] + sensors(topics, adapters)
            + buttons(topics)
        return entities.map { component, object, entity in
            message(topics, component, object, entity)
        }
    }

    /// The entities of the station's readings, each with its component and its object identifier, like the other
    /// functions.
    private func sensors(_ topics: VenueTopics, _ adapters: [String]) -> [(String, String, Entity)] {
        var age = sensor(topics, "Age of the missing list", "value_json.list_age", unit: "s")
        age.deviceClass = "duration"
        let depth = sensor(topics, "Visits waiting for the registry", "value_json.outbox_depth", unit: "visits")
        let rates = adapters.map { adapter in
            let rate = sensor(
                topics, "Adverts heard by \(adapter)", "value_json.adverts_per_second['\(adapter)']",
                unit: "adverts/s")
            return ("sensor", "adverts_\(Self.objectID(adapter))", rate)
        }
        return [("sensor", "list_age", age), ("sensor", "outbox_depth", depth)] + rates
    }

    /// An adapter's name as a part of a topic, where Home Assistant allows letters, digits, `_` and `-`. A receiver's
    /// name may also contain a dot.
    private static func objectID(_ name: String) -> String {
        name.unicodeScalars.map { VenueTopics.isNodeScalar($0) ? String($0) : "_\(String($0.value, radix: 16))" }
            .joined()
    }

    /// A sensor of one value in the station's status.
    ///
    /// - Parameter value: the value in Home Assistant's template language.
    private func sensor(_ topics: VenueTopics, _ name: String, _ value: String, unit: String) -> Entity {
        var entity = Entity(name, nil)
        entity.stateTopic = topics.status
        entity.valueTemplate = "{{ \(value) | default(none) }}"
        entity.unitOfMeasurement = unit
        entity.stateClass = "measurement"
        entity.entityCategory = "diagnostic"
        return entity
    }

    /// The buttons for staff's answers.
    private func buttons(_ topics: VenueTopics) -> [(String, String, Entity)] {
        guard takesAnswers else { return [] }
        return [("seen", "I see the missing bike"), ("absent", "The missing bike is not here")].map { answer, name in
            var button = Entity(name, nil)
            button.commandTopic = topics.answer
            button.payloadPress = answer
            return ("button", answer, button)
        }
    }

    /// The retained message that makes Home Assistant add an entity.
    private func message(
        _ topics: VenueTopics, _ component: String, _ object: String, _ entity: Entity
    ) -> MQTTMessage {
        var entity = entity
        entity.uniqueId = "findmybike_\(node)_\(object)"
        entity.availabilityTopic = topics.availability
        entity.device = Device(
            identifiers: ["findmybike_\(node)"], name: "FindMyBike \(node)", manufacturer: "FindMyBike",
            model: "findmybike-monitor", swVersion: version)
        return MQTTMessage(
            "\(prefix)/\(component)/findmybike_\(node)/\(object)/config", VenueTopics.encode(entity), isRetained: true)
    }

    private struct Device: Encodable {
        let identifiers: [String]
        let name: String
        let manufacturer: String
        let model: String
        let swVersion: String
    }

    /// An entity, encoded with underscores: `unique_id`.
    private struct Entity: Encodable {
        let name: String
        let icon: String?
        var uniqueId = ""
        var stateTopic: String?
        var commandTopic: String?
        var payloadPress: String?
        var jsonAttributesTopic: String?
        var eventTypes: [String]?
        var valueTemplate: String?
        var unitOfMeasurement: String?
        var stateClass: String?
        var deviceClass: String?
        var entityCategory: String?
        var availabilityTopic = ""
        var device: Device?

        init(_ name: String, _ icon: String?) {
            self.name = name
            self.icon = icon
        }
    }
}
