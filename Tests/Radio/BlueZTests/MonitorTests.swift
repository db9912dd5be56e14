import BlueZ
import DBus
import Testing

@Suite("BlueZ's advertisement monitor", .serialized, .timeLimit(.minutes(20)))
struct MonitorTests {
    @Test("if available, it is used in addition to discovery, and ends with the scan")
    func active() async throws {
        let stage = try await Stage("hci0")
        try await stage.mode("monitor", "\"ok\"")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .monitorActivated)
        #expect(scan.scanner.health.monitor == .active)
        #expect(try await stage.state().active == 1)
        try await stage.advertise(rssi: -40)
        try await stage.advertise(rssi: -41)
        #expect(await scan.next(2).map(\.rssi) == [-40, -41])
        #expect(scan.scanner.health.framesHeard == 2)
        try await stage.tell("Leave")
        try await stage.tell("Return")
        try await scan.wait(for: .monitorActivated)
    }

    @Test("if it is refused or never activated, discovery works alone", arguments: ["refuse", "silent"])
    func fallBack(mode: String) async throws {
        let stage = try await Stage("hci0")
        try await stage.mode("monitor", "\"\(mode)\"")
        let scan = try Scan(stage.bluezBus()) { $0.monitorTimeout = .milliseconds(200) }
        try await scan.wait("a fall-back") { if case .monitorUnavailable = $0 { true } else { false } }
        guard case .unavailable = scan.scanner.health.monitor else {
            Issue.record("the health says \(scan.scanner.health.monitor)")
            return
        }
        try await stage.advertise(rssi: -40)
        #expect(await scan.next(1).map(\.rssi) == [-40])
        #expect(try await stage.state().monitors == 0)
    }

    @Test("it can be disabled", arguments: [true, false])
    func option(isOffered: Bool) async throws {
        let stage = try await Stage("hci0")
        if isOffered { try await stage.mode("monitor", "\"ok\"") }
        let scan = try Scan(stage.bluezBus()) { $0.usesMonitor = !isOffered }
        try await scan.wait(for: .discoveryStarted)
        try await stage.advertise(rssi: -40)
        _ = await scan.next(1)
        #expect(scan.scanner.health.monitor == .unused)
        #expect(try await stage.state().monitors == 0)
    }
}
