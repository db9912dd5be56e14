import Beacons

/// The framing of events in the bytes of a descriptor.
enum PacketFraming: Sendable {
    /// A stream of H4 packets.
    case h4(H4Framer)
    /// One H4 packet per read: a raw HCI socket.
    case packets
    /// One packet of the kernel's monitor channel per read; only the events of this adapter count.
    case monitor(index: UInt16)

    /// Calls `body` with each event that a read has completed.
    mutating func append(_ bytes: RawSpan, _ body: (RawSpan) -> Void) throws(HCIError) {
        switch self {
        case .h4(var framer):
            self = .packets  // avoids a copy of the framer's buffer
            defer { self = .h4(framer) }
            try framer.append(bytes, body)
        case .packets:
            guard bytes.byteCount > 0, bytes[byte: 0] == HCIPacketType.event.rawValue else { return }
            body(bytes.extracting(droppingFirst: 1))
        case .monitor(let index):
            // struct hci_mon_hdr: opcode, adapter, length, all little-endian (kernel, include/net/bluetooth/hci_mon.h).
            let header = 6
            guard bytes.byteCount >= header, bytes.littleEndian(0, as: UInt16.self) == Self.monitorEvent,
                bytes.littleEndian(2, as: UInt16.self) == index
            else { return }
            body(bytes.extracting(droppingFirst: header))
        }
    }

    /// HCI_MON_EVENT_PKT.
    private static let monitorEvent: UInt16 = 3
}
