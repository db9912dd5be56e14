import ArgumentParser
import CommandSupport
import DisplayServer
import Foundation
import HTTPClient
import Location
import Logging
import MQTT
import MissingList
import Monitor
import MonitorConfiguration
import OperatingSystem
import Presence
import RegistryAPI
import RegistryClient
import Scanning
import ServiceLifecycle
import Settings
import Simulation
import StationStatus
import StatusSocket
import Systemd
import Terminal
import UnixSignals

/// The parts of a monitor, created from its settings and connected to each other.
struct MonitorParts {
    private let settings: ProgramSettings
    private let lock: StateFolderLock
    private let presence: PresenceConfiguration
    private let venue: Venue
    private let receiver: GPSDReceiver?
    private let upkeep: OutboxUpkeep
    /// The path of the outbox.
    private let path: String
    private let outbox: Outbox
    private let listSync: ListSync
    private let list = CurrentList()
    private let signal = WakeUp()
    private let alarms: VenueAlarms
    private let reporter: Reporter
    private let displays: VenueDisplays?
    /// The heartbeat's own connection.
    private let heartbeatConnection: RegistryConnection
    private let logger: Logger
    private let reload: SettingsReload

    /// - Parameters:
    ///   - playing: a capture or a scenario; nil for radios.
    ///   - reading: reads the settings again.
    init(
        _ settings: ProgramSettings, playing: Playback? = nil,
        reading: @escaping @Sendable () throws(SettingsError) -> ProgramSettings
    ) throws(CommandFailure) {
        try StartChecks(settings).pass()
        self.settings = settings
        let level = LogLevel(Self.logLevel(settings))
        let logger = Logger(label: "findmybike-monitor") {
            AdjustableLogHandler(LogLines(label: $0, level: .trace), by: level)
        }
        self.logger = logger
        reload = SettingsReload(
            of: MonitorSettings.all, since: settings, read: reading,
            apply: [MonitorSettings.logLevel.key: { level.value = Self.logLevel($0) }], logger: logger)
        let folder = settings.value(MonitorSettings.stateFolder)
        path = "\(folder)/outbox.sqlite"
        do {
            lock = try StateFolderLock(folder: folder)
            presence = try Self.presence(settings)
            venue = try VenueSettings.venue(settings, playing: playing?.timeline)
            receiver = try VenueSettings.receiver(settings, venue, logger)
            outbox = try VenueSettings.outbox(settings, at: path, logger)
            upkeep = OutboxUpkeep(outbox: outbox, venue: venue, signal: signal, logger: logger)
            let token = try Self.token(settings)
            let simulation = playing?.simulation
            let transport = simulation?.transport
            listSync = ListSync(
                registry: try Self.connect(
                    settings, token, transport, responseLimit: Self.listResponseLimit(settings)),
                list: list,
                path: "\(folder)/missing-list",
                wait: .seconds(settings.value(MonitorSettings.listWait)),
                limit: settings.value(MonitorSettings.listMaximum),
                logger: logger
            )
            alarms = try VenueAlarms(settings)
            displays = VenueDisplays(settings, venue, logger)
            let registry = try Self.connect(settings, token, transport)
            reporter = Reporter(
                outbox: outbox, registry: simulation?.listening(to: registry) ?? registry, signal: signal,
                venue: venue, alarms: alarms.duty(list), alarmStatus: alarms.status,
                clock: simulation?.clock ?? ContinuousClock(), logger: logger)
            heartbeatConnection = try Self.connect(settings, token, transport)
        } catch let failure as CommandFailure {
            throw failure
        } catch let failure as StateFolderLock.Failure {
            throw CommandFailure(.cannotCreate, "\(failure)")
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// Loads the list of the last run; the registry's list replaces it as soon as the registry can be reached.
    func restoreList() {
        listSync.restore()
    }

    /// Fetches a missing list before a capture is played, which could otherwise end before there is one.
    func fetchList() async throws {
        listSync.restore()
        do {
            try await listSync.refresh()
        } catch let error as RegistryError {
            guard list.identities.version != MissingIdentities.empty.version else {
                throw CommandFailure(.unavailable, "there is no missing list yet, and \(error)")
            }
            logger.warning("starting with the missing list on disk", metadata: ["reason": "\(error)"])
        }
    }

    /// Listens until the source ends or a signal stops the process; then reports the remaining visits.
    func run(_ playback: Playback) async throws {
        do {
            try await upkeep.prepare()
        } catch {
            throw CommandFailure(.ioError, "the outbox cannot be read: \(error)")
        }
        let watchdog = playback.radios.map(watchdog(of:))
        let radios: @Sendable () -> [any RadioScanner] = { playback.radios?.radios ?? [] }
        let staff = StaffAnswers(outbox: outbox, venue: venue, signal: signal)
        let (bells, broker) = alarms.services(staff, list: list, radios: radios, logger: logger)
        let source = MonitorStatusSource(
            version: MonitorCommand.configuration.version, staff: staff, outboxPath: path, reporting: reporter.status,
            list: list, listing: listSync.status, advice: alarms.advice, alarms: alarms.status,
            others: .init(
                radios: radios, watchdog: watchdog?.status, receiver: receiver.map(Self.state(of:)),
                broker: broker.map(Self.state(of:))))
        let screens = displays?.server(
            MonitorDisplaySource(
                staff: staff, list: list, listing: listSync.status, radios: radios, contact: alarms.advice.contact,
                isPlaying: playback.radios == nil), status: source)
        var services: [any Service] = [reload, reporter, listSync, upkeep, heartbeat(of: playback.radios)]
        if let receiver { services.append(receiver) }
        if let screens { services.append(screens) }
        services += bells + statusServers(source)
        if let watchdog { services.append(watchdog) }
        if let radios = playback.radios { services.append(ReceiverLog(radios: radios, logger: logger)) }
        if let arrivals = playback.arrivals { services.append(Newcomers(arrivals: arrivals, logger: logger)) }
        services += Supervision.services(playback.radios, venue.hearing)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) } + [
                .init(service: loop(playback.scanner, radios), successTerminationBehavior: .gracefullyShutdownGroup)
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        playback.simulation?.begin()
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let failure as RadioFailure {
            throw CommandFailure(.system, failure.description)
        } catch let error as OutboxError {
            throw CommandFailure(.ioError, error.description)
        }
    }

    /// Prints the results of a scenario, and fails if visits remain or the reports differ from the truth.
    func conclude(_ playback: Playback, _ output: OutputOptions) async throws {
        let summary = playback.simulation?.summary(list.identities, silence: presence.lostAfter)
        if playback.simulation != nil, summary == nil {
            logger.notice("stopped before the scenario’s end: not compared")
        }
        if let summary { try output.show(summary, lines: summary.lines) }
        try await checkNothingIsLeft()
        if summary?.comparison.isFaultless == false { throw ExitCode(1) }
    }

    /// Fails if visits still wait for the registry.
    private func checkNothingIsLeft() async throws {
        guard venue.policy != .never else { return }
        let left = try await outbox.depth()
        guard left == 0 else {
            throw CommandFailure(
                .temporaryFailure,
                "visits in the outbox that still wait for the registry: \(left); start the monitor again later")
        }
    }

    /// The service that listens with a scanner.
    private func loop(
        _ scanner: some Scanning.Scanner, _ radios: @escaping @Sendable () -> [any RadioScanner]
    ) -> any Service {
        ScanLoop(
            scanner: scanner, list: list, outbox: outbox, signal: signal, presence: presence, venue: venue,
            recoveries: {
                var count = 0
                for radio in radios() { count += await radio.radioHealth.recoveries.values.reduce(0, +) }
                return count
            }, logger: logger
        )
    }

    /// The service that sends the health of the radios; nil for none, as when something is played.
    private func heartbeat(of radios: RadioSet?) -> Heartbeat {
        Heartbeat(
            registry: heartbeatConnection,
            health: { [list, venue] in
                var health: [RadioHealth] = []
                for radio in radios?.radios ?? [] { health += await radio.wholeHealth }
                var heartbeat = StationHeartbeat(
                    version: MonitorCommand.configuration.version, radios: health,
                    listVersion: list.identities.version.number, now: BootClock().now
                )
                heartbeat.partners = venue.partners.isAllowed ? nil : false
                return heartbeat
            },
            coverage: venue.coverage,
            onReceipt: { [displays, venue] receipt in
                venue.partners.update(receipt?.partners ?? [])
                await displays?.register.update(receipt?.displays)
            },
            logger: logger
        )
    }

    /// A function that reads whether the receiver of positions has a fix.
    private static func state(of receiver: GPSDReceiver) -> @Sendable () -> MonitorStatusSource.Others.Link {
        {
            let state = receiver.state
            return .init(works: state.hasFix, lastError: state.lastError)
        }
    }

    /// A function that reads whether the broker is connected.
    private static func state(of broker: VenueBroker) -> @Sendable () -> MonitorStatusSource.Others.Link {
        {
            let state = broker.state
            return .init(works: state.isConnected, lastError: state.lastError)
        }
    }

    /// A server for each address in the settings.
    private func statusServers(_ source: MonitorStatusSource) -> [any Service] {
        VenueSettings.statusAddresses(settings).map {
            StatusServer($0, source: source, displays: displays?.register, logger: logger)
        }
    }

    /// The watchdog, which waits a third of the configured silence after its first step.
    private func watchdog(of radios: RadioSet) -> RadioWatchdog {
        let quiet = Duration.seconds(settings.value(MonitorSettings.radioQuietAfter))
        let ladder = WatchdogLadder.Configuration(quiet: quiet, firstWait: quiet / 3)
        return RadioWatchdog(radios: radios, configuration: ladder, logger: logger)
    }
}
