import Beacons

/// One record of a capture: when it was made, and the HCI event that it holds, if any.
struct BTSnoopRecord {
    /// Unix time.
    let time: ScanInstant
    /// Which controller spoke; 0 where the datalink does not tell.
    let controller: UInt16
    /// Where the event lies in the parser's bytes, until more are appended; nil for every other packet.
    fileprivate let event: Range<Int>?
}

/// Reads a btsnoop capture from bytes that come in pieces of any size.
///
/// ```swift
/// parser.append(piece)
/// while let record = try parser.next() { parser.withEvent(of: record) { … } }
/// ```
/// It holds one piece and the beginning of one record at most. After an error each further call throws it again.
struct BTSnoopParser {
    private var bytes: [UInt8] = []
    /// What the packets are; nil until the header is complete.
    private var datalink: BTSnoop.Datalink?
    /// Where the next record begins in ``bytes``.
    private var position = 0
    /// Where ``bytes`` begin in the capture.
    private var origin = 0

    mutating func append(_ piece: RawSpan) {
        bytes.removeSubrange(..<position)
        origin += position
        position = 0
        piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// The next whole record, or nil where more bytes are needed.
    mutating func next() throws(BTSnoopError) -> BTSnoopRecord? {
        guard let datalink = try readDatalink(), let length = try includedLength() else { return nil }
        let start = position + BTSnoop.recordHeaderLength
        guard length <= bytes.count - start else { return nil }
        let flags = integer(at: position + 8, as: UInt32.self)
        let stamp = integer(at: position + 16, as: Int64.self)
        position = start + length
        return BTSnoopRecord(
            time: BTSnoop.instant(timestamp: stamp),
            controller: datalink == .monitor ? UInt16(truncatingIfNeeded: flags >> 16) : 0,
            event: event(in: start..<position, flags: flags, datalink: datalink)
        )
    }

    /// Calls `body` with the event of the record last returned, if it has one.
    func withEvent(of record: BTSnoopRecord, _ body: (RawSpan) -> Void) {
        guard let event = record.event else { return }
        body(bytes.span.bytes.extracting(event))
    }

    /// The event that a packet is. An empty H4 packet counts as one, so that its damage is seen.
    private func event(in packet: Range<Int>, flags: UInt32, datalink: BTSnoop.Datalink) -> Range<Int>? {
        switch datalink {
        case .hci: flags & BTSnoop.receivedEvent == BTSnoop.receivedEvent ? packet : nil
        case .monitor: flags & 0xFFFF == BTSnoop.monitorEvent ? packet : nil
        case .h4 where packet.isEmpty: packet
        case .h4: bytes[packet.lowerBound] == BTSnoop.h4Event ? packet.dropFirst() : nil
        }
    }

    /// What is missing if the capture ends here; nil where it ends with a whole record.
    func truncation() throws(BTSnoopError) -> CaptureTruncation? {
        let left = bytes.count - position
        guard datalink != nil else { throw BTSnoopError.incompleteHeader(byteCount: left) }
        guard left > 0 else { return nil }
        let needed = try BTSnoop.recordHeaderLength + (includedLength() ?? 0)
        return CaptureTruncation(offset: origin + position, missingByteCount: needed - left)
    }

    private func integer<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
        bytes.span.bytes.bigEndian(offset, as: type)
    }

    /// The length of the packet of the record at the position; nil where its header is not complete.
    private func includedLength() throws(BTSnoopError) -> Int? {
        guard bytes.count - position >= BTSnoop.recordHeaderLength else { return nil }
        let length = integer(at: position + 4, as: UInt32.self)
        guard length <= UInt32(BTSnoop.maximumRecordLength) else {
            throw BTSnoopError.oversizedRecord(offset: origin + position, byteCount: length)
        }
        return Int(length)
    }

    /// The datalink of the header, which is checked as far as it has come, so that a wrong file is told by its first bytes.
    private mutating func readDatalink() throws(BTSnoopError) -> BTSnoop.Datalink? {
        if let datalink { return datalink }
        guard bytes.starts(with: BTSnoop.magic.prefix(bytes.count)) else { throw BTSnoopError.notBTSnoop }
        guard bytes.count >= BTSnoop.headerLength else { return nil }
        let version = integer(at: 8, as: UInt32.self)
        guard version == BTSnoop.version else { throw BTSnoopError.unsupportedVersion(version) }
        let code = integer(at: 12, as: UInt32.self)
        guard let datalink = BTSnoop.Datalink(rawValue: code) else { throw BTSnoopError.unsupportedDatalink(code) }
        self.datalink = datalink
        position = BTSnoop.headerLength
        return datalink
    }
}
