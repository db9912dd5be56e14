import Beacons

/// Parses a btsnoop capture from bytes that arrive in chunks of any size.
///
/// ```swift
/// parser.append(piece)
/// while let record = try parser.next() { parser.withEvent(of: record) { … } }
/// ```
/// It holds at most one chunk and the beginning of one record. After an error, each further call throws it again.
struct BTSnoopParser {
    private var bytes: [UInt8] = []
    /// The format of the packets; nil until the header is complete.
    private var datalink: BTSnoop.Datalink?
    /// The position of the next record in ``bytes``.
    private var position = 0
    /// The offset of ``bytes`` in the capture.
    private var origin = 0

    /// Adds the next bytes of the capture; drops those of records that were returned.
    mutating func append(_ piece: RawSpan) {
        bytes.removeSubrange(..<position)
        origin += position
        position = 0
        piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// The next complete record, or nil if more bytes are needed.
    mutating func next() throws(BTSnoopError) -> BTSnoopRecord? {
        guard let datalink = try readDatalink(), let length = try includedLength() else { return nil }
        let start = position + BTSnoop.recordHeaderLength
        guard length <= bytes.count - start else { return nil }
        // The fields of the record's header (``BTSnoop``): flags at 8, time stamp at 16.
        let flags = integer(at: position + 8, as: UInt32.self)
        let stamp = integer(at: position + 16, as: Int64.self)
        position = start + length
        return BTSnoopRecord(
            time: BTSnoop.instant(timestamp: stamp),
            controller: datalink == .monitor ? UInt16(truncatingIfNeeded: flags >> 16) : 0,
            event: event(in: start..<position, flags: flags, datalink: datalink)
        )
    }

    /// Calls `body` with the event of the last returned record, if it has one.
    func withEvent(of record: BTSnoopRecord, _ body: (RawSpan) -> Void) {
        guard let event = record.event else { return }
        body(bytes.span.bytes.extracting(event))
    }

    /// The range of the event in a packet. An empty H4 packet counts as an event, so that the damage is noticed.
    private func event(in packet: Range<Int>, flags: UInt32, datalink: BTSnoop.Datalink) -> Range<Int>? {
        switch datalink {
        case .hci: flags & BTSnoop.receivedEvent == BTSnoop.receivedEvent ? packet : nil
        case .monitor: flags & 0xFFFF == BTSnoop.monitorEvent ? packet : nil
        case .h4 where packet.isEmpty: packet
        case .h4: bytes[packet.lowerBound] == BTSnoop.h4Event ? packet.dropFirst() : nil
        }
    }

    /// The bytes that are missing if the capture ends here; nil if it ends with a complete record.
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

    /// The length of the packet in the record at the current position; nil if its header is not complete.
    private func includedLength() throws(BTSnoopError) -> Int? {
        guard bytes.count - position >= BTSnoop.recordHeaderLength else { return nil }
        let length = integer(at: position + 4, as: UInt32.self)
        guard length <= UInt32(BTSnoop.maximumRecordLength) else {
            throw BTSnoopError.oversizedRecord(offset: origin + position, byteCount: length)
        }
        return Int(length)
    }

    /// The datalink in the header. The header is checked as it arrives, so that a wrong file is rejected by its first
    /// bytes.
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

/// One record of a capture: its time, and the HCI event that it contains, if any.
struct BTSnoopRecord {
    /// The Unix time of the record.
    let time: ScanInstant
    /// The number of the controller; 0 if the datalink does not contain it.
    let controller: UInt16
    /// The range of the event in the parser's bytes, valid until more are appended; nil for every other packet.
    fileprivate let event: Range<Int>?
}
