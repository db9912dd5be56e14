import ArgumentParser
import CommandSupport
import DisplayServer
import Foundation
import Glibc
import Logging
import MonitorConfiguration
import OperatingSystem
import RegistryAPI
import ServiceLifecycle
import Settings
import StationStatus
import Terminal
import UnixSignals

/// `findmybike-monitor container`: the program of a container, which has no shell.
///
/// It enrols once, with the code in the options, and becomes the monitor. Until then it says what is missing: in the log,
/// and in Home Assistant's ingress if it is an app.
struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Enrol with the code in a container’s options, and listen.",
        discussion: """
            The images of a station run it. Without the options of a Home Assistant app, the registry and the code are \
            in the environment: FINDMYBIKE_REGISTRY_URL and FINDMYBIKE_CODE.
              findmybike-monitor container
            """)

    @Option(help: ArgumentHelp("Options of the app.", valueName: "path"))
    var options = "/data/options.json"

    @Option(help: ArgumentHelp("The monitor’s settings file, which enrolment writes.", valueName: "path"))
    var settings = "/data/monitor.yaml"

    @Option(help: ArgumentHelp("Folder for secrets that end with the container.", valueName: "path"))
    var secrets = "/run/findmybike-monitor"

    func run() async throws {
        let logger = Logger(label: "findmybike-monitor") { LogLines(label: $0, level: .info) }
        let setup = ContainerPreparation(
            options: options, file: settings, secrets: secrets, environment: ExecutionEnvironment.current.variables,
            logger: logger)
        let work = ContainerWork(setup: setup, logger: logger)
        var services = [
            ServiceGroupConfiguration.ServiceConfiguration(
                service: work, successTerminationBehavior: .gracefullyShutdownGroup)
        ]
        if let page = Self.page(of: work, setup.supervisorSettings, logger) {
            services.insert(.init(service: page), at: 0)
        }
        try await ServiceGroup(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        ).run()
        // If there is no result, a signal has stopped the work.
        if let variables = work.result { try becomeMonitor(variables) }
    }

    /// The page in the ingress that says what is missing; nil outside of an app.
    private static func page(
        of work: ContainerWork, _ settings: [String: String], _ logger: Logger
    ) -> DisplayServer? {
        guard let address = settings[MonitorSettings.displayListen.key].flatMap({ Endpoint($0) }),
            let gateway = settings[MonitorSettings.displayGateway.key].flatMap({ NetworkAddress($0) })
        else { return nil }
        return DisplayServer(
            address, names: [], gateway: DisplayGateway(gateway) { [StatusTopic("", work.notice)] },
            register: DisplayRegister(
                path: "", url: nil, wallTime: { (Timestamp(milliseconds: 0), false) }, logger: logger),
            source: NoDisplays(), logger: logger)
    }

    /// Replaces this program by the monitor, in the same process.
    private func becomeMonitor(_ variables: [String: String]) throws {
        let file = FileManager.default.fileExists(atPath: settings) ? ["--config", settings] : []
        var arguments = ([MonitorProgram.name] + file).map { strdup($0) } + [nil]
        var environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        execve("/proc/self/exe", &arguments, &environment)
        throw CommandFailure(.software, "the monitor cannot be started: \(String(cString: strerror(errno)))")
    }
}
