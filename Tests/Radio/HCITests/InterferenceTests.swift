import Beacons
import Glibc
import Scanning
import Synchronization
import TestSupport
import Testing

@testable import HCI

/// A radio is shared with bluetoothd and can be unplugged: a station must recover by itself.
@Suite struct InterferenceTests {
    /// A scanner on a stepped clock that is already scanning.
    private struct Scene {
        let clock = SteppedClock()
        let controller: ScriptedController
        let scanner: HCIScanner
        let batches: LiveBatches

        init(
            _ kind: __socket_type = SOCK_SEQPACKET, script: @escaping ScriptedController.Script = { _, _ in nil }
        ) async throws {
            controller = try ScriptedController(kind, script: script)
            scanner = HCIScanner(kind == SOCK_STREAM ? .h4(controller) : .raw(controller), clock: clock)
            batches = scanner.batches()
            await controller.scanning()
            var iterator = batches.makeAsyncIterator()
            controller.send(event: Report.legacy())
            _ = try await iterator.nextHeard()
            // The reply to the last command came before this report; what it leads to may come after it.
            try await eventually("the scan has begun") { [scanner] in scanner.radioHealth.state == .scanning }
        }
    }

    @Test(
        "a scan that another program changed is restarted",
        arguments: [0x200B, 0x200C, 0x2041, 0x2042, 0x0C03] as [UInt16]
    )
    func restarted(opcode: UInt16) async throws {
        let scene = try await Scene()
        scene.controller.send(ScriptedController.complete(opcode))
        scene.controller.send(event: Report.legacy())
        var iterator = scene.batches.makeAsyncIterator()
        _ = try await iterator.nextHeard()
        await scene.clock.advance(by: .seconds(2), inStepsOf: HCISession.tick)
        await scene.controller.scanning(2)
        await scene.scanner.stop()
        #expect(scene.scanner.radioHealth.recoveries == [.restartScan: 1])
        #expect(scene.scanner.radioHealth.lastError == "another program changed the scan")
    }

    @Test("refused commands from another program, and those for other adapters, do not restart the scan")
    func undisturbed() async throws {
        let scene = try await Scene()
        scene.controller.send(ScriptedController.complete(0x200C, [0x0C]))
        scene.controller.send(ScriptedController.status(0x200B, 0x12))
        scene.controller.send(ScriptedController.complete(0x2003, [0, 0, 0, 0, 0, 0, 0, 0, 0]))
        scene.controller.send(ScriptedController.complete(0x1009))
        scene.controller.send(event: Report.legacy())
        var iterator = scene.batches.makeAsyncIterator()
        _ = try await iterator.nextHeard()
        await scene.clock.advance(by: .seconds(5), inStepsOf: HCISession.tick)
        await scene.scanner.stop()
        #expect(scene.scanner.radioHealth.recoveries == [:])
    }

    @Test("after 30 seconds of silence the scan is restarted")
    func silence() async throws {
        let scene = try await Scene()
        await scene.clock.advance(by: .seconds(29), inStepsOf: HCISession.tick)
        #expect(scene.scanner.radioHealth.recoveries == [:])
        await scene.clock.advance(by: .seconds(2), inStepsOf: HCISession.tick)
        await scene.controller.scanning(2)
        #expect(scene.scanner.radioHealth.recoveries == [.restartScan: 1])
        await scene.scanner.stop()
    }

    @Test("there is a batch every second, and time does not go back")
    func beats() async throws {
        let scene = try await Scene()
        let reading = Task {
            var times: [ScanInstant] = []
            for try await batch in scene.batches {
                times.append(batch.time)
                if times.count == 10 { break }
            }
            return times
        }
        await scene.clock.advance(by: .seconds(10), inStepsOf: HCISession.tick)
        let times = try await reading.value
        for (time, next) in zip(times, times.dropFirst()) {
            #expect((.zero...(.seconds(1))).contains(time.duration(to: next)))
        }
        await scene.scanner.stop()
    }

    @Test("another program's scan that was taken over continues at the end")
    func takenOver() async throws {
        // Until the first disable another program scans, and the controller rejects parameters.
        let isFree = Atomic(false)
        let scene = try await Scene(script: { opcode, parameters in
            if opcode == 0x200C { isFree.store(true, ordering: .relaxed) }
            guard opcode == 0x200B, !isFree.load(ordering: .relaxed) else { return nil }
            return [ScriptedController.complete(opcode, [0x0C])]
        })
        await scene.scanner.stop()
        #expect(scene.controller.commands.last == ScriptedController.enables[0])
    }

