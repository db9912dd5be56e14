import DisplayServer
import Foundation
import Logging
import Monitor
import MonitorConfiguration
import NetworkAddresses
import Settings
import VenueStatus

/// The displays that this monitor serves itself, if its settings say where.
struct VenueDisplays {
    let register: DisplayRegister
    private let address: Endpoint
    private let names: [String]
    private let pictures: String?
    private let logger: Logger

    /// - Returns: nil if the settings name no address.
    init?(_ settings: ProgramSettings, _ venue: Venue, _ logger: Logger) {
        guard let address = settings.value(MonitorSettings.displayListen).flatMap(Endpoint.init) else { return nil }
        let name = settings.value(MonitorSettings.displayName)
        self.address = address
        self.logger = logger
        names = ["localhost"] + (name.map { [$0] } ?? [])
        pictures = Self.origin(of: settings.value(MonitorSettings.registryURL))
        register = DisplayRegister(
            path: "\(settings.value(MonitorSettings.stateFolder))/displays.json",
            url: name.map { "http://\($0):\(address.port)" } ?? (address.isEveryAddress ? nil : "http://\(address)"),
            wallTime: { (venue.clock.wallTime, venue.clock.isCertain) }, logger: logger)
    }

    func server(_ source: any DisplaySource) -> DisplayServer {
        DisplayServer(
            address, names: names, pictures: pictures, register: register, source: source, logger: logger)
    }

    /// The scheme, host and port of an address.
    private static func origin(of address: String?) -> String? {
        guard let parts = address.flatMap({ URLComponents(string: $0) }), let scheme = parts.scheme,
            let host = parts.encodedHost, !host.isEmpty
        else { return nil }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }
}
