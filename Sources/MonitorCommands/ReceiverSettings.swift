import CommandLines
import ESPHome
import Files
import Glibc
import MQTT
import MonitorConfiguration
import RegistryAPI
import Scanning
import Settings
import Syntax

/// The receivers in the settings: Bluetooth proxies in the venue's network, and gateways behind the venue's broker.
struct ReceiverSettings {
    private static let fields: Set = [
        "name", "esphome", "keyFile", "takeBack", "mqtt", "latitude", "longitude", "accuracy",
    ]

    private enum Receiver {
        case proxy(ESPHomeScanner.Proxy)
        case gateway(topic: String, broker: BrokerConfiguration)
    }

    private struct Entry {
        let name: String
        let place: Place?
        let receiver: Receiver

        /// The address of a proxy.
        var address: ProxyAddress? {
            if case .proxy(let proxy) = receiver { proxy.address } else { nil }
        }
    }

    private let receivers: [Entry]

    init(_ settings: ProgramSettings) throws(CommandFailure) {
        let broker = try BrokerSettings(settings)
        var problems: [String] = []
        var receivers: [Entry] = []
        for (index, entry) in (settings.value(MonitorSettings.receivers) ?? []).enumerated() {
            do throws(Problem) {
                let name = try Self.name(entry["name"])
                guard !receivers.contains(where: { $0.name == name }) else {
                    throw Problem("another receiver has this name: each needs its own")
                }
                let receiver = try Self.receiver(name, entry, settings, broker)
                if case .proxy(let proxy) = receiver,
                    let other = receivers.first(where: { $0.address == proxy.address })
                {
                    throw Problem("‘\(other.name)’ has the same address: remove one of them")
                }
                receivers.append(Entry(name: name, place: try Self.place(entry, settings), receiver: receiver))
            } catch {
                let name = entry["name"].map { " (‘\($0)’)" } ?? ""
                problems.append("receivers: entry \(index + 1)\(name): \(error.text)")
            }
        }
        if settings.value(MonitorSettings.radioBackend) == MonitorSettings.receiversOnly, receivers.isEmpty,
            problems.isEmpty
        {
            problems.append("radio.backend is none, so nothing could be heard: set receivers, or another radio.backend")
        }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        self.receivers = receivers
    }

    var scanners: [any RadioScanner] {
        receivers.map { entry in
            switch entry.receiver {
            case .proxy(let proxy): ESPHomeScanner(proxy)
            case .gateway(let topic, let broker): GatewayScanner(name: entry.name, topic: topic, broker: broker)
            }
        }
    }

    /// A receiver and its place in the network.
    struct Source: Sendable {
        let name: String
        /// The address of a proxy, or the topic of a gateway.
        let place: String
        /// Nil for a gateway.
        let address: ProxyAddress?
    }

    /// The receivers, in the order of the settings.
    var sources: [Source] {
        receivers.map { entry in
            switch entry.receiver {
            case .proxy(let proxy):
                Source(name: entry.name, place: "\(proxy.address)", address: proxy.address)
            case .gateway(let topic, let broker):
                Source(name: entry.name, place: "\(topic) at \(broker.address)", address: nil)
            }
        }
    }

    /// The receivers as visits name them.
    var named: [String: VenueReceiver] {
        Dictionary(
            receivers.map { ($0.name, VenueReceiver(name: $0.name, place: $0.place)) },
            uniquingKeysWith: { first, _ in first })
    }

    private struct Problem: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static func receiver(
        _ name: String, _ entry: [String: String], _ settings: ProgramSettings, _ broker: BrokerSettings?
    ) throws(Problem) -> Receiver {
        if let stranger = entry.keys.sorted().first(where: { !fields.contains($0) }) {
            throw Problem(
                "unknown key ‘\(stranger)’: expected name, esphome with keyFile and takeBack, or mqtt; latitude, "
                    + "longitude, accuracy"
            )
        }
        switch (entry["esphome"], entry["mqtt"]) {
        case (let address?, nil): return .proxy(try proxy(name, address, entry, settings))
        case (nil, let topic?): return try gateway(name, topic, entry, broker)
        case (nil, nil):
            throw Problem("set esphome to a proxy’s address, as in 192.168.1.30, or mqtt to a gateway’s topic")
        case (_?, _?): throw Problem("this entry has both esphome and mqtt: make two entries")
        }
    }

