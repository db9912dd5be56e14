import Beacons
import BlueZ
import DBus
import Foundation
import Scanning
import TestSupport
import Testing

/// Long enough for a busy machine; only reached if something is broken.
let patience = Duration.seconds(60)

/// A bus with a fake bluetoothd, and calls that control it.
struct Stage: Sendable {
    let bus: PrivateBus
    let fake: Peer
    let control: DBusConnection

    init(_ adapters: String...) async throws {
        bus = try PrivateBus()
        let script = try #require(Bundle.module.path(forResource: "fake_bluez", ofType: "py", inDirectory: "Fixtures"))
        fake = try bus.python(script, adapters)
        control = try await DBusConnection.open(.address(bus.address))
    }

    @discardableResult
    func tell(_ member: String, _ arguments: DBusValue...) async throws -> [DBusValue] {
        try await control.call(
            DBusCall(
                destination: "org.example.Fake", path: "/fake", interface: "org.example.Fake", member: member,
                arguments: arguments), timeout: patience)
    }

    func mode(_ key: String, _ value: String) async throws {
        try await tell("Mode", .string(key), .string(value))
    }

    /// Sends one report from an adapter's controller.
    func advertise(
        _ adapter: String = "hci0", address: String = "C0:00:00:00:00:01", kind: String = "random",
        companies: [(UInt16, [UInt8])] = [(76, beacon(minor: 1))], services: [(String, [UInt8])] = [], rssi: Int16 = -60
    ) async throws {
        try await tell(
            "Advertise", .string(adapter), .string(address), .string(kind),
            .array(of: "(qay)", companies.map { .structure([.uint16($0.0), .bytes($0.1)]) }),
            .array(of: "(say)", services.map { .structure([.string($0.0), .bytes($0.1)]) }), .int16(rssi))
    }

    struct AdapterState: Decodable {
        let powered: Bool
        let discovering: Int
        let monitors: Int
        let active: Int
        let filters: [[String: String]]
    }

    func state(_ adapter: String = "hci0") async throws -> AdapterState {
        let text = try await tell("State").first?.text ?? ""
        let states = try JSONDecoder().decode([String: AdapterState].self, from: Data(text.utf8))
        return try #require(states[adapter])
    }

    func bluezBus() -> BlueZBus {
        BlueZBus(.address(bus.address), readingPause: .zero, waits: .milliseconds(20)...(.milliseconds(200)))
    }
}

/// Manufacturer data of an iBeacon, without the company identifier.
func beacon(minor: UInt16) -> [UInt8] {
    [0x02, 0x15] + [UInt8](repeating: 0x21, count: 16) + [0, 1, UInt8(minor >> 8), UInt8(minor & 255), 0xC5]
}

struct Missed: Error, CustomStringConvertible {
    let description: String
}

/// A running scan, with the frames and events that it has delivered.
final class Scan: Sendable {
    let scanner: BlueZScanner
    private let events: AsyncStream<AdapterEvent>
    private let frames: AsyncStream<Frame>
    private let reading: Task<Void, any Error>

    struct Frame: Hashable, Sendable {
        let address: String
        let kind: BluetoothAddress.Kind
        let rssi: Int8?
        let data: [UInt8]

        var beacon: BeaconFrame? {
            let data = data
            return BeaconFrame(advertisingData: data.span.bytes)
        }
    }

    init(_ bus: BlueZBus, _ adapter: String = "hci0", change: (inout BlueZOptions) -> Void = { _ in }) throws {
        let (events, toldEvents) = AsyncStream.makeStream(of: AdapterEvent.self)
        let (frames, heardFrames) = AsyncStream.makeStream(of: Frame.self)
        var options = BlueZOptions()
        options.batchInterval = .milliseconds(10)
        options.retryWaits = .milliseconds(50)...(.milliseconds(400))
        options.callTimeout = patience
        change(&options)
        options.onEvent = { toldEvents.yield($0) }
        scanner = BlueZScanner(adapter: adapter, bus: bus, options: options)
        self.events = events
        self.frames = frames
        let batches = try scanner.batches()
        reading = Task {
            for await batch in batches {
                batch.forEach { report, data in
                    heardFrames.yield(
                        Frame(
                            address: report.address.description, kind: report.addressKind, rssi: report.rssi,
                            data: data.withUnsafeBytes { [UInt8]($0) }))
                }
            }
            heardFrames.finish()
        }
    }

    deinit { reading.cancel() }

    /// Waits for an event, and skips all others.
    func wait(for event: AdapterEvent) async throws {
        try await wait("\(event)") { $0 == event }
    }

    func wait(_ what: String, for isWanted: (AdapterEvent) -> Bool) async throws {
        for await event in events where isWanted(event) { return }
        throw Missed(description: "the scanner ended before: \(what)")
    }

    func next(_ count: Int) async -> [Frame] {
        var heard: [Frame] = []
        var iterator = frames.makeAsyncIterator()
        while heard.count < count, let frame = await iterator.next() { heard.append(frame) }
        return heard
    }

    /// Stops reading, and waits until the reader has ended.
    func stop() async {
        reading.cancel()
        _ = await reading.result
    }
}
