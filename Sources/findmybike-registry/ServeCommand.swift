import ArgumentParser
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Notifiers
import Registry
import RegistryHTTP
import RegistrySQLite
import ServiceLifecycle
import Settings
import Systemd
import UnixSignals

/// `findmybike-registry serve`: the service, until SIGTERM.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the registry’s calls and deliver alerts (the default)."
    )

    @OptionGroup var options: SettingsOptions

    @Option(name: .long, help: ArgumentHelp("Where to listen; port 0 takes any free port.", valueName: "address:port"))
    var listen: String?

    @Flag(name: .long, help: "Check the settings and exit.")
    var checkConfig = false

    func run() async throws {
        var arguments: [String: String] = [:]
        arguments[RegistrySettings.listen.key] = listen
        let settings = try options.settings(arguments)
        let address = try settings.required(RegistrySettings.listen)
        let database = try settings.required(RegistrySettings.database)
        if checkConfig { return print("The settings are right.") }
        let logger = try Self.bootstrapLogging(settings)
        let store = try SQLiteRegistryStore(path: database)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: try Self.services(store, settings, address, logger),
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        do {
            try await group.run()
        } catch let error where Self.isListenFailure(error) {
            throw ListenError(address: address, reason: "\(error)")
        }
        logger.info("stopped")
    }

    /// The dispatcher first: at shutdown the server stops taking sightings before the dispatcher ends.
    private static func services(
        _ store: SQLiteRegistryStore, _ settings: ProgramSettings, _ address: ListenAddress, _ logger: Logger
    ) throws -> [any Service] {
        let allowPrivate = try settings.required(RegistrySettings.allowPrivateAddresses)
        let policy = GivenIdentityPolicy(rawValue: try settings.required(RegistrySettings.givenIdentities)) ?? .closed
        let notifiers: [any Notifier] = [WebhookNotifier(allowPrivateAddresses: allowPrivate)]
        let signal = AlertSignal()
        let operations = RegistryOperations(
            store: store, notifiers: notifiers, givenIdentities: policy, alertSignal: signal, logger: logger
        )
        let dispatcher = AlertDispatcher(store: store, notifiers: notifiers, signal: signal, logger: logger)
        let manager = NotifySocket(environment: ProcessInfo.processInfo.environment)
        let server = RegistryHTTPServer.buildApplication(
            operations: operations, host: address.host, port: address.port, logger: logger
        ) { bound in
            let real = ListenAddress(host: bound.ipAddress ?? address.host, port: bound.port ?? address.port)
            logger.info("listening", metadata: ["address": "\(real)"])
            manager?.send(.ready, .status("listening on \(real)"))
        }
        return [dispatcher, server] + (watchdog(store, manager).map { [$0] } ?? [])
    }

    /// Alive is a registry whose store and event loops answer, be it with an error: a full disk is not mended by a restart.
    private static func watchdog(_ store: SQLiteRegistryStore, _ manager: NotifySocket?) -> (any Service)? {
        guard let manager else { return nil }
        return Watchdog(socket: manager, environment: ProcessInfo.processInfo.environment) {
            _ = try? await store.missingListVersion()
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try? await loop.submit {}.get() }
            return true
        }
    }

    private static func bootstrapLogging(_ settings: ProgramSettings) throws -> Logger {
        let level = Logger.Level(rawValue: try settings.required(RegistrySettings.logLevel)) ?? .info
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "findmybike-registry")
    }
}
