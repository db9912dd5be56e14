import Beacons
import HCI
import Logging
import MissingList
import Monitor
import OperatingSystem
import Presence
import Scanning
import ServiceLifecycle
import UnixSignals

/// The monitor's scan loop behind the HCI scanner, until this process is terminated.
///
/// The monitor itself opens only the kernel's adapters, which a container does not have.
struct ScanLoopRun {
    /// As many as all have opened a visit soon after the start, if they are missing.
    static let beacons = 20

    let descriptor: CInt
    /// A folder for the outbox.
    let folder: String
    /// Whether the controller's beacons are on the missing list.
    let isListed: Bool

    /// Prints how many reports were heard, and dropped.
    func run() async throws {
        let scanner = HCIScanner(.h4(adapter: "benchmark", descriptor: descriptor))
        let logger = Logger(label: "hci-stream") { _ in SwiftLogNoOpLogHandler() }
        let loop = ScanLoop(
            scanner: scanner, list: CurrentList(list), outbox: try Outbox(path: "\(folder)/outbox.sqlite"),
            signal: WakeUp(), presence: .standard, venue: Venue(clock: StationClock(.system(isTrusted: true))),
            logger: logger)
        try await ServiceGroup(services: [loop], gracefulShutdownSignals: [.sigterm], logger: logger).run()
        print(scanner.radioHealth.reports, scanner.radioHealth.dropped)
    }

    private var list: MissingIdentities {
        let minors = isListed ? 0..<Self.beacons : Self.beacons..<2 * Self.beacons
        return MissingIdentities(
            version: ListVersion(number: 1, mark: 1),
            identities: minors.map {
                BeaconIdentity(
                    uuid: ProximityUUID(high: 0x21EE_CF71_D5C7_4A00, low: 0x9B90_27C9_4B51_46EA), major: 1,
                    minor: UInt16($0))
            })
    }
}
