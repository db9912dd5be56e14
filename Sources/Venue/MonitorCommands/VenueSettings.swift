import CommandSupport
import Location
import Logging
import Monitor
import MonitorConfiguration
import RegistryAPI
import Settings
import StationStatus
import StatusSocket
import Syntax

/// The venue's settings: time, place, consent, and the addresses of the status server.
enum VenueSettings {
    /// What the settings say about the venue.
    ///
    /// - Parameter playing: the time line of what is played; nil for radios.
    static func venue(_ settings: ProgramSettings, playing: WallTimeline?) throws(CommandFailure) -> Venue {
        let clock = ClockSource.system(isTrusted: settings.value(MonitorSettings.clockTrusted))
        return Venue(
            clock: StationClock(clock, playing: playing), location: StationLocation(try location(settings)),
            receivers: playing == nil ? try ReceiverSettings(settings).named : [:],
            policy: ReportPolicy(rawValue: settings.value(MonitorSettings.report)) ?? .always,
            partners: PartnerStatus(isAllowed: settings.value(MonitorSettings.partners)),
            coverage: CoverageJournal(path: "\(settings.value(MonitorSettings.stateFolder))/coverage.json"))
    }

    /// Opens the outbox, and logs if a damaged one was set aside.
    static func outbox(
        _ settings: ProgramSettings, at path: String, _ logger: Logger
    ) throws(CommandFailure) -> Outbox {
        let before = Outbox.filesSetAside(beside: path)
        do {
            let limits = OutboxLimits(visits: settings.value(MonitorSettings.maximumVisits))
            let outbox = try Outbox(path: path, limits: limits)
            for file in Outbox.filesSetAside(beside: path) where !before.contains(file) {
                logger.error(
                    "the outbox was damaged: it was set aside, and its readable visits were kept",
                    metadata: ["file": "\(file)"])
            }
            return outbox
        } catch {
            throw CommandFailure(.ioError, error.description)
        }
    }

    /// The receiver of positions; nil for a fixed station.
    static func receiver(
        _ settings: ProgramSettings, _ venue: Venue, _ logger: Logger
    ) throws(CommandFailure) -> GPSDReceiver? {
        guard settings.value(MonitorSettings.locationSource) == "gpsd" else { return nil }
        let text = settings.value(MonitorSettings.gpsd)
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else {
            throw CommandFailure(
                .configuration, "location.gpsd is ‘\(text)’: write it as host:port, as in localhost:2947")
        }
        let host = text[..<colon].trimmingPrefix("[")
        return GPSDReceiver(host: String(host.ends(with: "]") ? host.dropLast() : host), port: port, logger: logger) {
            let place = Place(latitude: $0.latitude, longitude: $0.longitude, accuracy: $0.accuracy)
            venue.location.update(place, at: $1)
        }
    }

    /// The addresses at which the status is served.
    static func statusAddresses(_ settings: ProgramSettings) -> [StatusServer.Address] {
        let socket = StatusServer.Address.socket(path: settings.value(MonitorSettings.statusSocket))
        let port = settings.value(MonitorSettings.statusPort).map {
            StatusServer.Address.loopback(port: UInt16(clamping: $0))
        }
        return [socket] + (port.map { [$0] } ?? [])
    }

    /// Where the place of visits comes from.
    private static func location(_ settings: ProgramSettings) throws(CommandFailure) -> StationLocation.Source {
        let latitude = settings.value(MonitorSettings.latitude)
        let longitude = settings.value(MonitorSettings.longitude)
        guard settings.value(MonitorSettings.locationSource) != "gpsd" else {
            guard latitude == nil, longitude == nil else {
                throw CommandFailure(
                    .configuration,
                    "station.latitude and station.longitude are for a fixed station: remove them, or "
                        + "location.source gpsd")
            }
            let without = StationLocation.WithoutFix(rawValue: settings.value(MonitorSettings.withoutFix))
            return .receiver(without ?? .wait, maximumAge: .seconds(settings.value(MonitorSettings.maximumAge)))
        }
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else {
                throw CommandFailure(
                    .configuration, "station.latitude and station.longitude belong together: set both or neither")
            }
            return .enrolled
        }
        return .fixed(
            Place(latitude: latitude, longitude: longitude, accuracy: settings.value(MonitorSettings.accuracy)))
    }
}
