import Beacons
import Dispatch
import TestSupport
import Testing

@testable import Scanning

/// A venue must not depend on a single radio.
@Suite struct MergedScannerTests {
    private static func at(_ seconds: Double) -> ScanInstant { ScanInstant(nanoseconds: Int64(seconds * 1e9)) }

    /// A radio that a test controls.
    private final class FakeRadio: RadioScanner {
        let adapter: String
        private let channel = BatchChannel()

        init(_ adapter: String) { self.adapter = adapter }

        var radioHealth: RadioHealth { RadioHealth(adapter: adapter) }
        var recoverySteps: [RecoveryStep] { [] }
        func recover(by step: RecoveryStep) async throws {}
        func batches() -> AsyncThrowingStream<AdvertisementBatch, any Error> { channel.batches }

        func hear(minor: UInt16, rssi: Int8, at seconds: Double) {
            let identity = BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 1, minor: minor)
            var batch = AdvertisementBatch(time: MergedScannerTests.at(seconds))
            batch.append(
                time: MergedScannerTests.at(seconds), address: BluetoothAddress(1), addressKind: .random, rssi: rssi,
                event: [],
                data: IBeacon(identity: identity, measuredPower: -59).advertisingData.span.bytes
            )
            _ = channel.send(batch)
        }

        func end(_ error: (any Error)? = nil) { channel.finish(throwing: error) }
    }

    private struct Unplugged: Error {}

    private let clock = SteppedClock()
    private let near = FakeRadio("hci0")
    private let far = FakeRadio("hci1")

    private func merged() -> LiveBatches.Iterator {
        MergedScanner([near, far], clock: clock).batches().makeAsyncIterator()
    }

    @Test("a frame that both radios hear is delivered once, from the stronger")
    func merges() async throws {
        var batches = merged()
        near.hear(minor: 1, rssi: -50, at: 1)
        #expect(try await batches.next()?.advertisements.map(\.rssi) == [-50])
        far.hear(minor: 1, rssi: -80, at: 1.1)
        far.hear(minor: 2, rssi: -80, at: 1.2)
        #expect(try await batches.next()?.heard.map(\.data[28]) == [2])
    }

    @Test("each batch names the radio that heard it")
    func names() async throws {
        var batches = merged()
        near.hear(minor: 1, rssi: -80, at: 1)
        #expect(try await batches.next()?.radio == "hci0")
        far.hear(minor: 1, rssi: -50, at: 1.1)
        #expect(try await batches.next()?.radio == "hci1")
    }

    @Test("a reader on the scanner's executor reads all that waits in one turn of the queue, so it cannot fall behind")
    func executor() async throws {
        let mark = DispatchSpecificKey<Bool>()
        RadioQueue.queue.setSpecific(key: mark, value: true)
        let turns = Tally()
        let scanner = MergedScanner([near, far], clock: clock)
        for minor in 1...3 as ClosedRange<UInt16> { near.hear(minor: minor, rssi: -80, at: Double(minor)) }
        let (isOnQueue, turnsBetween) = try await withTaskExecutorPreference(scanner.executor) {
            var batches = scanner.batches().makeAsyncIterator()
            _ = try await batches.next()
            RadioQueue.queue.async { turns.add() }
            for _ in 2...3 { _ = try await batches.next() }
            return (DispatchQueue.getSpecific(key: mark), turns.count)
        }
        #expect(isOnQueue == true && turnsBetween == 0)
    }

    @Test("time does not go back if one radio is behind the other")
    func time() async throws {
        var batches = merged()
        near.hear(minor: 1, rssi: -50, at: 2)
        _ = try await batches.next()
        far.hear(minor: 2, rssi: -50, at: 1)
        let batch = try await batches.next()
        #expect(batch?.time == Self.at(2))
        #expect(batch?.advertisements.map(\.time) == [Self.at(2)])
    }

    @Test("the beacons of a radio that fails or ends are taken over by the other", arguments: [true, false])
    func oneFails(fails: Bool) async throws {
        var batches = merged()
        near.hear(minor: 1, rssi: -50, at: 1)
        _ = try await batches.next()
        near.end(fails ? Unplugged() : nil)
        // Until the end has been seen, the weaker radio's frames are dropped.
        var time = 1.0
        let feeder = Task { [far] in
            while !Task.isCancelled {
                time += 0.001
                far.hear(minor: 1, rssi: -90, at: time)
                await Task.yield()
            }
        }
        #expect(try await batches.next()?.advertisements.first?.rssi == -90)
        feeder.cancel()
    }

    @Test("when the last radio has failed, the sequence throws its error")
    func allFail() async throws {
        var batches = merged()
        near.end()
        far.end(Unplugged())
        await #expect(throws: Unplugged.self) { while try await batches.next() != nil {} }
    }

    @Test("when all radios have ended, the sequence ends")
    func allEnd() async throws {
        var batches = merged()
        near.end()
        far.end()
        #expect(try await batches.next() == nil)
    }

    @Test("there is a batch every second, however silent the radios are")
    func beats() async throws {
        var batches = merged()
        for beat in 1...6 {
            await clock.sleepers()
            clock.advance(by: .milliseconds(500))
            #expect(try await batches.next() == AdvertisementBatch(time: Self.at(Double(beat) / 2)))
        }
    }

    @Test("a cancelled reader gets a cancellation error")
    func cancelled() async throws {
        let scanner = MergedScanner([near, far], clock: clock)
        let reading = Task { for try await _ in scanner.batches() {} }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test("a radio that joins is heard; an adapter joins only once")
    func joins() async throws {
        let radios = RadioSet([near], isOpen: true)
        var batches = MergedScanner(radios, clock: clock).batches().makeAsyncIterator()
        near.hear(minor: 1, rssi: -50, at: 1)
        #expect(try await batches.next()?.advertisements.map(\.rssi) == [-50])
        #expect(radios.join(far))
        #expect(!radios.join(FakeRadio("hci1")))
        far.hear(minor: 2, rssi: -60, at: 2)
        #expect(try await batches.next()?.advertisements.map(\.rssi) == [-60])
        near.end()
        far.hear(minor: 3, rssi: -70, at: 3)
        #expect(try await batches.next()?.advertisements.map(\.rssi) == [-70])
        #expect(!RadioSet([near]).join(far))
    }
}