    @Test("late and duplicate replies do not count for the next command")
    func lateAnswers() async throws {
        let scene = try await Scene(script: { opcode, _ in
            opcode == 0x200B
                ? [
                    ScriptedController.complete(0x2003), ScriptedController.complete(opcode),
                    ScriptedController.complete(opcode, [0x12]),
                ] : nil
        })
        #expect(scene.controller.commands.filter { $0.opcode == 0x200C }.count == 2)
        #expect(scene.scanner.radioHealth.lastError == nil)
        await scene.scanner.stop()
    }

    @Test("invalid data on a stream ends the sequence with an error that names it")
    func garbage() async throws {
        let scene = try await Scene(SOCK_STREAM)
        scene.controller.send([0xAA, 0xBB])
        await #expect(throws: HCIError.lostSynchronisation(octet: 0xAA)) {
            for try await _ in scene.batches {}
        }
        #expect(scene.scanner.radioHealth.state == .failed)
    }

    @Test("a connection that closes ends the sequence with an error, after everything that was heard")
    func hangUp() async throws {
        let scene = try await Scene(SOCK_STREAM)
        scene.controller.send(event: Report.legacy() + [0x04, 0x3E, 0x20])
        await scene.controller.flushed()
        scene.controller.hangUp()
        var heard: [BeaconIdentity] = []
        await #expect(throws: HCIError.closed(target: "h4")) {
            for try await batch in scene.batches { heard += batch.identities }
        }
        #expect(heard == [Report.identity])
    }

    @Test("cancellation returns to the reader only after the controller has been told to stop")
    func cancelled() async throws {
        let scene = try await Scene()
        let reading = Task { for try await _ in scene.batches {} }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(scene.controller.commands.last == ScriptedController.disables[0])
        #expect(scene.scanner.radioHealth.state == .idle)
    }

    @Test("the scan also ends if the reader goes away without cancelling")
    func abandoned() async throws {
        let controller = try ScriptedController()
        do {
            let batches = HCIScanner(.h4(controller), clock: SteppedClock()).batches()
            await controller.scanning()
            _ = batches
        }
        await controller.commands { $0.last == ScriptedController.disables[0] && $0.count > 5 }
    }

    @Test("a second call ends the sequence of the first")
    func superseded() async throws {
        let first = try ScriptedController()
        let scanner = HCIScanner(.h4(first), clock: SteppedClock())
        let batches = scanner.batches()
        await first.scanning()
        var second = scanner.batches().makeAsyncIterator()
        for try await _ in batches {}
        #expect(first.commands.last == ScriptedController.disables[0])
        // The descriptor was for one session.
        await #expect(throws: HCIError.notReopenable(target: "h4")) { while try await second.next() != nil {} }
    }

    @Test("a listener sends nothing and hears its adapter's controller")
    func listener() async throws {
        let controller = try ScriptedController(SOCK_SEQPACKET)
        let access = HCIAccess.connected(
            adapter: "hci1", descriptor: controller.hostEnd, role: .listener, framing: .monitor(index: 1)
        )
        let scanner = HCIScanner(access)
        var batches = scanner.batches().makeAsyncIterator()
        controller.send([3, 0, 0, 0, 44, 0] + Report.legacy(rssi: -90))
        controller.send([3, 0, 1, 0, 44, 0] + Report.legacy(rssi: -40))
        #expect(try await batches.nextHeard()?.advertisements.map(\.rssi) == [-40])
        await scanner.stop()
        #expect(controller.commands == [])
    }

    @Test("fragments of an extended report are joined to one report")
    func fragments() async throws {
        let scene = try await Scene(SOCK_STREAM)
        let data = IBeacon(identity: Report.identity, measuredPower: -59).advertisingData
        let stream =
            [0x04] + Report.extended(type: 0x0020, data: Array(data.prefix(11))) + [0x04]
            + Report.extended(type: 0x0000, data: Array(data.dropFirst(11)))
        for piece in [stream.prefix(7), stream[7..<60], stream[60...]] { scene.controller.send(Array(piece)) }
        var iterator = scene.batches.makeAsyncIterator()
        #expect(try await iterator.nextHeard()?.identities == [Report.identity])
        await scene.scanner.stop()
    }
}
