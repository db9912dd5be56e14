import ArgumentParser
import Foundation
import HTTPClient
import Logging
import MissingList
import Monitor
import MonitorConfiguration
import Presence
import RegistryAPI
import RegistryClient
import Scanning
import ServiceLifecycle
import Settings
import UnixSignals

/// The parts of a monitor, made from its settings and wired to each other.
struct MonitorParts {
    private let settings: ProgramSettings
    private let presence: PresenceConfiguration
    private let place: Place?
    private let outbox: Outbox
    private let listSync: ListSync
    private let list = CurrentList()
    private let signal = ReportSignal()
    private let reporter: Reporter
    private let logger: Logger

    init(_ settings: ProgramSettings) throws(MonitorFailure) {
        self.settings = settings
        var logger = Logger(label: "findmybike-monitor") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = settings.value(MonitorSettings.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? .info
        self.logger = logger
        let folder = settings.value(MonitorSettings.stateFolder) ?? ""
        do {
            presence = try Self.presence(settings)
            place = try Self.place(settings)
            outbox = try Outbox(path: "\(folder)/outbox.sqlite")
            let token = try Self.token(settings)
            listSync = ListSync(
                registry: try Self.connect(settings, token, responseLimit: 64 << 20),
                list: list,
                path: "\(folder)/missing-list",
                wait: .seconds(settings.value(MonitorSettings.listWait) ?? 300),
                logger: logger
            )
            reporter = Reporter(
                outbox: outbox, registry: try Self.connect(settings, token), signal: signal, logger: logger)
        } catch let failure as MonitorFailure {
            throw failure
        } catch {
            throw MonitorFailure(78, "\(error)")
        }
    }

    /// Begins with the list of the last run; the registry's comes as soon as it can be reached.
    func restoreList() {
        listSync.restore()
    }

    /// Gets a missing list before a capture is played, which would otherwise be over before there is one.
    func fetchList() async throws {
        listSync.restore()
        do {
            try await listSync.refresh()
        } catch let error as RegistryError {
            guard list.identities.version != MissingIdentities.empty.version else {
                throw MonitorFailure(69, "there is no missing list yet, and \(error)")
            }
            logger.warning("starting with the missing list on disk", metadata: ["reason": "\(error)"])
        }
    }

    /// Listens until the source ends or the process is told to stop; then reports what is left.
    func run(_ playback: Playback) async throws {
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: reporter),
            .init(service: listSync),
            .init(
                service: loop(playback.scanner, playback.timeline), successTerminationBehavior: .gracefullyShutdownGroup
            ),
        ]
        let watchdog = watchdog(of: playback.radios).map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
        var configuration = ServiceGroupConfiguration(
            services: services + (watchdog.map { [$0] } ?? []), gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let failure as RadioFailure {
            throw MonitorFailure(RadioFailure.exitStatus, failure.description)
        }
        let left = try await outbox.depth()
        guard left == 0 else {
            throw MonitorFailure(
                75, "\(left) visits wait in the outbox for the registry: start the monitor again later")
        }
    }

    private func loop(_ scanner: some Scanning.Scanner, _ timeline: WallTimeline) -> any Service {
        ScanLoop(
            scanner: scanner, list: list, outbox: outbox, signal: signal, presence: presence, timeline: timeline,
            place: place, logger: logger
        )
    }

    private func watchdog(of radios: [any RadioScanner]) -> RadioWatchdog? {
        guard !radios.isEmpty else { return nil }
        let quiet = Duration.seconds(settings.value(MonitorSettings.radioQuietAfter) ?? 90)
        return RadioWatchdog(radios: radios, configuration: .init(quiet: quiet), logger: logger)
    }

    private static func presence(_ settings: ProgramSettings) throws -> PresenceConfiguration {
        try PresenceConfiguration(
            enterFrames: settings.value(MonitorSettings.enterFrames) ?? 2,
            enterWithin: .seconds(settings.value(MonitorSettings.enterWithin) ?? 10),
            lostAfter: .seconds(settings.value(MonitorSettings.lostAfter) ?? 180)
        )
    }

    private static func place(_ settings: ProgramSettings) throws -> Place? {
        let latitude = settings.value(MonitorSettings.latitude)
        let longitude = settings.value(MonitorSettings.longitude)
        guard let latitude, let longitude else {
            guard latitude == nil, longitude == nil else {
                throw MonitorFailure(78, "station.latitude and station.longitude belong together: set both or none")
            }
            return nil
        }
        return Place(latitude: latitude, longitude: longitude, accuracy: settings.value(MonitorSettings.accuracy))
    }

    private static func token(_ settings: ProgramSettings) throws -> String {
        let path = settings.value(MonitorSettings.tokenFile) ?? ""
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MonitorFailure(
                78, "the station’s token cannot be read from \(path): ‘findmybike station enrol’ makes one")
        }
        let token = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else { throw MonitorFailure(78, "\(path) is empty: write the station’s token into it") }
        return token
    }

    /// A connection of its own for each service, so that the list never delays a report.
    private static func connect(
        _ settings: ProgramSettings, _ token: String, responseLimit: Int = 4 << 20
    ) throws -> RegistryConnection {
        let configuration = HTTPConfiguration(
            responseLimit: responseLimit,
            userAgent: "findmybike-monitor/\(MonitorCommand.configuration.version)",
            certificateAuthorityFile: settings.value(MonitorSettings.certificateAuthority)
        )
        return try RegistryConnection(
            url: try settings.required(MonitorSettings.registryURL), token: token,
            http: try HTTPConnection(configuration)
        )
    }
}
