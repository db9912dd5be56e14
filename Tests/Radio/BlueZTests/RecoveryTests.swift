import BlueZ
import DBus
import Scanning
import Testing

@Suite("Recovery of a BlueZ scanner", .serialized, .timeLimit(.minutes(20)))
struct RecoveryTests {
    @Test(
        "each step makes the same sequence deliver frames again",
        arguments: [RecoveryStep.restartScan, .powerCycle, .reopen])
    func steps(step: RecoveryStep) async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        for count in 1...3 {
            try await scan.scanner.recover(by: step)
            try await stage.advertise(rssi: -70)
            #expect(await scan.next(1).map(\.rssi) == [-70])
            #expect(scan.scanner.health.recoveries == [step: count])
            // The fake may notice the loss of the previous connection later.
            while try await stage.state().discovering != 1 {}
        }
    }

    @Test("a hanging controller is named, and the scanner stays usable")
    func wedged() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.mode("wedged", "1")
        await #expect(throws: BlueZError.wedged("hci0")) { try await scan.scanner.recover(by: .restartScan) }
        #expect(scan.scanner.health.lastError == BlueZError.wedged("hci0").description)
        try await stage.mode("wedged", "0")
        try await scan.scanner.recover(by: .powerCycle)
        try await stage.advertise(rssi: -70)
        #expect(await scan.next(1).map(\.rssi) == [-70])
    }

    @Test("steps that cannot be taken give a reason")
    func impossible() async throws {
        let stage = try await Stage()
        let bus = stage.bluezBus()
        let idle = BlueZScanner(adapter: "hci0", bus: bus)
        await #expect(throws: BlueZError.notScanning("hci0")) { try await idle.recover(by: .restartScan) }
        let scan = try Scan(bus)
        try await scan.wait(for: .busConnected)
        await #expect(throws: BlueZError.stepUnavailable("reset")) { try await scan.scanner.recover(by: .reset) }
        await #expect(throws: BlueZError.adapterAbsent("hci0")) { try await scan.scanner.recover(by: .restartScan) }
        await #expect(throws: BlueZError.adapterAbsent("hci0")) { try await scan.scanner.recover(by: .reopen) }
    }

    @Test("a bluetoothd that does not reply costs no more than the time-out")
    func silent() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) { $0.callTimeout = .milliseconds(500) }
        try await scan.wait(for: .discoveryStarted)
        try await stage.mode("silent", "true")
        await #expect(throws: DBusError.self) { try await scan.scanner.recover(by: .restartScan) }
        try await stage.mode("silent", "false")
        // On a busy machine a reply may be late once more.
        while (try? await scan.scanner.recover(by: .restartScan)) == nil {}
        #expect(scan.scanner.health.isDiscovering)
    }
}
