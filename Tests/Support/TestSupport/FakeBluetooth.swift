public import DBus
import Foundation

/// A bus with a fake bluetoothd, and calls that control it.
public struct FakeBluetooth: Sendable {
    public let bus: PrivateBus
    private let fake: Peer
    private let control: DBusConnection

    /// - Parameter adapters: the names of the adapters at the start, which are off.
    public init(_ adapters: String...) async throws {
        bus = try PrivateBus()
        fake = try bus.python(Repository.path("Tests/Radio/BlueZTests/Fixtures/fake_bluez.py"), adapters)
        control = try await DBusConnection.open(.address(bus.address))
    }

    /// The environment that makes a program use this bus as the system bus.
    public var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }

    @discardableResult
    public func tell(_ member: String, _ arguments: DBusValue...) async throws -> [DBusValue] {
        try await control.call(
            DBusCall(
                destination: "org.example.Fake", path: "/fake", interface: "org.example.Fake", member: member,
                arguments: arguments), timeout: .seconds(60))
    }

    public func mode(_ key: String, _ value: String) async throws {
        try await tell("Mode", .string(key), .string(value))
    }

    public func setPowered(_ adapter: String = "hci0", _ isOn: Bool = true) async throws {
        try await tell("SetPowered", .string(adapter), .boolean(isOn))
    }

    /// Sends one report from the adapter’s controller, with Apple's manufacturer data except the company identifier.
    public func report(
        _ data: [UInt8], address: String = "C0:00:00:00:00:01", rssi: Int16 = -60, adapter: String = "hci0"
    ) async throws {
        try await tell(
            "Advertise", .string(adapter), .string(address), .string("random"),
            .array(of: "(qay)", [.structure([.uint16(76), .bytes(data)])]), .array(of: "(say)", []), .int16(rssi))
    }

    public struct AdapterState: Decodable, Sendable {
        public struct Advertisement: Decodable, Hashable, Sendable {
            public let type: String
            /// Hexadecimal data by the company's decimal number.
            public let data: [String: String]

            public init(type: String, data: [String: String]) {
                self.type = type
                self.data = data
            }
        }

        public let powered: Bool
        public let discovering: Int
        public let advertisements: [Advertisement]
    }

    public func state(_ adapter: String = "hci0") async throws -> AdapterState {
        let text = try await tell("State").first?.text ?? ""
        let states = try JSONDecoder().decode([String: AdapterState].self, from: Data(text.utf8))
        guard let state = states[adapter] else { throw Peer.Failure(description: "the fake has no \(adapter)") }
        return state
    }
}
