import Beacons
import Foundation
import Scanning
import Testing

/// Real captures; see Fixtures/README.md.
enum Fixture {
    static let captures = [
        "bumble_extended.btsnoop", "bumble_legacy.btsnoop", "kernel_monitor_vbeacon.btsnoop",
        "legacy_govee_fake_ibeacon.btsnoop",
    ]

    static func url(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
    }

    static func path(_ name: String) throws -> String { try url(name).path() }

    static func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: url(name))) }
}

extension Scanning.Scanner {
    /// All batches to the end.
    func allBatches() async throws -> [AdvertisementBatch] {
        var all: [AdvertisementBatch] = []
        for try await batch in try batches() { all.append(batch) }
        return all
    }
}

/// A report with its data, for comparison.
struct Heard: Hashable {
    let report: Advertisement
    let data: [UInt8]

    static func == (left: Heard, right: Heard) -> Bool {
        left.data == right.data && left.report.address == right.report.address
            && left.report.addressKind == right.report.addressKind && left.report.rssi == right.report.rssi
            && left.report.event == right.report.event && left.report.time == right.report.time
    }

    func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension AdvertisementBatch {
    /// The reports and their data, wherever the data lies in the batch.
    var heard: [Heard] {
        advertisements.map { Heard(report: $0, data: Array(bytes[$0.data])) }
    }
}
