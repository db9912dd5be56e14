import Foundation
import TestSupport

/// A capture built byte by byte from an independent reading of the format.
struct SyntheticCapture {
    private(set) var bytes: [UInt8]

    /// Unix time 0 in a record's time stamp.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    init(datalink: UInt32 = 1002, version: UInt32 = 1) {
        bytes = Array("btsnoop\0".utf8)
        integer(version)
        integer(datalink)
    }

    /// Appends a record; the time is Unix time in microseconds.
    mutating func record(at time: Int64, flags: UInt32 = 3, _ packet: [UInt8]) {
        record(stamp: Self.epoch + time, flags: flags, packet)
    }

    mutating func record(stamp: Int64, flags: UInt32 = 3, _ packet: [UInt8]) {
        integer(UInt32(packet.count))
        integer(UInt32(packet.count))
        integer(flags)
        integer(UInt32(0))
        integer(stamp)
        bytes += packet
    }

    private mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Saves the capture in a new folder.
    func saved(as name: String = "capture.btsnoop", in folder: TemporaryFolder) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }
}

/// Hand-made HCI events, without the H4 packet type.
enum Event {
    struct Report {
        var type: UInt16 = 0x0010
        var addressType: UInt8 = 1
        var address: UInt64 = 0xC0DE_0000_0001
        var sid: UInt8 = 0xFF
        var primaryPHY: UInt8 = 1
        var rssi: Int8 = -60
        var data: [UInt8] = [0x02, 0x01, 0x06]

        var addressBytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: address >> UInt64(8 * $0)) } }
    }

    /// LE Advertising Report; types are 0…4.
    static func legacy(_ reports: Report...) -> [UInt8] {
        var parameters = [0x02, UInt8(reports.count)]
        for report in reports {
            parameters += [UInt8(report.type), report.addressType]
            parameters += report.addressBytes
            parameters.append(UInt8(report.data.count))
            parameters += report.data
            parameters.append(UInt8(bitPattern: report.rssi))
        }
        return meta(parameters)
    }

    /// LE Extended Advertising Report.
    static func extended(_ reports: Report...) -> [UInt8] {
        var parameters = [0x0D, UInt8(reports.count)]
        for report in reports {
            parameters += [UInt8(report.type & 0xFF), UInt8(report.type >> 8), report.addressType]
            parameters += report.addressBytes
            parameters += [report.primaryPHY, 0, report.sid, 127, UInt8(bitPattern: report.rssi)]
            parameters += Array(repeating: 0, count: 9)
            parameters.append(UInt8(report.data.count))
            parameters += report.data
        }
        return meta(parameters)
    }

    static func meta(_ parameters: [UInt8]) -> [UInt8] {
        [0x3E, UInt8(parameters.count)] + parameters
    }
}
