public import OperatingSystem
public import Settings
import Syntax

/// All settings of the monitor, for the monitor and for the command line. The text of each, which is for people, says here,
/// too, what it means.
public enum MonitorSettings {
    public static let registryURL = Setting.httpURL("registry.url", "The registry’s address.")
    public static let certificateAuthority = Setting.path(
        "registry.certificateAuthority",
        "PEM file of the authority behind the registry’s certificate, if it is not a public one."
    )
    public static let tokenFile = Setting.path(
        "station.tokenFile",
        default: "/etc/findmybike/station-token",
        "File with the station’s token, as ‘findmybike-monitor enrol’ writes it."
    )
    public static let latitude = Setting.number(
        "station.latitude", in: -90...90, unit: "degrees north", "Where the station is."
    )
    public static let longitude = Setting.number(
        "station.longitude", in: -180...180, unit: "degrees east", "Where the station is."
    )
    public static let accuracy = Setting.number(
        "station.accuracy", in: 0...10_000, unit: "metres", "The accuracy of the place."
    )
    public static let stateFolder = Setting.path(
        "state",
        default: "/var/lib/findmybike-monitor",
        "Folder for the outbox and the missing list; it must exist."
    )
    /// The value of `radio.backend` for a machine that listens only with receivers.
    public static let receiversOnly = "none"
    public static let radioBackend = Setting.choice(
        "radio.backend", of: ["bluez", "hci", "monitor-channel", receiversOnly], default: "bluez",
        "How to listen with this machine’s adapters: through bluetoothd, on a raw socket, to what other programs scan, "
            + "or not at all, with receivers only."
    )
    public static let radioAdapters = Setting.text(
        "radio.adapters", form: "names separated by commas, as in hci0,hci1",
        "The adapters to listen with; if not set, all adapters, including those plugged in later."
    )
    public static let radioPower = Setting.flag(
        "radio.power", default: true, "Whether to switch on an adapter that is off (bluez only)."
    )
    public static let radioQuietAfter = Setting.integer(
        "radio.quietAfter", in: 10...3600, unit: "seconds", default: 90,
        "How long the radio may hear nothing at all before the monitor restarts it."
    )
    public static let receivers = Setting.entries(
        "receivers", maximum: 64, example: #"{"name": "bar", "esphome": "192.168.1.30"}"#,
        "Other receivers in the venue’s network. Each has a name, and esphome: the address of a Bluetooth proxy, with "
            + "keyFile if it has a key, and takeBack: true if the monitor may take it back from another program; mqtt: the "
            + "topic of a gateway at the broker in mqtt.url; home-assistant: the URL of a Home Assistant whose adapters and "
            + "proxies are all receivers, with tokenFile, and certificateAuthority if its certificate is private; or source: "
            + "the Bluetooth address of one of those, to name it and give it a place. The owners of bikes see the name; and "
            + "the place, if latitude, longitude and accuracy give it."
    )
    public static let listWait = Setting.integer(
        "list.wait", in: 1...900, unit: "seconds", default: 50,
        "How long the registry may wait for a change of the missing list before it answers."
    )
    public static let listMaximum = Setting.integer(
        "list.maximumEntries", in: 1000...50_000_000, unit: "entries", default: 8_000_000,
        "Longest missing list accepted, at 3 bytes of memory per entry; a longer one is ignored."
    )
    public static let enterFrames = Setting.integer(
        "presence.enterFrames", in: 1...16, unit: "frames", default: 1,
        "How many frames begin a visit; with more than one, bikes that roll past are lost."
    )
    public static let enterWithin = Setting.integer(
        "presence.enterWithin", in: 1...3600, unit: "seconds", default: 10,
        "The time within which these frames must be heard."
    )
    public static let lostAfter = Setting.integer(
        "presence.lostAfter", in: 10...86_400, unit: "seconds", default: 180,
        "How long a beacon must be silent for its visit to end."
    )
    public static let report = Setting.choice(
        "report", of: ["always", "ask", "never"], default: "always",
        "Whether visits are reported: always, once someone at the venue agrees, or never."
    )
    public static let partners = Setting.flag(
        "partners", default: true,
        "Whether partner registries get the visits of their missing bikes; ‘findmybike venue status’ names them."
    )
    public static let locationSource = Setting.choice(
        "location.source", of: ["station", "gpsd"], default: "station",
        "Where positions come from: the station’s own place, set here or when enrolled, or a receiver."
    )
    public static let gpsd = Setting.text(
        "location.gpsd", default: "localhost:2947", form: "host:port", "The gpsd to ask, with location.source gpsd."
    )
    public static let maximumAge = Setting.integer(
        "location.maximumAge", in: 1...86_400, unit: "seconds", default: 60, "How long a position from gpsd counts."
    )
    public static let withoutFix = Setting.choice(
        "location.withoutFix", of: ["wait", "enrolled", "refuse"], default: "wait",
        "What happens to a visit without a position from gpsd: it waits, uses the enrolled place, or is refused."
    )
    public static let clockTrusted = Setting.flag(
        "clock.trusted", default: false,
        "Whether to trust the clock even if the kernel does not: it has a battery, or the machine is virtual."
    )
    public static let maximumVisits = Setting.integer(
        "outbox.maximumVisits", in: 100...1_000_000, unit: "visits", default: 20_000,
        "How many visits are kept, of some 700 bytes each; after that, the oldest are merged, then dropped."
    )
    public static let statusSocket = Setting.path(
        "status.socket", default: "/run/findmybike-monitor/status.sock",
        "Unix socket for ‘findmybike venue’; its folder must exist."
    )
    public static let statusPort = Setting.integer(
        "status.port", in: 1...65_535, "Port on localhost that also shows the status, read-only."
    )
    public static let alarmContact = Setting.text(
        "alarm.contact", form: "name and number",
        "The person for staff to call when a missing bike is here; part of every alarm."
    )
    public static let alarmCommand = Setting.list(
        "alarm.command",
        "Program to run once for each alarm, without a shell: its absolute path, then its arguments."
    )
    public static let alarmTimeout = Setting.integer(
        "alarm.timeout", in: 1...300, unit: "seconds", default: 30,
        "How long the program may take before it and its child processes are killed."
    )
    public static let brokerURL = Setting<String>(
        "mqtt.url", form: "mqtt://host:port or mqtts://host:port",
        "The MQTT broker to send alarms and status to; if not set, none."
    ) { text in ["mqtt://", "mqtts://"].contains { text.begins(with: $0) && text != $0 } ? text : nil }
    public static let brokerAuthority = Setting.path(
        "mqtt.certificateAuthority",
        "PEM file of the authority behind the broker’s certificate, if it is not a public one."
    )
    public static let brokerUser = Setting.text("mqtt.user", "The user to log in as at the broker.")
    public static let brokerPassword = Setting.path("mqtt.passwordFile", "File with the broker’s password.")
    public static let brokerNode = Setting.text(
        "mqtt.node", form: "letters, digits, _ and -",
        "The station’s name in topics, unique among the broker’s stations; if not set, the machine’s name."
    )
    public static let brokerTopic = Setting.text(
        "mqtt.topic", default: "findmybike", form: "topic", "The prefix of all stations’ topics."
    )
    public static let brokerDiscovery = Setting.text(
        "mqtt.discovery", default: "homeassistant", form: "topic", "The prefix of Home Assistant’s discovery topics."
    )
    public static let brokerAnswers = Setting.flag(
        "mqtt.answers", default: false,
        "Whether staff may answer alarms through the broker. Anyone who can write to it can then answer."
    )
    public static let displayListen = Setting<String>(
        "display.listen", form: "address:port, as in 192.168.1.20:8090",
        "Where to serve displays in the venue’s network, without encryption, if the registry’s operator allows it; if not "
            + "set, nowhere."
    ) { Endpoint($0) == nil ? nil : $0 }
    public static let displayName = Setting.text(
        "display.name", form: "host name", "The name under which displays are opened, in addition to the address.")
    public static let displayGateway = Setting<String>(
        "display.gateway", form: "address, as in 172.30.32.2",
        "The only address that may open displays, without a code: a proxy whose users are logged in, such as Home "
            + "Assistant’s ingress; if not set, every screen needs a code."
    ) { NetworkAddress($0) == nil ? nil : $0 }
    public static let logLevel = Setting.choice(
        "log.level", of: ["trace", "debug", "info", "notice", "warning", "error"], default: "info",
        "The lowest level of messages to log."
    )

    /// All of them, in the order in which they are listed for people.
    public static let all: [any SettingDefinition] = [
        registryURL, certificateAuthority, tokenFile, latitude, longitude, accuracy, stateFolder, radioBackend,
        radioAdapters, radioPower, radioQuietAfter, receivers, listWait, listMaximum,
        enterFrames, enterWithin, lostAfter, report, partners, locationSource, gpsd, maximumAge, withoutFix,
        clockTrusted, maximumVisits, statusSocket, statusPort, alarmContact, alarmCommand, alarmTimeout, brokerURL,
        brokerAuthority, brokerUser, brokerPassword, brokerNode, brokerTopic, brokerDiscovery, brokerAnswers,
        displayListen, displayName, displayGateway, logLevel,
    ]
}

extension ProgramSettings {
    /// The file of the station's token: the one named in the settings, the one loaded by the service manager, or the
    /// default.
    public var stationToken: SecretFile {
        let path = value(MonitorSettings.tokenFile)
        guard !isSet(MonitorSettings.tokenFile) else { return SecretFile(path: path) }
        // The name in the unit's `LoadCredential=`.
        return SecretFile(path: credential("station-token") ?? path)
    }
}
