import DBus
import Foundation
import TestSupport
import Testing

/// The notifications that Type=notify in the units relies on.
@Suite("Notifications to the service manager", .timeLimit(.minutes(20)))
struct ReadinessTests {
    private let folder: TemporaryFolder
    private let manager: ManagerSocket

    init() throws {
        folder = try TemporaryFolder()
        manager = try ManagerSocket(folder.file("notify"))
    }

    private func start(
        _ program: String, _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> StartedProgram {
        var environment = manager.environment.merging(["WATCHDOG_USEC": "2000000"]) { $1 }
        environment.merge(more) { $1 }
        return try StartedProgram(try BuiltProgram(program), arguments, environment: environment)
    }

    /// The messages sent up to one with this text.
    private func told(_ text: String) async -> [String] {
        var messages: [String] = []
        while messages.last?.contains(text) != true { messages.append(await manager.next()) }
        return messages
    }

    @Test("the registry is ready once it accepts connections, and then sends watchdog notifications")
    func registry() async throws {
        let database = folder.file("registry.sqlite")
        let registry = try start("findmybike-registry", ["serve", "--database", database, "--listen", "127.0.0.1:0"])
        let first = await told("READY=1")
        #expect(first.last?.contains("STATUS=listening on 127.0.0.1:") == true, "\(first)")
        #expect(await told("WATCHDOG=1").isEmpty == false)
        registry.interrupt()
        #expect(await registry.end().status == 0)
    }

    @Test("the monitor is ready only once a radio listens, sends watchdog notifications, and reloads its settings")
    func monitor() async throws {
        let bluetooth = try await FakeBluetooth()
        let settings = try folder.monitorSettings(
            """
            radio:
              adapters: hci0
            status:
              socket: \(folder.file("status"))
            """)
        let monitor = try start("findmybike-monitor", ["--config", settings], bluetooth.environment)
        #expect(await told("STATUS=waiting for a radio").contains { $0.contains("READY=1") } == false)
        try await bluetooth.tell("AddAdapter", .string("hci0"))
        #expect(await told("READY=1").last == "READY=1\nSTATUS=listening with hci0")
        #expect(await told("WATCHDOG=1").isEmpty == false)
        async let last = told("STOPPING=1")
        let text = try String(contentsOfFile: settings, encoding: .utf8)
        _ = try folder.write("\(text)\nlog:\n  level: debug\nlist:\n  wait: 7\n", to: "monitor.yaml")
        monitor.hangUp()
        #expect(await monitor.line(containing: "settings reloaded")?.contains("applied=log.level") == true)
        #expect(await monitor.line(containing: "need a restart")?.contains("settings=list.wait") == true)
        monitor.interrupt()
        _ = await monitor.end()
        #expect(await last.isEmpty == false)
    }

    @Test("a simulation is ready at once, and sends watchdog notifications")
    func simulation() async throws {
        let venue = try await SimulatedVenue()
        let monitor = try start("findmybike-monitor", try venue.arguments("", speed: 1))
        #expect(await told("READY=1").last == "READY=1\nSTATUS=listening with a recording or a simulation")
        #expect(await told("WATCHDOG=1").isEmpty == false)
        monitor.interrupt()
        _ = await monitor.end()
    }
}
