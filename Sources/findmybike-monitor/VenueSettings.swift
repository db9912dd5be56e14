import Location
import Logging
import Monitor
import MonitorConfiguration
import MonitorStatus
import RegistryAPI
import Settings
import VenueStatus

/// What the settings say of the venue: time, place, consent, and where the status is shown.
enum VenueSettings {
    static func venue(_ settings: ProgramSettings, playing: WallTimeline?) throws(MonitorFailure) -> Venue {
        let clock = ClockSource.system(isTrusted: settings.value(MonitorSettings.clockTrusted) ?? false)
        return Venue(
            clock: StationClock(clock, playing: playing), location: StationLocation(try location(settings)),
            policy: settings.value(MonitorSettings.report).flatMap(ReportPolicy.init(rawValue:)) ?? .always)
    }

    static func outbox(
        _ settings: ProgramSettings, at path: String, _ logger: Logger
    ) throws(MonitorFailure) -> Outbox {
        let before = Outbox.filesSetAside(beside: path)
        do {
            let limits = OutboxLimits(visits: settings.value(MonitorSettings.maximumVisits) ?? 20_000)
            let outbox = try Outbox(path: path, limits: limits)
            for file in Outbox.filesSetAside(beside: path) where !before.contains(file) {
                logger.error(
                    "the outbox was damaged: it is set aside, and what could be read of it is kept",
                    metadata: ["file": "\(file)"])
            }
            return outbox
        } catch {
            throw MonitorFailure(74, error.description)
        }
    }

    static func receiver(
        _ settings: ProgramSettings, _ venue: Venue, _ logger: Logger
    ) throws(MonitorFailure) -> GPSDReceiver? {
        guard settings.value(MonitorSettings.locationSource) == "gpsd" else { return nil }
        let text = settings.value(MonitorSettings.gpsd) ?? ""
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else { throw MonitorFailure(78, "location.gpsd is ‘\(text)’: write it as host:port, as in localhost:2947") }
        let host = text[..<colon].trimmingPrefix("[")
        return GPSDReceiver(host: String(host.hasSuffix("]") ? host.dropLast() : host), port: port, logger: logger) {
            let place = Place(latitude: $0.latitude, longitude: $0.longitude, accuracy: $0.accuracy)
            venue.location.update(place, at: $1)
        }
    }

    static func statusAddresses(_ settings: ProgramSettings) -> [StatusServer.Address] {
        let socket = settings.value(MonitorSettings.statusSocket).map { StatusServer.Address.socket(path: $0) }
        let port = settings.value(MonitorSettings.statusPort).map {
            StatusServer.Address.loopback(port: UInt16(clamping: $0))
        }
        return [socket, port].compactMap(\.self)
    }

    private static func location(_ settings: ProgramSettings) throws(MonitorFailure) -> StationLocation.Source {
        let latitude = settings.value(MonitorSettings.latitude)
        let longitude = settings.value(MonitorSettings.longitude)
        guard settings.value(MonitorSettings.locationSource) != "gpsd" else {
            guard latitude == nil, longitude == nil else {
                throw MonitorFailure(
                    78,
                    "station.latitude and station.longitude are for a station that stays: remove them, or "
                        + "location.source gpsd")
            }
            let without = settings.value(MonitorSettings.withoutFix).flatMap(StationLocation.WithoutFix.init(rawValue:))
            return .receiver(
                without ?? .wait, maximumAge: .seconds(settings.value(MonitorSettings.maximumAge) ?? 60))
        }
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else {
                throw MonitorFailure(78, "station.latitude and station.longitude belong together: set both or none")
            }
            return .enrolled
        }
        return .fixed(
            Place(latitude: latitude, longitude: longitude, accuracy: settings.value(MonitorSettings.accuracy)))
    }
}
