import DisplayServer
import Foundation
import Logging
import Monitor
import MonitorConfiguration
import OperatingSystem
import Settings
import StationStatus

/// The displays that this monitor serves itself, if its settings say where.
struct VenueDisplays {
    let register: DisplayRegister
    private let address: Endpoint
    private let names: [String]
    private let pictures: String?
    private let gateway: NetworkAddress?
    private let logger: Logger

    /// - Returns: nil if the settings name no address.
    init?(_ settings: ProgramSettings, _ venue: Venue, _ logger: Logger) {
        guard let address = settings.value(MonitorSettings.displayListen).flatMap(Endpoint.init) else { return nil }
        let name = settings.value(MonitorSettings.displayName)
        self.address = address
        self.logger = logger
        names = ["localhost"] + (name.map { [$0] } ?? [])
        gateway = settings.value(MonitorSettings.displayGateway).flatMap { NetworkAddress($0) }
        pictures = Self.origin(of: settings.value(MonitorSettings.registryURL))
        register = DisplayRegister(
            path: "\(settings.value(MonitorSettings.stateFolder))/displays.json",
            url: name.map { "http://\($0):\(address.port)" } ?? (address.isEveryAddress ? nil : "http://\(address)"),
            wallTime: { (venue.clock.wallTime, venue.clock.isCertain) }, logger: logger)
    }

    /// The server of the displays, which the monitor runs.
    ///
    /// - Parameter status: the status that people see behind a gateway, beside the displays.
    func server(_ source: any DisplaySource, status: any StatusSource) -> DisplayServer {
        let gateway = gateway.map { address in
            DisplayGateway(address) { (try? await status.report()).map { StatusText($0).topics } ?? [] }
        }
        return DisplayServer(
            address, names: names, pictures: pictures, gateway: gateway, register: register, source: source,
            logger: logger)
    }

    /// The scheme, host and port of an address.
    private static func origin(of address: String?) -> String? {
        guard let parts = address.flatMap({ URLComponents(string: $0) }), let scheme = parts.scheme,
            let host = parts.encodedHost, !host.isEmpty
        else { return nil }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }
}
