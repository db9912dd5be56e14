import Beacons

/// The layout of a btsnoop capture, shared by its reader and its writer.
///
/// It has a 16-byte header (`btsnoop\0`, version, datalink), and then records, each with a 24-byte header (original
/// length, included length, flags, drops, time stamp) and the packet. All integers are big-endian. BlueZ's
/// `doc/btsnoop.txt` describes the format.
enum BTSnoop {
    static let magic: [UInt8] = Array("btsnoop\0".utf8)
    static let version: UInt32 = 1
    static let headerLength = 16
    static let recordHeaderLength = 24

    /// The maximum length of a record. An HCI packet has at most 65,540 bytes; a longer record is damaged.
    static let maximumRecordLength = 1 << 20

    /// Flags of a received event (datalinks 1001 and 1002): bit 0 received, bit 1 command or event.
    static let receivedEvent: UInt32 = 0b11

    /// The opcode of an event in a monitor capture: the low 16 bits of the flags; the high 16 bits are the controller's
    /// number.
    static let monitorEvent: UInt32 = 3

    /// The packet type of an event, which precedes each packet in an H4 stream (Core Specification 5.4, volume 4, part
    /// A, section 2).
    static let h4Event: UInt8 = 0x04

    /// The format of a record's packet.
    enum Datalink: UInt32, CaseIterable {
        /// HCI packets without a type octet; the flags distinguish events from data.
        case hci = 1001
        /// HCI packets after an H4 packet type octet, as written by Android, BlueZ's `hcidump` and this project.
        case h4 = 1002
        /// The Linux monitor channel, as written by `btmon -w`: the flags are controller and opcode.
        case monitor = 2001
    }

    /// The Unix epoch in a record's time stamps, which count microseconds from midnight, 1 January of the year 0.
    private static let unixEpoch: Int64 = 0x00E0_3AB4_4A67_6000 - 946_684_800_000_000

    /// A record's time stamp as nanoseconds since the Unix epoch, saturated at the ends of the range.
    static func instant(timestamp: Int64) -> ScanInstant {
        let (microseconds, underflow) = timestamp.subtractingReportingOverflow(unixEpoch)
        guard !underflow else { return ScanInstant(nanoseconds: .min) }
        let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        guard overflow else { return ScanInstant(nanoseconds: nanoseconds) }
        return ScanInstant(nanoseconds: microseconds < 0 ? .min : .max)
    }

    /// The time stamp of an instant in Unix nanoseconds, rounded down to the microsecond.
    static func timestamp(unixNanoseconds: Int64) -> Int64 {
        let (microseconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: 1000)
        return microseconds - (rest < 0 ? 1 : 0) + unixEpoch
    }
}
