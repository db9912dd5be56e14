import ArgumentParser
import CommandSupport
import Evidence
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import OperatingSystem
import Operations
import PartnerClient
import PhotoFiles
import RegistryAPI
import RegistryHTTP
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import RegistrySQLite
import ServiceLifecycle
import Settings
import Syntax
import Systemd
import Terminal
import UnixSignals

/// `findmybike-registry serve`: the service, until SIGTERM.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the registry: answer requests and deliver alerts (the default).",
        discussion: "  findmybike-registry serve --config /etc/findmybike/registry.yaml"
    )

    @OptionGroup var options: SettingsOptions

    @Option(name: .long, help: ArgumentHelp("Where to listen; port 0 takes any free port.", valueName: "address:port"))
    var listen: String?

    @Flag(name: .long, help: "Check the settings and exit.")
    var checkConfig = false

    func run() async throws {
        let reading = options.reading(listen.map { [RegistrySettings.listen.key: $0] } ?? [:])
        let settings = try reading()
        if checkConfig { return try await checkSettings(settings) }
        let level = LogLevel(Self.logLevel(settings))
        let handler: @Sendable (String) -> any LogHandler = {
            AdjustableLogHandler(LogLines(label: $0, level: .trace), by: level)
        }
        let logger = Logger(label: "findmybike-registry", factory: handler)
        let ownsProcess = ExecutionEnvironment.current.ownsProcess
        // The libraries’ own loggers.
        if ownsProcess { LoggingSystem.bootstrap(handler) }
        let parts = try RegistryParts(settings) { logger.info("\($0)") }
        for warning in parts.warnings { logger.warning("\(warning)") }
        if !SQLiteLibrary.configure() { logger.warning("SQLite was used before it was set up: it is slower") }
        let reload = SettingsReload(
            of: RegistrySettings.all, since: settings, read: reading,
            apply: [RegistrySettings.logLevel.key: { level.value = Self.logLevel($0) }], logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [reload] + (try await Self.services(settings, parts, logger)),
            gracefulShutdownSignals: ownsProcess ? [.sigterm, .sigint] : [],
            logger: logger
        )
        // The end of the audit is signed, and the database is closed, after the time for all others.
        configuration.maximumGracefulShutdownDuration = .seconds(
            settings.value(RegistrySettings.drainTimeout) + Self.closingSeconds)
        let group = ServiceGroup(configuration: configuration)
        try await group.run()
        logger.info("stopped")
    }

    /// How long it may take to sign the end of the audit and to close the database.
    private static let closingSeconds = 5

    /// `--check-config`: reports everything that would prevent a start, and prints warnings.
    private func checkSettings(_ settings: ProgramSettings) async throws {
        let parts = try RegistryParts(settings)
        SettingsOptions.warn(of: settings)
        let logger = Logger(label: "findmybike-registry") { _ in SwiftLogNoOpLogHandler() }
        let others = [
            parts.server.tls?.warning(at: .now), parts.channels.warning, try await parts.map.warning(logger),
        ]
        for warning in parts.warnings + others.compactMap(\.self) {
            Output.remark("warning: \(warning)")
        }
        Output.line("The settings are valid.")
        if let findings = parts.databaseFindings { Output.line(findings) }
    }

    /// The services in order of dependency. Services that get work from others come first, since they end last: at
    /// shutdown the server stops accepting sightings before the dispatcher ends, the end of the audit is signed when
    /// nothing more is appended, and the database is closed last.
    ///
    /// - Parameters:
    ///   - parts: what the same settings determine.
    ///   - converter: converts photos; by default, it starts this program.
    static func services(
        _ settings: ProgramSettings, _ parts: RegistryParts, converter: IsolatedConverter = IsolatedConverter(),
        _ logger: Logger
    ) async throws -> [any Service] {
        await warnOfUselessConverter(converter, logger)
        let database = try await RegistryDatabase(at: parts.database, quotas: RegistrySettings.quotas(settings), logger)
        let (store, address, channels) = (database.store, parts.address, parts.channels)
        var options = parts.server
        options.tiles = try parts.map.source(logger)
        let keyring = parts.keyring
        logSigningKey(keyring, logger)
        if let warning = channels.warning { logger.warning("\(warning)") }
        let photos = PhotoLibrary(pictures: database.pictures, converter: converter)
        let findSenders = FindSenders(keptIn: database.findSenders)
        await findSenders.prepare(at: .now)
        var operations = RegistryOperations(store: store, logger: logger)
        configure(&operations, by: settings, parts)
        operations.photos = photos
        operations.challenges = database.challenges
        operations.findSenders = findSenders
        let dispatcher = AlertDispatcher(
            store: store, notifiers: channels.notifiers, signal: store.signals.alerts,
            links: AlertLinks(
                publicURL: settings.value(RegistrySettings.publicURL), map: settings.value(RegistrySettings.mapLink)
            ),
            logger: logger
        )
        let maintenance = Maintenance(
            store: store, signal: store.signals.finds, findSenders: findSenders, logger: logger)
        let judgements = StationJudgements(store: store, signal: store.signals.judgements, logger: logger)
        // Without TLS, as in a trial, all partners are on this machine.
        let isTrial = operations.publicURL?.begins(with: "http://") == true
        let allowPrivate = isTrial || settings.value(RegistrySettings.allowPrivatePartners)
        let partners = try keyring.map {
            PartnerExchange(
                store: store, network: try HTTPPartnerNetwork(allowPrivateAddresses: allowPrivate), keyring: $0,
                logger: logger)
        }
        try await partners?.prepare()
        operations.partners = partners
        // systemd, if it has started this process.
        let manager = NotifySocket(environment: ProcessInfo.processInfo.environment)
        logger.info("preparing the server")
        let server = RegistryHTTPServer.buildApplication(
            operations: operations, appKey: settings.value(RegistrySettings.appKey), host: address.host,
            port: address.port, options: options, logger: logger
        ) { [operations] bound in
            let actual = ListenAddress(host: bound.ipAddress ?? address.host, port: bound.port ?? address.port)
            logger.info("listening", metadata: ["address": "\(actual)"])
            manager?.send(.ready, .status("listening on \(actual)"))
            try? await operations.warnOfForeignPasskeys()
        }
        var services: [any Service] = [
            dispatcher, maintenance, judgements, operations.rotation,
            PhotoUpkeep(records: store, library: photos, logger: logger),
        ]
        if let partners { services.append(partners) }
        if let follow = database.follow {
            // A failover may have emptied the table of keys, which are then only in memory.
            services.append(ForeignChangesService(follow: follow) { await findSenders.prepare(at: .now) })
        }
        services += try optionalServices(operations, parts, logger)
        services.append(ListeningService(server: server, address: address, setting: RegistrySettings.listen.key))
        if let watchdog = watchdog(store, manager) { services.append(watchdog) }
        var last: [any Service] = [ClosingService(store: store)]
        if let keyring { last.append(AuditCheckpoints(store: store, keyring: keyring, logger: logger)) }
        let drain = Drain(limit: .seconds(settings.value(RegistrySettings.drainTimeout)))
        return last + services.map { DrainedService(service: $0, drain: drain, logger: logger) }
    }

    /// Sets what the settings say about the registry's operations.
    private static func configure(
        _ operations: inout RegistryOperations, by settings: ProgramSettings, _ parts: RegistryParts
    ) {
        operations.notifiers = parts.channels.notifiers
        operations.givenIdentities = settings.value(RegistrySettings.givenIdentities)
        operations.ownerRegistration = settings.value(RegistrySettings.ownerRegistration)
        operations.newBeacons = .days(settings.value(RegistrySettings.newBeaconDays))
        operations.rotatingBeacons = settings.value(RegistrySettings.rotatingBeacons)
        operations.publicURL = settings.value(RegistrySettings.publicURL)
        operations.webPushKey = parts.channels.webPushKey
        operations.keyring = parts.keyring
        operations.vault = parts.vault
        operations.displayContact = settings.value(RegistrySettings.displayContact)
        let name = settings.value(RegistrySettings.operatorName)
        let contact = settings.value(RegistrySettings.operatorContact)
        if name != nil || contact != nil {
            operations.runner = RegistryDescription.Operator(name: name, contact: contact)
        }
        operations.allowsOwnDisplays = settings.value(RegistrySettings.ownDisplays)
        operations.version = ProgramVersion(ProductVersion.current)
    }

    /// The watchdog's check: the registry is alive if its store and event loops respond, even with an error, since a
    /// restart does not fix a full disk.
    private static func watchdog(_ store: any RegistryStore, _ manager: NotifySocket?) -> (any Service)? {
        guard let manager else { return nil }
        return Watchdog(socket: manager, environment: ProcessInfo.processInfo.environment) {
            _ = try? await store.missingListVersion()
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            return true
        }
    }

    /// The services that an operator has enabled: the new reading of certificates, and the server of metrics.
    private static func optionalServices(
        _ operations: RegistryOperations, _ parts: RegistryParts, _ logger: Logger
    ) throws -> [any Service] {
        let options = parts.server
        var services: [any Service] = options.tls.map { [TLSReloader($0, logger: logger)] } ?? []
        if let address = parts.metricsAddress {
            let server = RegistryHTTPServer.buildMetricsApplication(
                operations: operations, options: options, host: address.host, port: address.port, logger: logger
            ) { bound in
                let actual = ListenAddress(host: bound.ipAddress ?? address.host, port: bound.port ?? address.port)
                logger.info("metrics", metadata: ["address": "\(actual)"])
            }
            services.append(
                ListeningService(server: server, address: address, setting: RegistrySettings.metricsListen.key))
        }
        return services
    }

    private static func logSigningKey(_ keyring: Keyring?, _ logger: Logger) {
        guard let key = keyring?.current else {
            return logger.notice(
                "evidence cannot be signed: run ‘findmybike-registry key create --key-file FILE’, and set evidence.keyFile"
            )
        }
        logger.info("signing key", metadata: ["version": "\(key.version)", "fingerprint": "\(key.fingerprint)"])
    }

    /// Warns at the start, not at the first upload, if photos cannot be converted in a process without rights.
    private static func warnOfUselessConverter(_ converter: IsolatedConverter, _ logger: Logger) async {
        do {
            try await converter.check()
        } catch {
            logger.warning("photos cannot be taken", metadata: ["error": "\(error)"])
        }
    }

    static func logLevel(_ settings: ProgramSettings) -> Logger.Level {
        Logger.Level(rawValue: settings.value(RegistrySettings.logLevel)) ?? .info
    }
}
