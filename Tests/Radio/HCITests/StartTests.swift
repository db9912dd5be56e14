import Beacons
import Glibc
import Scanning
import TestSupport
import Testing

@testable import HCI

private typealias Command = ScriptedController.Command

/// A controller that is set up incorrectly hears nothing, and nobody notices.
@Suite struct StartTests {
    private static let reset = Command(0x0C03)
    private static let masks = [
        Command(0x0C01, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20]),
        Command(0x2001, [0x02, 0x10, 0, 0, 0, 0, 0, 0]),
    ]
    private static let features = Command(0x2003)
    private static let legacy = [
        Command(0x200C, [0, 0]), Command(0x200B, [0, 0x60, 0, 0x60, 0, 0, 0]), Command(0x200C, [1, 0]),
    ]
    private static let extended = [
        Command(0x2042, [0, 0, 0, 0, 0, 0]), Command(0x2041, [0, 0, 1, 0, 0x60, 0, 0x60, 0]),
        Command(0x2042, [1, 0, 0, 0, 0, 0]),
    ]

    /// The first batch with reports; the controller sends one once it has been told to scan this number of times.
    private func firstHeard(
        _ controller: ScriptedController, _ scanner: HCIScanner, attempts: Int = 1
    ) async throws -> AdvertisementBatch? {
        var batches = scanner.batches().makeAsyncIterator()
        await controller.scanning(attempts)
        controller.send(event: Report.legacy())
        let batch = try await batches.nextHeard()
        await scanner.stop()
        return batch
    }

    @Test("our own controller is reset, set up, set to passive scanning without a filter, and stopped at the end")
    func owned() async throws {
        let controller = try ScriptedController()
        let batch = try await firstHeard(controller, HCIScanner(.h4(controller), clock: SteppedClock()))
        #expect(batch?.identities == [Report.identity])
        #expect(batch?.advertisements.map(\.rssi) == [-60])
        #expect(
            controller.commands == [Self.reset] + Self.masks + [Self.features] + Self.legacy + [
                Command(0x200C, [0, 0])
            ])
    }

    @Test("a controller that the kernel owns is neither reset nor set up")
    func shared() async throws {
        let controller = try ScriptedController(SOCK_SEQPACKET)
        let batch = try await firstHeard(controller, HCIScanner(.raw(controller), clock: SteppedClock()))
        #expect(batch?.identities == [Report.identity])
        #expect(controller.commands == [Self.features, Self.legacy[1]] + Self.legacy + [Command(0x200C, [0, 0])])
    }

    @Test("bit 12 of the features chooses extended scanning", arguments: [1 << 12, ~0] as [UInt64])
    func extendedFeature(features: UInt64) async throws {
        let controller = try ScriptedController(SOCK_SEQPACKET, features: features)
        _ = try await firstHeard(controller, HCIScanner(.raw(controller), clock: SteppedClock()))
        #expect(
            controller.commands == [Self.features, Self.extended[1]] + Self.extended + [
                Command(0x2042, [0, 0, 0, 0, 0, 0])
            ])
    }

    @Test("any other features do not choose it", arguments: [1 << 11, 1 << 13, ~(1 << 12)] as [UInt64])
    func otherFeatures(features: UInt64) async throws {
        let controller = try ScriptedController(SOCK_SEQPACKET, features: features)
        _ = try await firstHeard(controller, HCIScanner(.raw(controller), clock: SteppedClock()))
        #expect(controller.commands.prefix(5) == [Self.features, Self.legacy[1]] + Self.legacy)
    }

    @Test(
        "a controller that refuses its own family of commands is scanned with the other",
        arguments: [(1 << 12, 0x2041, 0x0C), (1 << 12, 0x2041, 0x01), (1 << 12, 0x2042, 0x0C), (0, 0x200B, 0x0C)]
            as [(UInt64, UInt16, UInt8)]
    )
    func wrongFeatures(features: UInt64, refused: UInt16, status: UInt8) async throws {
        let controller = try ScriptedController(SOCK_SEQPACKET, features: features) { opcode, _ in
            opcode == refused ? [ScriptedController.complete(opcode, [status])] : nil
        }
        let batch = try await firstHeard(
            controller, HCIScanner(.raw(controller), clock: SteppedClock()), attempts: refused == 0x2042 ? 2 : 1)
        #expect(batch?.identities == [Report.identity])
        #expect(controller.commands.dropLast().suffix(3) == (features == 0 ? Self.extended : Self.legacy)[...])
    }

    @Test(
        "a refused command is an error that names command and reason",
        arguments: [
            (0x0C03, 0x03, "Reset", "Hardware Failure (0x03)"),
            (0x0C01, 0x12, "Set Event Mask", "Invalid HCI Command Parameters (0x12)"),
            (0x2001, 0x01, "LE Set Event Mask", "Unknown HCI Command (0x01)"),
            (0x2003, 0x01, "LE Read Local Supported Features", "Unknown HCI Command (0x01)"),
            (0x200B, 0x0C, "LE Set Scan Parameters", "Command Disallowed (0x0C)"),
            (0x200C, 0x3A, "LE Set Scan Enable", "Controller Busy (0x3A)"),
            (0x200B, 0xE0, "LE Set Scan Parameters", "0xE0, which the specification does not define"),
        ] as [(UInt16, UInt8, String, String)],
        [true, false]
    )
    func refused(_ row: (opcode: UInt16, status: UInt8, name: String, meaning: String), byStatus: Bool) async throws {
        let controller = try ScriptedController { opcode, _ in
            if opcode == 0x2041 { return [ScriptedController.complete(opcode, [0x01])] }
            guard opcode == row.opcode else { return nil }
            return [
                byStatus
                    ? ScriptedController.status(opcode, row.status) : ScriptedController.complete(opcode, [row.status])
            ]
        }
        var batches = HCIScanner(.h4(controller), clock: SteppedClock()).batches().makeAsyncIterator()
        let error = await #expect(throws: HCIError.self) { while try await batches.next() != nil {} }
        #expect(error == .refused(command: row.name, status: HCIStatus(rawValue: row.status)))
        #expect(error?.description == "the controller refused ‘\(row.name)’: \(row.meaning)")
    }

    @Test("a success status is provisional: the command's completion still counts")
    func pending() async throws {
        let controller = try ScriptedController { opcode, _ in
            opcode == 0x200B
                ? [ScriptedController.status(opcode, 0), ScriptedController.complete(opcode, [0x12])] : nil
        }
        var batches = HCIScanner(.h4(controller), clock: SteppedClock()).batches().makeAsyncIterator()
        let error = await #expect(throws: HCIError.self) { while try await batches.next() != nil {} }
        #expect(error == .refused(command: "LE Set Scan Parameters", status: HCIStatus(rawValue: 0x12)))
    }

    @Test("a refusal to disable a stopped scan is ignored")
    func disableRefused() async throws {
        let controller = try ScriptedController { opcode, parameters in
            opcode == 0x200C && parameters[0] == 0 ? [ScriptedController.complete(opcode, [0x0C])] : nil
        }
        #expect(
            try await firstHeard(controller, HCIScanner(.h4(controller), clock: SteppedClock()))?.identities == [
                Report.identity
            ])
    }

    @Test("truncated features are an error")
    func shortFeatures() async throws {
        let controller = try ScriptedController { opcode, _ in
            opcode == 0x2003 ? [ScriptedController.complete(opcode, [0, 1, 2])] : nil
        }
        var batches = HCIScanner(.h4(controller), clock: SteppedClock()).batches().makeAsyncIterator()
        let error = await #expect(throws: HCIError.self) { while try await batches.next() != nil {} }
        #expect(error == .malformedAnswer(command: "LE Read Local Supported Features"))
    }

    @Test("replies to other commands, and truncated replies, are ignored")
    func otherAnswers() async throws {
        let controller = try ScriptedController { opcode, _ in
            guard opcode == 0x0C03 else { return nil }
            return [
                ScriptedController.complete(0x0000), ScriptedController.complete(0x1009, [0x0C]), [0x04, 0x0E, 0x00],
                [0x04, 0x0F, 0x02, 0x0C, 0x01], ScriptedController.complete(opcode),
                ScriptedController.complete(opcode),
            ]
        }
        let scanner = HCIScanner(.h4(controller), clock: SteppedClock())
        #expect(try await firstHeard(controller, scanner)?.identities == [Report.identity])
        #expect(scanner.radioHealth.malformed == 2)
    }

    @Test("a controller that does not reply is an error after a time-out")
    func silent() async throws {
        let clock = SteppedClock()
        let controller = try ScriptedController { _, _ in [] }
        let scanner = HCIScanner(.h4(controller), clock: clock)
        let batches = scanner.batches()
        await controller.commands { $0.count == 1 }
        let reading = Task { for try await _ in batches {} }
        await clock.sleepers()
        clock.advance(by: .seconds(3))
        await #expect(throws: HCIError.unanswered(command: "Reset")) { try await reading.value }
        #expect(scanner.radioHealth.state == .failed)
        #expect(scanner.radioHealth.lastError?.contains("unplug") == true)
    }

    @Test("intervals are sent in units of 0.625 ms")
    func options() async throws {
        let controller = try ScriptedController()
        let options = try HCIScanOptions(isActive: true, interval: .milliseconds(100), window: .microseconds(11_250))
        _ = try await firstHeard(controller, HCIScanner(.h4(controller), options: options, clock: SteppedClock()))
        #expect(controller.commands.contains(Command(0x200B, [1, 0xA0, 0, 18, 0, 0, 0])))
    }

    @Test(
        "intervals that no controller accepts are refused",
        arguments: [(0.0024, 0.0024), (10.3, 1), (1, 0.002), (1, 1.001), (-1, -1), (1e15, 1)]
    )
    func badOptions(interval: Double, window: Double) {
        #expect(throws: HCIError.self) { try HCIScanOptions(interval: .seconds(interval), window: .seconds(window)) }
    }
}
