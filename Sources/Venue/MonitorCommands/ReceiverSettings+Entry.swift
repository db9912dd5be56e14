import Beacons
import ESPHome
import HomeAssistant
import MQTT
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import Settings
import Syntax

// One entry of the list of receivers.
extension ReceiverSettings {
    /// All keys that an entry may have.
    private static let fields: Set = [
        "name", "esphome", "keyFile", "takeBack", "mqtt", "home-assistant", "tokenFile", "certificateAuthority",
        "source", "latitude", "longitude", "accuracy",
    ]
    /// The keys that only one kind of entry has.
    private static let ownFields = [
        "esphome": ["keyFile", "takeBack"], "mqtt": [], "home-assistant": ["tokenFile", "certificateAuthority"],
        "source": [],
    ]

    /// The receiver that an entry describes.
    ///
    /// - Parameter broker: the venue's broker; nil if none is set.
    static func receiver(
        _ name: String, _ entry: [String: String], _ settings: ProgramSettings, _ broker: BrokerSettings?
    ) throws(Problem) -> Receiver {
        if let stranger = entry.keys.sorted().first(where: { !fields.contains($0) }) {
            throw Problem(
                "unknown key ‘\(stranger)’: expected name; esphome with keyFile and takeBack, mqtt, home-assistant with "
                    + "tokenFile and certificateAuthority, or source; latitude, longitude, accuracy"
            )
        }
        let kinds = ownFields.keys.filter { entry[$0] != nil }.sorted()
        guard let kind = kinds.first, let value = entry[kind] else {
            throw Problem(
                "set esphome to a proxy’s address, as in 192.168.1.30, mqtt to a gateway’s topic, or home-assistant to its "
                    + "URL")
        }
        guard kinds.count == 1 else {
            throw Problem("this entry has both \(kinds.joined(separator: " and ")): make two entries")
        }
        for (other, keys) in ownFields.sorted(by: { $0.key < $1.key }) where other != kind {
            for key in keys where entry[key] != nil { throw Problem("\(key) is for \(other): remove it") }
        }
        switch kind {
        case "esphome": return .proxy(try proxy(name, value, entry, settings))
        case "mqtt": return try gateway(name, value, broker)
        case "home-assistant": return .homeAssistant(try homeAssistant(name, value, entry, settings))
        default: return .part(address: try part(value))
        }
    }

    /// A proxy at the address in an entry.
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

    /// A gateway that publishes to the topic in an entry.
    private static func gateway(
        _ name: String, _ topic: String, _ broker: BrokerSettings?
    ) throws(Problem) -> Receiver {
        guard GatewayScanner.isTopic(topic) else {
            throw Problem("mqtt is ‘\(topic)’: write the gateway’s topic, as in home/bar/BTtoMQTT/#")
        }
        guard let broker else { throw Problem("mqtt needs a broker: set mqtt.url") }
        return .gateway(topic: topic, broker: broker.receiver(name))
    }

    /// The Home Assistant at the URL in an entry, whose token must be readable now.
    private static func homeAssistant(
        _ name: String, _ text: String, _ entry: [String: String], _ settings: ProgramSettings
    ) throws(Problem) -> HomeAssistantSettings {
        guard let address = HomeAssistantAddress(text) else {
            throw Problem("home-assistant is ‘\(text)’: write its URL, as in http://192.168.1.20:8123")
        }
        guard name.utf8.count <= 16, !name.utf8.contains(UInt8(ascii: ".")) else {
            throw Problem(
                "the names of its adapters and proxies begin with this one: use at most 16 characters without .")
        }
        guard entry["latitude"] == nil, entry["longitude"] == nil else {
            throw Problem("give the place to an adapter or proxy of Home Assistant: make an entry with source")
        }
        guard settings.value(MonitorSettings.lostAfter) >= HomeAssistantSettings.shortestStay else {
            throw Problem(
                "through Home Assistant a beacon is heard every 30 s: set presence.lostAfter to at least "
                    + "\(HomeAssistantSettings.shortestStay)")
        }
        guard let path = entry["tokenFile"] else {
            throw Problem("tokenFile is missing: write a long-lived access token of an administrator into a file")
        }
        let server = HomeAssistantSettings(
            address: address, tokenFile: settings.resolved(path),
            certificateAuthority: entry["certificateAuthority"].map { settings.resolved($0) })
        if case .failure(let error) = server.token() { throw Problem("\(error)") }
        return server
    }

    /// An address as Home Assistant shows it, in upper case.
    private static func part(_ text: String) throws(Problem) -> String {
        guard let address = BluetoothAddress(text)?.description, address == text.uppercased() else {
            throw Problem(
                "source is ‘\(text)’: write the Bluetooth address of an adapter or proxy of Home Assistant, as in "
                    + "AA:BB:CC:DD:EE:FF")
        }
        return address
    }

    /// The name of an entry. Adapters' names are reserved, and the registry accepts 32 characters.
    static func name(_ text: String?) throws(Problem) -> String {
        guard let text else { throw Problem("name is missing: say where the receiver is, as in bar") }
        guard VenueReceiver.isName(text) else {
            throw Problem(
                "use at most 32 of A to Z, a to z, 0 to 9, ., _ and - for its name, without spaces and accents; it "
                    + "must not begin with hci")
        }
        return text
    }

    /// The place of a receiver, which must be near its station's.
    static func place(
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

    /// The key of a proxy in a file.
    private static func key(_ path: String) throws(Problem) -> ProxyKey {
        let text: String
        do throws(SecretFile.Failure) {
            text = try SecretFile(path: path).text()
        } catch {
            throw Problem(error.remedy(for: "keyFile", path, "a key"))
        }
        guard let key = ProxyKey(text) else {
            throw Problem(
                "\(path) is not the key of a proxy: copy the 44 characters of ‘api: encryption: key:’ from its settings"
            )
        }
        return key
    }
}
