import DBus
import Foundation
import TestSupport
import Testing

@Suite("The command line on a radio", .timeLimit(.minutes(20)))
struct LiveRadioTests {
    private static let identity = "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815"
    /// The advertised data: type and length, UUID, major, minor, power.
    private static let data: [UInt8] = [
        0x02, 0x15, 0x21, 0xEE, 0xCF, 0x71, 0xD5, 0xC7, 0x4A, 0x00, 0x9B, 0x90, 0x27, 0xC9, 0x4B, 0x51, 0x46, 0xEA,
        0x00, 0x01, 0x51, 0x4F, 0xC5,
    ]

    private let program: BuiltProgram
    private let bluetooth: FakeBluetooth

    init() async throws {
        program = try BuiltProgram("findmybike")
        bluetooth = try await FakeBluetooth("hci0")
    }

    /// Waits for a condition of the fake bluetoothd or a file; each check is a call over the bus.
    private func wait(until isTrue: (FakeBluetooth.AdapterState) throws -> Bool) async throws {
        try await eventually("the radio changes") { try await isTrue(bluetooth.state()) }
    }

    @Test("a scan writes what the radio hears; Ctrl-C ends it without losing data")
    func scan() async throws {
        let folder = try TemporaryFolder()
        let capture = folder.file("live.btsnoop")
        let year = Calendar(identifier: .gregorian).component(.year, from: .now)
        let scan = try StartedProgram(
            program, ["scan", "--json", "--capture", capture], environment: bluetooth.environment)
        try await wait { $0.discovering == 1 }
        for _ in 0..<3 { try await bluetooth.report(Self.data, rssi: -60) }
        try await wait { _ in try Self.records(in: capture) == 3 }
        scan.interrupt()
        let (status, output) = await scan.end()
        #expect(status == 0)
        #expect(output.contains("\"minor\":20815"), "\(output)")
        #expect(output.contains("\"first\":\"\(year)-") || output.contains("\"first\":\"\(year + 1)-"))
        #expect(try await program.run(["scan", "--replay", capture, "--json"]).output == output)
        try await wait { $0.discovering == 0 }
    }

    /// The number of records of one length in a capture: a header of 16 bytes, then 24 and an event of 42 bytes each.
    private static func records(in capture: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: capture)[.size] as? NSNumber
        return ((size?.intValue ?? 0) - 16) / 66
    }

    @Test("a search shows how near the bike is, and Ctrl-C ends it cleanly")
    func find() async throws {
        let find = try StartedProgram(
            program, ["find", "--identity", Self.identity], environment: bluetooth.environment)
        try await wait { $0.discovering == 1 }
        for _ in 0..<3 { try await bluetooth.report(Self.data, rssi: -60) }
        let line = await find.line(containing: "dBm")
        #expect(line?.contains("near") == true, "\(line ?? "")")
        find.interrupt()
        let (status, output) = await find.end()
        #expect(status == 0)
        // The line may arrive after the first of the three.
        #expect(output.contains(/Heard (once|[23] times)\.\n$/), "\(output)")
        try await wait { $0.discovering == 0 }
    }

    @Test("a missing adapter is an error at once")
    func noAdapter() async throws {
        let result = try await program.run(["scan", "--adapter", "hci7"], environment: bluetooth.environment)
        #expect(result.status == 69)
        #expect(result.errors.contains("hci7"))
    }

    @Test("this machine is a beacon until Ctrl-C")
    func advertise() async throws {
        try await bluetooth.setPowered()
        let beacon = try StartedProgram(
            program, ["beacon", "advertise", Self.identity], environment: bluetooth.environment)
        #expect(await beacon.line(containing: "advertises") != nil)
        let hexadecimal = Self.data.map { String(format: "%02x", $0) }.joined()
        #expect(try await bluetooth.state().advertisements.map(\.data) == [["76": hexadecimal]])
        beacon.interrupt()
        let (status, output) = await beacon.end()
        #expect(status == 0)
        #expect(output.contains("has stopped"))
        #expect(try await bluetooth.state().advertisements.isEmpty)
    }

    @Test("a timed beacon stops by itself; a beacon that bluetoothd stops is an error")
    func advertiseEnds() async throws {
        try await bluetooth.setPowered()
        let arguments = ["beacon", "advertise", Self.identity]
        let timed = try await program.run(arguments + ["--duration", "0.1s"], environment: bluetooth.environment)
        #expect(timed.status == 0, "\(timed.errors)")
        let beacon = try StartedProgram(program, arguments, environment: bluetooth.environment)
        #expect(await beacon.line(containing: "advertises") != nil)
        try await bluetooth.tell("Release", .string("hci0"))
        let (status, output) = await beacon.end()
        #expect(status == 69)
        #expect(output.contains("stopped the advertisement"))
    }
}
