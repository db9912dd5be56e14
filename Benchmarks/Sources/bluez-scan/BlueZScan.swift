import Beacons
import BlueZ
import Glibc
import Scanning

/// A minimal scanner through bluetoothd: counts reports and iBeacons, and prints both every five seconds.
///
/// It does the same work as the benchmarked scanners of other libraries, so that all can be measured on the same bus:
/// `bluez-scan [ADAPTER]`, with the bus in `DBUS_SYSTEM_BUS_ADDRESS`.
@main
struct BlueZScan {
    static func main() async throws {
        let adapter = CommandLine.arguments.dropFirst().first ?? "hci0"
        let scanner = BlueZScanner(adapter: adapter, bus: BlueZBus())
        var strengths: [BeaconIdentity: Int8] = [:]
        var (reports, beacons) = (0, 0)
        var printed = BootClock.now()
        for await batch in try scanner.batches() {
            batch.forEach { report, data in
                reports += 1
                guard case .iBeacon(let beacon) = BeaconFrame(advertisingData: data) else { return }
                beacons += 1
                strengths[beacon.identity] = report.rssi
            }
            guard printed.duration(to: batch.time) >= .seconds(5) else { continue }
            printed = batch.time
            print(reports, beacons, strengths.count, scanner.health.dropped)
            fflush(nil)
        }
    }
}
