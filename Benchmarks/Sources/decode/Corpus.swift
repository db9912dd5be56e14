import Beacons
import Foundation

/// Adverts in the common format of the decode peers: repeated records of a length octet, a radio address, a signal
/// strength and the data.
struct Corpus {
    /// Octets before the data of a record: length (1), address (6), RSSI (1).
    static let headerLength = 8

    let bytes: [UInt8]

    /// Reads a corpus and checks that its last record is complete.
    init(path: String) throws(BenchmarkError) {
        bytes = try read(path)
        var offset = 0
        while offset < bytes.count { offset += Self.headerLength + Int(bytes[offset]) }
        guard offset == bytes.count else { throw BenchmarkError("\(path) ends inside a record: make the corpus anew") }
    }

    /// Calls `body` with the advertising data of each record.
    @inline(__always)
    func forEach(_ body: (RawSpan) -> Void) {
        let all = bytes.span.bytes
        var offset = 0
        while offset < bytes.count {
            let start = offset + Self.headerLength
            let end = start + Int(bytes[offset])
            body(all.extracting(start..<end))
            offset = end
        }
    }
}

/// The identities in a file with 20 bytes for each: proximity UUID, major, minor, big-endian.
func identities(path: String) throws(BenchmarkError) -> [BeaconIdentity] {
    let bytes = try read(path)
    guard bytes.count % 20 == 0 else { throw BenchmarkError("\(path) ends inside an identity: make it anew") }
    return stride(from: 0, to: bytes.count, by: 20).map { start in
        func integer<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Value {
            bytes[start + offset..<start + offset + Value.bitWidth / 8].reduce(0) { $0 << 8 | Value($1) }
        }
        return BeaconIdentity(
            uuid: ProximityUUID(high: integer(0, UInt64.self), low: integer(8, UInt64.self)),
            major: integer(16, UInt16.self),
            minor: integer(18, UInt16.self)
        )
    }
}

/// The reason why a benchmark cannot run.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

private func read(_ path: String) throws(BenchmarkError) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else {
        throw BenchmarkError("\(path) cannot be read: give the path of a corpus and of its identities")
    }
    return [UInt8](data)
}
