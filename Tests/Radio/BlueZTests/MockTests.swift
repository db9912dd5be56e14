import Beacons
import BlueZ
import DBus
import TestSupport
import Testing

/// The bluetoothd of python-dbusmock: a peer that was not written for this project.
@Suite("A BlueZ scanner on the template of python-dbusmock", .serialized, .timeLimit(.minutes(20)))
struct MockTests {
    private let bus: PrivateBus
    private let mock: Peer
    private let control: DBusConnection

    init() async throws {
        bus = try PrivateBus()
        let command = """
            /usr/bin/python3 -c 'import dbusmock' && echo ready && \
            exec /usr/bin/python3 -m dbusmock --system --template bluez5 --logfile /dev/null
            """
        mock = try bus.peer("/bin/sh", ["-c", command], package: "python3-dbusmock")
        control = try await DBusConnection.open(.address(bus.address))
        for try await owner in try await control.owners(of: "org.bluez") where owner != nil { break }
    }

    @discardableResult
    private func tell(_ member: String, _ arguments: String...) async throws -> [DBusValue] {
        try await control.call(
            DBusCall(
                destination: "org.bluez", path: "/", interface: "org.bluez.Mock", member: member,
                arguments: arguments.map(DBusValue.string)), timeout: patience)
    }

    @Test("its adapter is found when added, its device is heard, and its unusual types do no harm")
    func scan() async throws {
        let shared = BlueZBus(.address(bus.address), readingPause: .zero)
        let scan = try Scan(shared)
        try await scan.wait(for: .busConnected)
        try await tell("AddAdapter", "hci0", "test")
        try await scan.wait(for: .discoveryStarted)
        #expect(scan.scanner.health.address == "00:01:02:03:04:05")
        try await tell("AddDevice", "hci0", "11:22:33:44:55:66", "a phone")
        let frames = await scan.next(1)
        #expect(frames == [Scan.Frame(address: "11:22:33:44:55:66", kind: .public, rssi: -79, data: [])])
        #expect(try await BlueZAdapters(bus: shared).list().map(\.isDiscovering) == [true])
    }

    @Test("a removed adapter is lost and found again")
    func hotPlug() async throws {
        try await tell("AddAdapter", "hci0", "test")
        let scan = try Scan(BlueZBus(.address(bus.address), readingPause: .zero))
        try await scan.wait(for: .discoveryStarted)
        try await tell("RemoveAdapter", "hci0")
        try await scan.wait(for: .lost)
        try await tell("AddAdapter", "hci0", "test")
        try await scan.wait(for: .discoveryStarted)
    }
}
