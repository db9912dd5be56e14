import TestSupport
import Testing

@testable import Diagnosis

@Suite("The doctor's readings of a machine")
struct ProbeTests {
    @Test("an empty machine is not an error: nothing is found")
    func empty() async throws {
        let files = SystemFiles(root: try Machine().folder.path)
        #expect(RadioSwitch.all(files).isEmpty)
        #expect(ControllerBus.controllers(files).isEmpty)
        #expect(WirelessInterface.all(files) { _ in 2437 }.isEmpty)
        #expect(await DaemonVersion.read(files, processID: nil) == nil)
    }

    @Test("switches of other radios do not count")
    func switches() throws {
        let machine = try Machine()
        try machine.rfkill(soft: 1, hard: 0)
        let found = RadioSwitch.all(SystemFiles(root: machine.folder.path))
        #expect(found == [RadioSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false)])
    }

    @Test(
        "a controller's path shows how it is connected",
        arguments: [
            ("/sys/devices/platform/soc/fe201000.serial/serial0/serial0-0/bluetooth/hci0", .serial),
            ("/sys/devices/platform/soc/3f201000.serial/tty/ttyAMA0/hci0", .serial),
            ("/sys/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.0/bluetooth/hci0", .usb),
            ("/sys/devices/virtual/bluetooth/hci0", .other),
        ] as [(String, ControllerBus)]
    )
    func attachment(path: String, attachment: ControllerBus) {
        #expect(ControllerBus(devicePath: path) == attachment)
    }

    @Test("controllers are found through their links, connections are not")
    func controllers() async throws {
        let machine = try await Machine.raspberryPi()
        try machine.makeFolder("sys/class/bluetooth/hci0:64")
        #expect(ControllerBus.controllers(SystemFiles(root: machine.folder.path)) == ["hci0": .serial])
    }

    @Test("the frequency is queried only if Wi-Fi is in use")
    func wireless() async throws {
        let machine = try await Machine.raspberryPi()
        let files = SystemFiles(root: machine.folder.path)
        let used = WirelessInterface(name: "wlan0", isInUse: true, isUSB: false, frequency: 2437)
        #expect(WirelessInterface.all(files) { _ in 2437 } == [used])
        try machine.write("down", "sys/class/net/wlan0/operstate")
        let unused = WirelessInterface(name: "wlan0", isInUse: false, isUSB: false, frequency: nil)
        #expect(WirelessInterface.all(files) { _ in 2437 } == [unused])
    }

    @Test(
        "frequencies are read as Hz, kHz or a channel, and nonsense is ignored",
        arguments: [
            (2437, 6, 2437), (5180, 6, 5180), (243_700_000, 1, 2437), (2_437_000, 3, 2437), (6, 0, 2437), (14, 0, 2484),
            (36, 0, 5180), (0, 0, nil), (-1, 6, nil), (1, 400, nil), (1, -1, nil), (Int32.max, 9, 2_147_483_647_000),
        ] as [(Int32, Int16, Int?)]
    )
    func frequency(mantissa: Int32, exponent: Int16, megahertz: Int?) {
        #expect(WirelessFrequency.megahertz(mantissa: mantissa, exponent: exponent) == megahertz)
    }

    @Test(
        "a missing interface has no frequency", arguments: ["no-such-wlan", "a-name-that-is-much-too-long"])
    func noInterface(name: String) {
        #expect(WirelessFrequency.megahertz(of: name) == nil)
    }

    @Test("the running program is asked for its version before the installed one")
    func version() async throws {
        let machine = try await Machine.raspberryPi()
        let files = SystemFiles(root: machine.folder.path)
        #expect(await DaemonVersion.read(files, processID: nil) == "5.66")
        try await machine.program("opt/bluez/bluetoothd", printing: "5.82")
        try machine.write("/opt/bluez/bluetoothd\0--experimental\0", "proc/417/cmdline")
        // A child process of another test may hold the new file open for an instant, during which it cannot run.
        var version = await DaemonVersion.read(files, processID: 417)
        for _ in 0..<20 where version != "5.82" { version = await DaemonVersion.read(files, processID: 417) }
        #expect(version == "5.82")
        try machine.write("/usr/bin/python3\0fake.py\0", "proc/418/cmdline")
        #expect(await DaemonVersion.read(files, processID: 418) == "5.66")
    }

    @Test(
        "only a version is accepted as one", arguments: ["", "Python 3.11.2", "5", "5.66.1", "5.x", "bluetoothd: 5.66"])
    func noVersion(text: String) {
        #expect(DaemonVersion.parse(text) == nil)
    }

    @Test("reading this machine's clock needs no privileges")
    func clock() {
        _ = ClockState.current()
    }
}
