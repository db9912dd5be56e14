import Beacons

/// Divides a stream into HCI packets (Core Specification 5.4, volume 4, part A), for chunks of any size.
///
/// It holds at most the beginning of one packet. After an error it stays out of synchronisation: only a new stream
/// helps.
struct H4Framer: Sendable {
    /// The beginning of the next packet.
    private var rest: [UInt8] = []

    /// Calls `body` with each event that is now complete; other packets are skipped.
    mutating func append(_ piece: RawSpan, _ body: (RawSpan) -> Void) throws(HCIError) {
        guard !rest.isEmpty else { return keep(piece, from: try Self.cut(piece, body)) }
        piece.withUnsafeBytes { rest.append(contentsOf: $0) }
        rest.removeSubrange(..<(try Self.cut(rest.span.bytes, body)))
    }

    /// Keeps the bytes of a piece from a position on.
    private mutating func keep(_ piece: RawSpan, from position: Int) {
        guard position < piece.byteCount else { return }
        piece.extracting(droppingFirst: position).withUnsafeBytes { rest.append(contentsOf: $0) }
    }

    /// Calls `body` with each complete event; returns the position of the first incomplete packet.
    private static func cut(_ bytes: RawSpan, _ body: (RawSpan) -> Void) throws(HCIError) -> Int {
        var position = 0
        while position < bytes.byteCount {
            guard let type = HCIPacketType(rawValue: bytes[byte: position]) else {
                throw .lostSynchronisation(octet: bytes[byte: position])
            }
            guard let length = length(of: type, bytes.extracting(droppingFirst: position + 1)),
                length <= bytes.byteCount - position - 1
            else { return position }
            if type == .event { body(bytes.extracting(position + 1..<position + 1 + length)) }
            position += 1 + length
        }
        return position
    }

    /// The length of a packet with its header; nil if the header is not complete.
    private static func length(of type: HCIPacketType, _ bytes: RawSpan) -> Int? {
        switch type {
        case .event: bytes.byteCount < 2 ? nil : 2 + Int(bytes[byte: 1])
        case .command, .synchronousData: bytes.byteCount < 3 ? nil : 3 + Int(bytes[byte: 2])
        case .asynchronousData: bytes.byteCount < 4 ? nil : 4 + Int(bytes.littleEndian(2, as: UInt16.self))
        case .isochronousData: bytes.byteCount < 4 ? nil : 4 + Int(bytes.littleEndian(2, as: UInt16.self) & 0x3FFF)
        }
    }
}
