import Beacons
import Scanning
import Simulation
import TestSupport

/// A received advertisement with its data and its time since the scenario's start.
struct Heard: Hashable {
    let at: Duration
    let address: BluetoothAddress
    let rssi: Int
    let data: [UInt8]

    var beacon: IBeacon? { IBeacon(advertisingData: data.span.bytes) }
}

extension Scenario {
    /// All batches of the scenario's scanner, as fast as possible.
    func batches() async throws -> [AdvertisementBatch] {
        var batches: [AdvertisementBatch] = []
        for try await batch in SimulatedScanner(self, pacing: .asFastAsPossible).batches() { batches.append(batch) }
        return batches
    }

    func heard() async throws -> [Heard] {
        var heard: [Heard] = []
        for batch in try await batches() {
            batch.forEach { report, data in
                heard.append(
                    Heard(
                        at: start.duration(to: report.time),
                        address: report.address,
                        rssi: Int(report.rssi ?? 127),
                        data: data.withUnsafeBytes { Array($0) }
                    ))
            }
        }
        return heard
    }

    /// Reads one of the project's shipped scenario files.
    static func shipped(_ name: String) throws -> Scenario {
        try Scenario(path: Repository.path("config/scenarios/\(name).yaml"))
    }
}

/// FNV-1a over 64 bits: a hash that is the same in every process.
struct StableHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }
}
