import Beacons
import Scanning
import Testing

/// A beacon may be in the second fragment of a long report; and no stream of fragments may fill the memory.
@Suite struct FragmentTests {
    /// A scanner that receives one extended report at a time.
    private struct Radio {
        var parser = HCIEventParser()
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: 0))

        /// Data status 0 is complete, 1 more to come, 2 truncated, 3 reserved.
        mutating func hear(
            status: UInt16,
            _ data: [UInt8],
            address: UInt64 = 1,
            sid: UInt8 = 0,
            type: UInt16 = 0,
            rssi: Int8 = -60,
            controller: UInt16 = 0,
            at seconds: Double = 0
        ) {
            let event = Event.extended(
                .init(type: type | status << 5, address: address, sid: sid, rssi: rssi, data: data)
            )
            let time = ScanInstant(nanoseconds: Int64(seconds * 1e9))
            parser.parse(event.span.bytes, at: time, controller: controller, into: &batch)
            batch.time = max(batch.time, time)
        }

        var data: [[UInt8]] { batch.heard.map(\.data) }
    }

    @Test("fragments become one report, with the last known signal strength and the time of its end")
    func reassembly() {
        var radio = Radio()
        radio.hear(status: 1, Array(repeating: 1, count: 229), rssi: -50)
        radio.hear(status: 1, [2, 2], rssi: -70, at: 0.1)
        #expect(radio.batch.isEmpty)
        radio.hear(status: 0, [3], rssi: 127, at: 0.2)
        #expect(radio.data == [Array(repeating: 1, count: 229) + [2, 2, 3]])
        #expect(radio.batch.advertisements.map(\.rssi) == [-70])
        #expect(radio.batch.advertisements.map(\.time.nanoseconds) == [200_000_000])
        #expect(radio.parser.truncatedReports == 0)
    }

    @Test("fragments from different advertisers, sets and controllers are kept apart")
    func interleaved() {
        var radio = Radio()
        radio.hear(status: 1, [1])
        radio.hear(status: 1, [2], address: 2)
        radio.hear(status: 1, [3], sid: 7)
        radio.hear(status: 1, [4], controller: 1)
        radio.hear(status: 0, [30], sid: 7)
        radio.hear(status: 0, [40], controller: 1)
        radio.hear(status: 0, [10])
        radio.hear(status: 0, [20], address: 2)
        #expect(radio.data == [[3, 30], [4, 40], [1, 10], [2, 20]])
    }

    @Test("a report truncated by the controller is delivered as received, and counted", arguments: [2, 3] as [UInt16])
    func cut(status: UInt16) {
        var radio = Radio()
        radio.hear(status: 1, [1])
        radio.hear(status: status, [2])
        radio.hear(status: status, [9], address: 2)
        #expect(radio.data == [[1, 2], [9]])
        #expect(radio.parser.truncatedReports == 2)
        #expect(radio.batch.malformed == 0)
    }

    @Test("a legacy report is always complete, whatever its status bits say")
    func legacy() {
        var radio = Radio()
        radio.hear(status: 1, [1], type: 0x10)
        #expect(radio.data == [[1]])
        #expect(radio.parser.truncatedReports == 0)
    }

    @Test("a scan response does not continue an advertisement that lost its end")
    func otherEvent() {
        var radio = Radio()
        radio.hear(status: 1, [1])
        radio.hear(status: 0, [2], type: 0x08)
        #expect(radio.data == [[1], [2]])
        #expect(radio.parser.truncatedReports == 1)
    }

    @Test("a fragment does not continue an old report, which is not delivered as new")
    func stale() {
        var radio = Radio()
        radio.hear(status: 1, [1])
        radio.hear(status: 0, [2], at: 1.1)
        #expect(radio.data == [[2]])
        #expect(radio.parser.truncatedReports == 1)
    }

    @Test("at most 64 reports wait; then the oldest is delivered as received")
    func tooMany() {
        var radio = Radio()
        for address in 1...65 as ClosedRange<UInt64> { radio.hear(status: 1, [UInt8(address)], address: address) }
        #expect(radio.data == [[1]])
        for address in 2...65 as ClosedRange<UInt64> { radio.hear(status: 0, [0], address: address) }
        #expect(radio.batch.advertisements.count == 65)
        #expect(radio.parser.truncatedReports == 1)
    }

    @Test("an endless report keeps 1,650 bytes")
    func tooLong() {
        var radio = Radio()
        for _ in 0..<1000 { radio.hear(status: 1, Array(repeating: 1, count: 200)) }
        radio.hear(status: 0, [2])
        #expect(radio.data == [Array(repeating: 1, count: 1650)])
        #expect(radio.parser.truncatedReports == 1)
    }

    @Test("reports still waiting at the end of a stream are delivered as received")
    func end() {
        var radio = Radio()
        radio.hear(status: 1, [1])
        radio.hear(status: 1, [2], address: 2, at: 0.5)
        radio.hear(status: 0, [3], address: 3, at: 1.2)
        radio.parser.finish(into: &radio.batch)
        #expect(radio.data == [[3], [2]])
        #expect(radio.parser.truncatedReports == 2)
    }
}
