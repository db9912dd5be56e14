import ArgumentParser
import Foundation
import HTTPClient
import Location
import Logging
import MemoryFootprint
import MissingList
import Monitor
import MonitorConfiguration
import MonitorStatus
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
    private let venue: Venue
    private let receiver: GPSDReceiver?
    private let upkeep: OutboxUpkeep
    private let path: String
    private let outbox: Outbox
    private let listSync: ListSync
    private let list = CurrentList()
    private let signal = ReportSignal()
    private let reporter: Reporter
    private let heartbeatConnection: RegistryConnection
    private let logger: Logger

    /// - Parameter playing: the wall time of what is played; nil where radios are listened to.
    init(_ settings: ProgramSettings, playing: WallTimeline? = nil) throws(MonitorFailure) {
        self.settings = settings
        var logger = Logger(label: "findmybike-monitor") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = settings.value(MonitorSettings.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? .info
        self.logger = logger
        let folder = settings.value(MonitorSettings.stateFolder) ?? ""
        path = "\(folder)/outbox.sqlite"
        do {
            presence = try Self.presence(settings)
            venue = try VenueSettings.venue(settings, playing: playing)
            receiver = try VenueSettings.receiver(settings, venue, logger)
            outbox = try VenueSettings.outbox(settings, at: path, logger)
            upkeep = OutboxUpkeep(outbox: outbox, venue: venue, signal: signal, logger: logger)
            let token = try Self.token(settings)
            listSync = ListSync(
                registry: try Self.connect(settings, token, responseLimit: 64 << 20),
                list: list,
                path: "\(folder)/missing-list",
                wait: .seconds(settings.value(MonitorSettings.listWait) ?? 300),
                logger: logger
            )
            reporter = Reporter(
                outbox: outbox, registry: try Self.connect(settings, token), signal: signal, venue: venue,
                logger: logger)
            heartbeatConnection = try Self.connect(settings, token)
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
        do {
            try await upkeep.prepare()
        } catch {
            throw MonitorFailure(74, "the outbox cannot be read: \(error)")
        }
        let watchdog = playback.radios.map(watchdog(of:))
        let services: [any Service] =
            [reporter, listSync, upkeep, ProgramPages(), heartbeat(of: playback.radios)]
            + (receiver.map { [$0] } ?? [])
            + statusServers(playback.radios, watchdog?.status) + (watchdog.map { [$0] } ?? [])
            + (playback.arrivals.map { [Newcomers(arrivals: $0, logger: logger)] } ?? [])
            + Supervision.services(playback.radios, venue.hearing)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) } + [
                .init(service: loop(playback.scanner), successTerminationBehavior: .gracefullyShutdownGroup)
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let failure as RadioFailure {
            throw MonitorFailure(RadioFailure.exitStatus, failure.description)
        } catch let error as OutboxError {
            throw MonitorFailure(74, error.description)
        }
        guard venue.policy != .never else { return }
        let left = try await outbox.depth()
        guard left == 0 else {
            throw MonitorFailure(
                75, "\(left) visits wait in the outbox for the registry: start the monitor again later")
        }
    }

    private func loop(_ scanner: some Scanning.Scanner) -> any Service {
        ScanLoop(
            scanner: scanner, list: list, outbox: outbox, signal: signal, presence: presence, venue: venue,
            logger: logger
        )
    }

    private func heartbeat(of radios: RadioSet?) -> Heartbeat {
        Heartbeat(
            registry: heartbeatConnection,
            health: { [list] in
                var health: [RadioHealth] = []
                for radio in radios?.radios ?? [] { health.append(await radio.radioHealth) }
                return StationHeartbeat(
                    version: MonitorCommand.configuration.version, radios: health,
                    listVersion: list.identities.version.number, now: BootClock().now
                )
            },
            logger: logger
        )
    }

    private func statusServers(_ radios: RadioSet?, _ watchdog: WatchdogStatus?) -> [any Service] {
        let source = MonitorStatusSource(
            venue: venue, outbox: outbox, outboxPath: path, reporting: reporter.status, list: list, signal: signal,
            receiver: receiver, radios: { radios?.radios ?? [] }, watchdog: watchdog)
        return VenueSettings.statusAddresses(settings).map { StatusServer($0, source: source, logger: logger) }
    }

    private func watchdog(of radios: RadioSet) -> RadioWatchdog {
        let quiet = Duration.seconds(settings.value(MonitorSettings.radioQuietAfter) ?? 90)
        let ladder = WatchdogLadder.Configuration(quiet: quiet, firstWait: quiet / 3)
        return RadioWatchdog(radios: radios, configuration: ladder, logger: logger)
    }

    private static func presence(_ settings: ProgramSettings) throws -> PresenceConfiguration {
        try PresenceConfiguration(
            enterFrames: settings.value(MonitorSettings.enterFrames) ?? 2,
            enterWithin: .seconds(settings.value(MonitorSettings.enterWithin) ?? 10),
            lostAfter: .seconds(settings.value(MonitorSettings.lostAfter) ?? 180)
        )
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
