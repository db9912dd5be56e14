import Beacons
import BlueZ
import DBus
import TestSupport
import Testing

@Suite("Transmitting a beacon through BlueZ", .timeLimit(.minutes(20)))
struct AdvertiserTests {
    private static let beacon = IBeacon(
        identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 0x1234), measuredPower: -59)
    /// The advertised data: type and length, UUID, major, minor, power.
    private static let data = "0215" + "0000000000000001" + "0000000000000002" + "0003" + "1234" + "c5"

    private let fake: FakeBluetooth
    private let connection: DBusConnection

    init() async throws {
        fake = try await FakeBluetooth("hci0")
        try await fake.setPowered()
        connection = try await DBusConnection.open(.address(fake.bus.address))
    }

    private func advertise(_ adapter: String = "hci0") async throws -> BlueZAdvertisement {
        try await BlueZAdvertiser(adapter: adapter, connection: connection).advertise(Self.beacon)
    }

    @Test("the transmitted bytes are those of the beacon, until it ends")
    func advertises() async throws {
        let advertisement = try await advertise()
        let state = try await fake.state()
        #expect(
            state.advertisements == [
                FakeBluetooth.AdapterState.Advertisement(type: "broadcast", data: ["76": Self.data])
            ])
        try await advertisement.end()
        #expect(try await fake.state().advertisements.isEmpty)
    }

    @Test("a beacon that bluetoothd stops is reported")
    func released() async throws {
        let advertisement = try await advertise()
        try await fake.tell("Release", .string("hci0"))
        #expect(await advertisement.released() == "bluetoothd stopped the advertisement")
    }

    @Test("the end of bluetoothd is reported")
    func daemonEnds() async throws {
        let advertisement = try await advertise()
        try await fake.tell("Leave")
        #expect(await advertisement.released() == "bluetoothd exited")
    }

    @Test("the loss of the bus is reported")
    func busLost() async throws {
        let advertisement = try await advertise()
        fake.bus.kill()
        #expect(await advertisement.released()?.contains("bus") == true)
    }

    @Test("an adapter that is off, absent or full is an error")
    func refusals() async throws {
        await #expect(throws: BlueZError.adapterAbsent("hci7")) { try await advertise("hci7") }
        try await fake.mode("full", "true")
        await #expect(throws: DBusError.self) { try await advertise() }
        try await fake.setPowered("hci0", false)
        await #expect(throws: BlueZError.poweredOff("hci0")) { try await advertise() }
    }
}