    private static func proxy(
        _ name: String, _ text: String, _ entry: [String: String], _ settings: ProgramSettings
    ) throws(Problem) -> ESPHomeScanner.Proxy {
        guard let address = ProxyAddress(text) else {
            throw Problem("esphome is ‘\(text)’: write it as host or host:port, as in 192.168.1.30")
        }
        let key = try entry["keyFile"].map { path throws(Problem) in try Self.key(settings.resolved(path)) }
        let takesBack: Bool
        switch entry["takeBack"] {
        case nil, "false": takesBack = false
        case "true": takesBack = true
        case let text?: throw Problem("takeBack is ‘\(text)’: write true or false")
        }
        return ESPHomeScanner.Proxy(
            name: name, address: address, key: key, takesBack: takesBack,
            client: "findmybike-monitor \(ProductVersion.current)")
    }

    private static func gateway(
        _ name: String, _ topic: String, _ entry: [String: String], _ broker: BrokerSettings?
    ) throws(Problem) -> Receiver {
        for key in ["keyFile", "takeBack"] where entry[key] != nil { throw Problem("\(key) is for esphome: remove it") }
        guard GatewayScanner.isTopic(topic) else {
            throw Problem("mqtt is ‘\(topic)’: write the gateway’s topic, as in home/bar/BTtoMQTT/#")
        }
        guard let broker else { throw Problem("mqtt needs a broker: set mqtt.url") }
        return .gateway(topic: topic, broker: broker.receiver(name))
    }

    /// Names of adapters are not free, and the registry takes 32 characters.
    private static func name(_ text: String?) throws(Problem) -> String {
        guard let text else { throw Problem("name is missing: say where the receiver is, as in bar") }
        guard VenueReceiver.isName(text) else {
            throw Problem(
                "use at most 32 of A to Z, a to z, 0 to 9, ., _ and - for its name, without spaces and accents; it "
                    + "must not begin with hci")
        }
        return text
    }

    /// The place of a receiver, which must be near its station's.
    private static func place(
        _ entry: [String: String], _ settings: ProgramSettings
    ) throws(Problem) -> Place? {
        func number(_ setting: Setting<Double>) throws(Problem) -> Double? {
            let key = setting.key.split(at: ".").last.map(String.init) ?? setting.key
            guard let text = entry[key] else { return nil }
            guard let value = setting.parse(text) else {
                throw Problem("\(key) is ‘\(text)’: expected \(setting.form)")
            }
            return value
        }
        let (latitude, longitude) = (try number(MonitorSettings.latitude), try number(MonitorSettings.longitude))
        let accuracy = try number(MonitorSettings.accuracy)
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil, accuracy == nil else {
                throw Problem("latitude and longitude belong together: set both or neither; accuracy needs both")
            }
            return nil
        }
        guard settings.value(MonitorSettings.locationSource) != "gpsd" else {
            throw Problem("a receiver of a mobile station has no place of its own: remove latitude and longitude")
        }
        guard let north = settings.value(MonitorSettings.latitude), let east = settings.value(MonitorSettings.longitude)
        else {
            throw Problem("its place needs the station’s: set station.latitude and station.longitude")
        }
        let place = Place(latitude: latitude, longitude: longitude, accuracy: accuracy)
        let station = Place(latitude: north, longitude: east)
        guard VenueReceiver.canStand(at: place, ofStationAt: station) else {
            throw Problem(
                "it is \(Int(place.distance(to: station))) m from the station, and \(Int(VenueReceiver.farthest)) m is the "
                    + "most: correct the places, or make it a station of its own")
        }
        return place
    }

    private static func key(_ path: String) throws(Problem) -> ProxyKey {
        let text: String
        do throws(SecretFile.Failure) {
            text = try SecretFile(path: path).text()
        } catch {
            switch error {
            case .exposed: throw Problem("others can read the key in \(path): chmod 600 \(path)")
            case .unreadable(let code):
                let reason = code.map { String(cString: strerror($0)) } ?? "it is empty"
                throw Problem("keyFile \(path) cannot be read: \(reason)")
            case .unsuitable: throw Problem("keyFile \(path) is not a file with a key")
            }
        }
        guard let key = ProxyKey(text) else {
            throw Problem(
                "\(path) is not the key of a proxy: copy the 44 characters of ‘api: encryption: key:’ from its settings"
            )
        }
        return key
    }
}
