import Beacons
import Testing

@testable import Scanning

/// Captures come from many machines and may be truncated anywhere; their content must be found, and damage reported.
@Suite struct BTSnoopParserTests {
    /// All records and the number of bytes missing at the end.
    private func parse(
        _ bytes: [UInt8],
        pieceLength: Int = .max
    ) throws(BTSnoopError) -> (records: [BTSnoopRecord], truncation: CaptureTruncation?) {
        var parser = BTSnoopParser()
        var records: [BTSnoopRecord] = []
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(pieceLength)
            parser.append(piece.span.bytes)
            rest = rest.dropFirst(pieceLength)
            while let record = try parser.next() { records.append(record) }
        } while !rest.isEmpty
        return (records, try parser.truncation())
    }

    @Test("a capture can be split into chunks of any size", arguments: [1, 7, 24, 1000, .max])
    func pieces(length: Int) throws {
        let (records, truncation) = try parse(Fixture.bytes("kernel_monitor_vbeacon.btsnoop"), pieceLength: length)
        #expect(records.count == 421)
        #expect(truncation == nil)
    }

    @Test("a file that is not a capture is recognised by its first bytes and refused")
    func notBTSnoop() {
        for bytes in [Array("<html>".utf8), [0], Array("btsnoop!".utf8), Array(repeating: 0xFF, count: 100)] {
            #expect(throws: BTSnoopError.notBTSnoop) { try parse(bytes) }
        }
    }

    @Test("an incomplete header is reported", arguments: 0..<16)
    func incompleteHeader(length: Int) {
        #expect(throws: BTSnoopError.incompleteHeader(byteCount: length)) {
            try parse(Array(SyntheticCapture().bytes.prefix(length)))
        }
    }

    @Test("other versions and datalinks are refused, and the message names the supported ones")
    func unsupported() {
        #expect(throws: BTSnoopError.unsupportedVersion(2)) { try parse(SyntheticCapture(version: 2).bytes) }
        #expect(throws: BTSnoopError.unsupportedDatalink(1003)) { try parse(SyntheticCapture(datalink: 1003).bytes) }
        #expect("\(BTSnoopError.unsupportedDatalink(1003))".contains("1001 (HCI), 1002 (H4) and 2001"))
    }

    @Test("a record of absurd length is reported as damage, with its position")
    func oversizedRecord() throws {
        var capture = SyntheticCapture()
        capture.record(at: 0, [4, 0x0E, 0])
        let offset = capture.bytes.count
        capture.record(at: 1, [4, 0x0E, 0])
        var bytes = capture.bytes
        bytes.replaceSubrange(offset + 4..<offset + 8, with: [0x00, 0x10, 0x00, 0x01])
        #expect(throws: BTSnoopError.oversizedRecord(offset: offset, byteCount: 1 << 20 + 1)) { try parse(bytes) }
        #expect("\(BTSnoopError.oversizedRecord(offset: 43, byteCount: 9))".contains("truncate -s 43"))
    }

    @Test(
        "time stamps are converted to Unix time and saturate at its limits",
        arguments: [
            (SyntheticCapture.epoch, 0),
            (SyntheticCapture.epoch - 1, -1000),
            // The first record of legacy_govee_fake_ibeacon.btsnoop, whose time tshark prints.
            (0x00E2_97F1_0004_17FD, 1_612_150_079_789_053_000),
            (.min, .min),
            (.max, .max),
            (0, .min),
        ] as [(Int64, Int64)]
    )
    func time(stamp: Int64, nanoseconds: Int64) throws {
        var capture = SyntheticCapture()
        capture.record(stamp: stamp, [])
        #expect(try parse(capture.bytes).records.map(\.time.nanoseconds) == [nanoseconds])
    }

    @Test(
        "written times are read back, to the microsecond",
        arguments: [0, 999, -1, -1001, .min, .max] as [Int64])
    func timeRoundTrip(nanoseconds: Int64) {
        let read = BTSnoop.instant(timestamp: BTSnoop.timestamp(unixNanoseconds: nanoseconds)).nanoseconds
        #expect(read <= nanoseconds && nanoseconds.subtractingReportingOverflow(read).partialValue < 1000)
    }

    @Test(
        "only received events are read",
        arguments: [
            // 1001: flag bit 0 means received, bit 1 command or event.
            (1001, 3, [0x3E, 0], [0x3E, 0]), (1001, 2, [0x3E, 0], nil), (1001, 1, [0x3E, 0], nil), (1001, 0, [], nil),
            // 1002: the packet type: command, ACL, SCO, event, ISO, vendor-specific; an empty packet is damage.
            (1002, 3, [4, 0x3E, 0], [0x3E, 0]), (1002, 0, [4, 0x3E], [0x3E]), (1002, 2, [1, 3, 0x0C, 0], nil),
            (1002, 1, [2, 0, 0], nil), (1002, 1, [3, 0, 0], nil), (1002, 1, [5, 0], nil), (1002, 3, [0xFE], nil),
            (1002, 3, [], []),
            // 2001: the opcode: event; command, ACL, system note, index information; then another controller's event.
            (2001, 3, [0x3E, 0], [0x3E, 0]), (2001, 2, [3, 0x0C, 0], nil), (2001, 5, [0, 0], nil),
            (2001, 0xFFFF_000C, [0x4C], nil), (2001, 10, [0x4C], nil), (2001, 0x0002_0003, [0x3E, 0], [0x3E, 0]),
        ] as [(UInt32, UInt32, [UInt8], [UInt8]?)]
    )
    func event(datalink: UInt32, flags: UInt32, packet: [UInt8], expected: [UInt8]?) throws {
        var capture = SyntheticCapture(datalink: datalink)
        capture.record(at: 0, flags: flags, packet)
        var parser = BTSnoopParser()
        parser.append(capture.bytes.span.bytes)
        let record = try #require(try parser.next())
        var event: [UInt8]?
        parser.withEvent(of: record) { bytes in event = bytes.withUnsafeBytes { Array($0) } }
        #expect(event == expected)
        #expect(record.controller == (datalink == 2001 ? UInt16(flags >> 16) : 0))
    }
}
