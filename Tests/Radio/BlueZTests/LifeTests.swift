import BlueZ
import DBus
import Scanning
import TestSupport
import Testing

@Suite("Lifecycle of a BlueZ scanner", .serialized, .timeLimit(.minutes(20)))
struct LifeTests {
    private func expectFrames(_ stage: Stage, _ scan: Scan, rssi: Int16 = -42) async throws {
        try await stage.advertise(rssi: rssi)
        #expect(await scan.next(1).map(\.rssi) == [Int8(rssi)])
    }

    @Test("an adapter that is off is switched on and scanned")
    func powersOn() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .poweredOn)
        try await scan.wait(for: .discoveryStarted)
        let health = scan.scanner.health
        #expect(health.isPresent && health.isPowered && health.isDiscovering)
        #expect(health.address == "00:11:22:33:44:00")
        #expect(health.lastError == nil)
    }

    @Test("an adapter that must not be switched on waits until someone switches it on")
    func powerNotAllowed() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) {
            $0.powersAdapter = false
            $0.offWaits = .milliseconds(1)...(.milliseconds(1))
        }
        try await scan.wait(for: .found)
        try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
        #expect(scan.scanner.recoverySteps == [.restartScan, .reopen])
    }

    @Test("an adapter that someone switches off is scanned again when it is on")
    func powerFromOutside() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("SetPowered", .string("hci0"), .boolean(false))
        try await scan.wait(for: .poweredOff)
        #expect(try await stage.state().powered == false)
        try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
    }

    @Test("an adapter that goes off is switched on again after a while, although nobody has switched it on")
    func offByItself() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) { $0.offWaits = .milliseconds(100)...(.milliseconds(400)) }
        try await scan.wait(for: .discoveryStarted)
        for _ in 1...4 {
            try await stage.tell("SetPowered", .string("hci0"), .boolean(false))
            try await scan.wait(for: .poweredOff)
            try await scan.wait(for: .poweredOn)
            try await scan.wait(for: .discoveryStarted)
            try await expectFrames(stage, scan)
            #expect(!scan.scanner.radioHealth.isSwitchedOff)
        }
    }

    @Test("an adapter that cannot be switched on again is tried again")
    func offAndBlocked() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) { $0.offWaits = .milliseconds(50)...(.milliseconds(400)) }
        try await scan.wait(for: .discoveryStarted)
        try await stage.mode("blocked", "true")
        try await stage.tell("SetPowered", .string("hci0"), .boolean(false))
        try await scan.wait(for: .poweredOff)
        try await eventually("an attempt has failed") { scan.scanner.health.lastError?.contains("rfkill") == true }
        #expect(scan.scanner.radioHealth.isSwitchedOff)
        try await stage.mode("blocked", "false")
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
    }

    @Test("an adapter that goes off again and again stays off for longer each time, up to a limit")
    func offLonger() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) { $0.offWaits = .seconds(3600)...(.seconds(3 * 3600)) }
        try await scan.wait(for: .discoveryStarted)
        for hours in [1, 2, 3, 3] {
            try await stage.tell("SetPowered", .string("hci0"), .boolean(false))
            try await scan.wait(for: .poweredOff)
            await #expect(throws: BlueZError.switchedOff("hci0", retry: .seconds(hours * 3600))) {
                try await scan.scanner.recover(by: .restartScan)
            }
            try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
            try await scan.wait(for: .discoveryStarted)
        }
    }

    @Test("an adapter that was on at startup stays off for a while once someone has switched it off")
    func switchedOff() async throws {
        let stage = try await Stage("hci0")
        try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("SetPowered", .string("hci0"), .boolean(false))
        try await scan.wait(for: .poweredOff)
        await #expect(throws: BlueZError.switchedOff("hci0", retry: .seconds(600))) {
            try await scan.scanner.recover(by: .powerCycle)
        }
        #expect(try await stage.state().powered == false)
        let health = scan.scanner.radioHealth
        #expect(health.isSwitchedOff && health.state == .failed)
        #expect(health.lastError?.contains("stays off for 10 min") == true)
        try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
        try await scan.wait(for: .discoveryStarted)
        #expect(!scan.scanner.radioHealth.isSwitchedOff)
    }

    @Test("an adapter blocked by rfkill is retried until it is unblocked")
    func blocked() async throws {
        let stage = try await Stage("hci0")
        try await stage.mode("blocked", "true")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait("a failure") { if case .failed = $0 { true } else { false } }
        #expect(scan.scanner.health.lastError?.contains("rfkill") == true)
        try await stage.mode("blocked", "false")
        try await scan.wait(for: .discoveryStarted)
    }

    @Test("an adapter can be plugged in later, unplugged and plugged in again")
    func hotPlug() async throws {
        let stage = try await Stage()
        let bus = stage.bluezBus()
        let scan = try Scan(bus, "hci1")
        try await scan.wait(for: .busConnected)
        try await stage.tell("AddAdapter", .string("hci1"))
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("RemoveAdapter", .string("hci1"))
        try await scan.wait(for: .lost)
        #expect(!scan.scanner.health.isPresent)
        try await stage.tell("AddAdapter", .string("hci1"))
        try await scan.wait(for: .discoveryStarted)
        try await stage.advertise("hci1", rssi: -50)
        #expect(await scan.next(1).map(\.rssi) == [-50])
    }

    @Test("an adapter that is gone when it is looked up is reported lost, before the signal that says so")
    func goneBeforeTold() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("UnplugUntold", .string("hci0"))
        try await scan.wait(for: .lost)
        #expect(!scan.scanner.health.isPresent)
        try await stage.tell("AddAdapter", .string("hci0"))
        try await scan.wait(for: .discoveryStarted)
    }

    @Test("scanning continues after a restart of bluetoothd")
    func daemonRestart() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("Leave")
        try await scan.wait(for: .lost)
        #expect(!scan.scanner.health.isDiscovering)
        try await stage.tell("Return")
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
    }

    @Test("discovery that ends unexpectedly is restarted")
    func discoveryEnded() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("EndDiscovery", .string("hci0"))
        try await scan.wait(for: .discoveryEnded)
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
    }

    @Test("another client's discovery can start and stop")
    func otherClient() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        for member in ["StartDiscovery", "StopDiscovery"] {
            try await stage.control.call(
                DBusCall(
                    destination: "org.bluez", path: "/org/bluez/hci0", interface: "org.bluez.Adapter1", member: member),
                timeout: patience)
        }
        try await expectFrames(stage, scan)
        #expect(try await stage.state().discovering == 1)
    }

    @Test("the bus dies and returns at any time, and scanning resumes by itself")
    func busLost() async throws {
        let stage = try await Stage("hci0")
        let bus = stage.bluezBus()
        let scan = try Scan(bus)
        try await scan.wait(for: .discoveryStarted)
        await bus.renew()
        try await scan.wait("the loss") { if case .busLost = $0 { true } else { false } }
        try await scan.wait(for: .discoveryStarted)
        try await expectFrames(stage, scan)
        stage.bus.kill()
        try await scan.wait("the loss") { if case .busLost = $0 { true } else { false } }
        #expect(!scan.scanner.health.isPresent)
        await scan.stop()
    }

    @Test("when the last reader is gone, discovery ends at bluetoothd, and can begin again")
    func cancellation() async throws {
        let stage = try await Stage("hci0")
        try await stage.tell("SetPowered", .string("hci0"), .boolean(true))
        let changes = try await stage.control.signals(
            matching: DBusMatch(path: "/org/bluez/hci0", member: "PropertiesChanged"))
        let bus = stage.bluezBus()
        let scan = try Scan(bus)
        try await scan.wait(for: .discoveryStarted)
        #expect(throws: BlueZError.alreadyScanning("hci0")) { try scan.scanner.batches() }
        await scan.stop()
        let discovering = DBusValue.boolean(false)
        for try await change in changes where change.arguments[1].properties?["Discovering"] == discovering { break }
        #expect(try await stage.state().discovering == 0)
    }
}
