import Beacons
import BlueZ
import DBus
import Testing

@Suite("Frames through BlueZ", .serialized, .timeLimit(.minutes(20)))
struct FrameTests {
    @Test("the first frame is heard once, and each duplicate once, with its signal strength")
    func everyFrame() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        let strengths: [Int16] = [-60, -60, -61, -60, -90, 127, 20, -127]
        for rssi in strengths { try await stage.advertise(rssi: rssi) }
        let frames = await scan.next(strengths.count)
        #expect(frames.map(\.rssi) == [-60, -60, -61, -60, -90, nil, 20, -127])
        let data = [UInt8]([0x1A, 0xFF, 0x4C, 0x00]) + beacon(minor: 1)
        #expect(frames.allSatisfy { $0.data == data && $0.address == "C0:00:00:00:00:01" })
        #expect(scan.scanner.health.framesHeard == 8)
        #expect(scan.scanner.health.lastFrame != nil)
    }

    @Test("all companies of a frame, Eddystone and the address type reach the parser")
    func content() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        let eddystone: [UInt8] = [0x00, 0xEE] + [UInt8](1...16)
        try await stage.advertise(
            address: "AA:00:00:00:00:02", kind: "public", companies: [(0x0059, [1, 2]), (76, beacon(minor: 7))])
        try await stage.advertise(
            address: "C0:00:00:00:00:03", companies: [],
            services: [
                ("0000feaa-0000-1000-8000-00805f9b34fb", eddystone), ("0000180f-0000-1000-8000-00805f9b34fb", [9]),
            ])
        try await stage.advertise(address: "C0:00:00:00:00:04", companies: [(76, [])], rssi: -1)
        try await stage.advertise(address: "AA:00:00:00:00:02", kind: "public", companies: [], rssi: -2)
        let frames = await scan.next(4)
        #expect(frames[0].kind == .public)
        guard case .iBeacon(let iBeacon) = frames[0].beacon else {
            Issue.record("the iBeacon behind another company's data was not found")
            return
        }
        #expect(iBeacon.identity.minor == 7)
        #expect(iBeacon.measuredPower == -59)
        #expect(frames[1].kind == .random)
        guard case .eddystoneUID = frames[1].beacon else {
            Issue.record("the Eddystone frame was not found")
            return
        }
        #expect(frames[2].data == [3, 0xFF, 0x4C, 0])
        #expect(frames[3] == Scan.Frame(address: "AA:00:00:00:00:02", kind: .public, rssi: -2, data: []))
    }

    @Test("data longer than an AD structure counts as malformed, and the rest of the frame is heard")
    func tooLong() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        try await stage.advertise(companies: [
            (1, [UInt8](repeating: 0, count: 253)), (2, [UInt8](repeating: 1, count: 252)),
        ])
        let frame = await scan.next(1).first
        #expect(frame?.data.count == 256)
        #expect(frame?.data.first == 255)
    }

    @Test("the discovery filter asks for every frame of every low-energy device")
    func filter() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus())
        try await scan.wait(for: .discoveryStarted)
        #expect(try await stage.state().filters == [["Transport": "le", "DuplicateData": "1", "RSSI": "-127"]])
    }

    @Test("all of 20,000 frames from 500 devices are heard, each by its own adapter")
    func storm() async throws {
        let stage = try await Stage("hci0", "hci1")
        let bus = stage.bluezBus()
        // Room for all frames, since on a busy machine the reader may wait for any length of time.
        let scan = try Scan(bus, "hci0") { $0.batchLimit = 20_000 }
        let other = try Scan(bus, "hci1")
        try await scan.wait(for: .discoveryStarted)
        try await other.wait(for: .discoveryStarted)
        try await stage.tell("Storm", .string("hci0"), .uint32(500), .uint32(20_000))
        try await stage.advertise("hci1", rssi: -33)
        let frames = await scan.next(20_000)
        #expect(Set(frames.map(\.address)).count == 500)
        #expect(await other.next(1).map(\.rssi) == [-33])
        #expect(scan.scanner.health.dropped == 0)
        #expect(other.scanner.health.framesHeard == 1)
    }

    @Test("unread data is bounded and counted")
    func overflow() async throws {
        let stage = try await Stage("hci0")
        let scan = try Scan(stage.bluezBus()) { options in
            options.batchLimit = 100
            options.batchInterval = .seconds(1)
        }
        try await scan.wait(for: .discoveryStarted)
        try await stage.tell("Storm", .string("hci0"), .uint32(1), .uint32(5000))
        _ = await scan.next(100)
        #expect(scan.scanner.health.dropped > 0)
    }
}
