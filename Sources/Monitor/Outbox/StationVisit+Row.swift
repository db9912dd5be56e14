import Beacons
import Foundation
import GRDB
import RegistryAPI

extension StationVisit {
    init(_ row: Row) throws {
        self.init(try Outbox.decode(row["body"]), span: BootSpan(row), isPlaceless: row["placeless"])
    }
}

extension BootSpan {
    /// Nil where wall time is known.
    init?(_ row: Row) {
        guard let boot: String = row["boot"], let first: Int64 = row["boot_first"], let last: Int64 = row["boot_last"]
        else { return nil }
        self.init(
            boot: BootID(boot), first: ScanInstant(nanoseconds: first), last: ScanInstant(nanoseconds: last))
    }
}

extension ResourceID {
    /// The 16 bytes in transmitted order, which is also the order in time.
    var data: Data {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
    }
}
