import ArgumentParser
import CommandSupport
import ESPHome
import Foundation
import MonitorConfiguration
import RegistryAPI
import Settings
import Terminal

/// `findmybike receivers`: looks for Bluetooth proxies in the venue's network.
struct ReceiversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receivers",
        abstract: "Find ESPHome devices in this network that the monitor may listen through.",
        discussion: """
            Asks the network for three seconds, by multicast DNS over IPv4, and shows the lines for the monitor’s settings.
            Only a connection shows whether a device is a Bluetooth proxy.
              findmybike receivers
              sudo findmybike receivers --config /etc/findmybike/monitor.yaml
            """
    )

    @OptionGroup var options: StationOptions

    func run() async throws {
        // Everyone may look, but not everyone may read the monitor's settings.
        let settings = options.config == nil ? try? options.settings() : try options.settings()
        let configured = settings?.value(MonitorSettings.receivers) ?? []
        let found: [FoundDevice]
        do {
            found = try await Progress.during("asking the network") { try await DeviceBrowser().search() }
        } catch let failure as DeviceBrowser.Failure {
            throw CommandFailure(.unavailable, "\(failure)")
        }
        let devices = found.map { Device($0, configured) }
        if options.format.json { return try devices.forEach { try Output.json($0) } }
        guard !devices.isEmpty else {
            return Output.line(
                "No ESPHome device answered. Devices in another network or VLAN cannot be found in this way: write their "
                    + "addresses into the settings.")
        }
        Output.table(
            ["NAME", "TITLE", "ADDRESS", "KEY", "IN THE SETTINGS"],
            devices.map { [$0.name, $0.title ?? "", $0.address, $0.needsKey ? "needed" : "none", $0.receiver ?? "no"] })
        let new = devices.filter { $0.receiver == nil }
        if !new.isEmpty { Self.printSettings(for: new) }
    }

    /// Prints lines for the settings file. A device whose name cannot be a receiver's, or is taken, gets another.
    private static func printSettings(for devices: [Device]) {
        Output.line("")
        Output.line("For the monitor’s settings; leave out devices that are no Bluetooth proxies:")
        Output.line("receivers:")
        var names: Set<String> = []
        for (index, device) in devices.enumerated() {
            let isFree = VenueReceiver.isName(device.name) && names.insert(device.name).inserted
            let name = isFree ? device.name : "receiver\(index + 1)"
            Output.line("  - name: \(name)")
            Output.line("    esphome: \(device.address)")
            if device.needsKey { Output.line("    keyFile: /etc/findmybike/\(name).key") }
        }
    }

    /// A found device, and its entry in the settings.
    struct Device: Encodable {
        let name: String
        /// The name for people; nil if the device has none.
        let title: String?
        /// Where it can be reached, with a port only if it is not the usual one.
        let address: String
        let host: String
        /// Whether the conversation with it is encrypted.
        let needsKey: Bool
        /// The name of the receiver in the settings; nil if it is not in them.
        let receiver: String?

        init(_ device: FoundDevice, _ configured: [[String: String]]) {
            name = device.name
            title = device.title
            let place = device.reachedAt
            address = place.port == ProxyAddress.standardPort ? place.host : "\(place)"
            host = device.host
            needsKey = device.needsKey
            let entry = configured.first { entry in
                guard let address = entry["esphome"].flatMap({ ProxyAddress($0) }) else { return false }
                return device.isAt(address)
            }
            receiver = entry?["name"]
        }
    }
}
