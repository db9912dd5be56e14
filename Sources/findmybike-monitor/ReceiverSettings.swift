import CommandLines
import ESPHome
import Files
import Glibc
import MonitorConfiguration
import Scanning
import Settings

/// The receivers in the settings: Bluetooth proxies in the venue's network.
struct ReceiverSettings {
    /// The value of `radio.backend` for a machine that listens only with receivers.
    static let only = "none"
    private static let fields: Set = ["name", "esphome", "keyFile"]

    private let proxies: [ESPHomeScanner.Proxy]

    init(_ settings: ProgramSettings) throws(CommandFailure) {
        var problems: [String] = []
        var proxies: [ESPHomeScanner.Proxy] = []
        for (index, entry) in (settings.value(MonitorSettings.receivers) ?? []).enumerated() {
            do throws(Problem) {
                let proxy = try Self.proxy(entry, settings)
                guard !proxies.contains(where: { $0.name == proxy.name }) else {
                    throw Problem("another receiver has this name: each needs its own")
                }
                proxies.append(proxy)
            } catch {
                let name = entry["name"].map { " (‘\($0)’)" } ?? ""
                problems.append("receivers: entry \(index + 1)\(name): \(error.text)")
            }
        }
        if settings.value(MonitorSettings.radioBackend) == Self.only, proxies.isEmpty, problems.isEmpty {
            problems.append("radio.backend is none, so nothing could be heard: set receivers, or another radio.backend")
        }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        self.proxies = proxies
    }

    var scanners: [any RadioScanner] { proxies.map { ESPHomeScanner($0) } }

    private struct Problem: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private static func proxy(
        _ entry: [String: String], _ settings: ProgramSettings
    ) throws(Problem) -> ESPHomeScanner.Proxy {
        if let stranger = entry.keys.sorted().first(where: { !fields.contains($0) }) {
            throw Problem("unknown key ‘\(stranger)’: expected name, esphome and keyFile")
        }
        let name = try Self.name(entry["name"])
        guard let text = entry["esphome"] else {
            throw Problem("esphome is missing: set it to the proxy’s address, as in 192.168.1.30")
        }
        guard let address = ProxyAddress(text) else {
            throw Problem("esphome is ‘\(text)’: write it as host or host:port, as in 192.168.1.30")
        }
        let key = try entry["keyFile"].map { path throws(Problem) in try Self.key(settings.resolved(path)) }
        return ESPHomeScanner.Proxy(
            name: name, address: address, key: key, client: "findmybike-monitor \(ProductVersion.current)")
    }

    /// Names of adapters are not free, and the registry takes 32 characters.
    private static func name(_ text: String?) throws(Problem) -> String {
        guard let text else { throw Problem("name is missing: say where the receiver is, as in bar") }
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        guard (1...32).contains(text.unicodeScalars.count), isPlain, !text.hasPrefix("hci") else {
            throw Problem("use at most 32 letters, digits, ., _ and - for its name, which must not begin with hci")
        }
        return text
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
            }
        }
        guard let key = ProxyKey(text) else {
            throw Problem(
                "\(path) is not the key of a proxy: copy the 44 characters of ‘api: encryption: key:’ from its settings")
        }
        return key
    }
}
