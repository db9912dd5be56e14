import Beacons
import CommandSupport
import ESPHome
import HomeAssistant
import MQTT
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import Scanning
import Settings
import Syntax

/// The receivers in the settings: Bluetooth proxies in the venue's network, gateways behind the venue's broker, and a
/// Home Assistant with its radios.
struct ReceiverSettings {
    /// What an entry describes.
    enum Receiver {
        /// A Bluetooth proxy of ESPHome.
        case proxy(ESPHomeScanner.Proxy)
        /// A gateway that publishes to this topic of the broker.
        case gateway(topic: String, broker: BrokerConfiguration)
        case homeAssistant(HomeAssistantSettings)
        /// An adapter or proxy of Home Assistant, by its Bluetooth address.
        case part(address: String)
    }

    /// An entry of the list, checked.
    private struct Entry {
        let name: String
        let place: Place?
        let receiver: Receiver

        /// The address of a proxy.
        var address: ProxyAddress? {
            if case .proxy(let proxy) = receiver { proxy.address } else { nil }
        }

        /// The address of a radio of Home Assistant.
        var part: String? {
            if case .part(let address) = receiver { address } else { nil }
        }

        var isHomeAssistant: Bool {
            if case .homeAssistant = receiver { true } else { false }
        }
    }

    private let receivers: [Entry]

    /// - Throws: all problems of the entries together.
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
                if case .homeAssistant = receiver, receivers.contains(where: \.isHomeAssistant) {
                    throw Problem("another entry has home-assistant: one is enough for all its adapters and proxies")
                }
                if case .part(let address) = receiver, let other = receivers.first(where: { $0.part == address }) {
                    throw Problem("‘\(other.name)’ has the same source: remove one of them")
                }
                receivers.append(Entry(name: name, place: try Self.place(entry, settings), receiver: receiver))
            } catch {
                let name = entry["name"].map { " (‘\($0)’)" } ?? ""
                problems.append("receivers: entry \(index + 1)\(name): \(error.text)")
            }
        }
        if problems.isEmpty, !receivers.contains(where: \.isHomeAssistant),
            let part = receivers.first(where: { $0.part != nil })
        {
            problems.append("receivers: ‘\(part.name)’ has a source, which needs an entry with home-assistant: add one")
        }
        if settings.value(MonitorSettings.radioBackend) == MonitorSettings.receiversOnly, receivers.isEmpty,
            problems.isEmpty
        {
            problems.append("radio.backend is none, so nothing could be heard: set receivers, or another radio.backend")
        }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        self.receivers = receivers
    }

    /// A scanner for each receiver, in the order of the settings. One for a Home Assistant has all its radios.
    var scanners: [any RadioScanner] {
        let parts = receivers.compactMap { entry in entry.part.map { ($0, entry.name) } }
        return receivers.compactMap { entry in
            switch entry.receiver {
            case .proxy(let proxy): ESPHomeScanner(proxy)
            case .gateway(let topic, let broker): GatewayScanner(name: entry.name, topic: topic, broker: broker)
            case .homeAssistant(let server):
                HomeAssistantScanner(
                    server.server(
                        entry.name, parts: Dictionary(parts, uniquingKeysWith: { first, _ in first }),
                        others: Set(receivers.map(\.name))))
            case .part: nil
            }
        }
    }

    /// A receiver and its place in the network.
    struct Source: Sendable {
        let name: String
        /// The address of a proxy, the topic of a gateway, the URL of a Home Assistant, or the address of its radio.
        let place: String
        /// Only for a proxy.
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
            case .homeAssistant(let server): Source(name: entry.name, place: "\(server.address)", address: nil)
            case .part(let address):
                Source(name: entry.name, place: "\(address) through Home Assistant", address: nil)
            }
        }
    }

    /// The receivers as visits name them.
    var named: [String: VenueReceiver] {
        Dictionary(
            receivers.map { ($0.name, VenueReceiver(name: $0.name, place: $0.place)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What is wrong with an entry, in words.
    struct Problem: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }
}
