import Beacons
import TestSupport
import Testing

@testable import HCI

/// A stream can be split anywhere; a frame that is lost in this way is a bike that is missed.
@Suite struct H4FramerTests {
    private static let events: [[UInt8]] = [
        Report.legacy(), [0x0E, 4, 1, 3, 0x0C, 0], [0x13, 0], [0x3E, 255] + Array(repeating: 7, count: 255),
    ]
    /// Events among packets of every other type.
    private static let stream: [UInt8] =
        [0x02, 0x01, 0x00, 0x03, 0x00, 4, 4, 4] + [0x04] + events[0] + [0x03, 0, 0, 1, 4] + [0x04] + events[1]
        + [0x05, 0, 0, 2, 0xC0, 4, 4] + [0x04] + events[2] + [0x01, 3, 0x0C, 0] + [0x04] + events[3]

    private func cut(_ stream: [UInt8], lengths: () -> Int) throws -> [[UInt8]] {
        var framer = H4Framer()
        var events: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(max(1, lengths())))
            rest = rest.dropFirst(piece.count)
            try framer.append(piece.span.bytes) { event in events.append(event.withUnsafeBytes { Array($0) }) }
        }
        return events
    }

    @Test("events are reassembled from chunks of any size", arguments: 1...12)
    func pieces(length: Int) throws {
        #expect(try cut(Self.stream, lengths: { length }) == Self.events)
        var generator = SeededGenerator(seed: UInt64(length))
        #expect(try cut(Self.stream, lengths: { Int.random(in: 1...300, using: &generator) }) == Self.events)
    }

    @Test("an incomplete event is held until the rest arrives")
    func partial() throws {
        #expect(try cut(Self.stream.dropLast(), lengths: { 50 }) == Self.events.dropLast())
    }

    @Test("an invalid packet type is an error that names it", arguments: [0x00, 0x06, 0x10, 0xFF] as [UInt8])
    func garbage(octet: UInt8) {
        #expect(throws: HCIError.lostSynchronisation(octet: octet)) {
            try cut([0x04] + Self.events[0] + [octet, 4, 4], lengths: { 64 })
        }
    }

    @Test("random streams end in an error or in events, and never crash")
    func random() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let stream = (0..<200).map { _ in UInt8.random(in: 0...8, using: &generator) }
            _ = try? cut(stream, lengths: { Int.random(in: 1...20, using: &generator) })
        }
    }

    @Test("the monitor channel yields only events from the selected adapter")
    func monitor() throws {
        var framing = PacketFraming.monitor(index: 1)
        var events: [[UInt8]] = []
        let packets: [[UInt8]] = [
            [3, 0, 1, 0, 2, 0, 0x13, 0], [3, 0, 0, 0, 2, 0, 0x14, 0], [2, 0, 1, 0, 2, 0, 0x15, 0], [3, 0, 1, 0, 0],
            [0, 0, 1, 0, 0, 0], [],
        ]
        for packet in packets {
            try framing.append(packet.span.bytes) { event in events.append(event.withUnsafeBytes { Array($0) }) }
        }
        #expect(events == [[0x13, 0]])
    }
}
