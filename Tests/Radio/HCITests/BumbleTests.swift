import Beacons
import Scanning
import TestSupport
import Testing

@testable import HCI

/// Compatibility with a controller that was not written here: Google's bumble.
@Suite struct BumbleTests {
    /// Listens until each of the beacons has been heard this number of times, and returns their signal strengths.
    private func listen(_ scanner: HCIScanner, for count: Int) async throws -> [BeaconIdentity: [Int8?]] {
        var heard: [BeaconIdentity: [Int8?]] = [:]
        for try await batch in scanner.batches() {
            batch.forEach { advertisement, data in
                guard let beacon = IBeacon(advertisingData: data) else { return }
                heard[beacon.identity, default: []].append(advertisement.rssi)
            }
            if heard.count == count, heard.values.allSatisfy({ $0.count >= 3 }) { break }
        }
        await scanner.stop()
        return heard
    }

    /// - Parameter rssi: bumble's value: −50 in legacy reports, and its own choice in extended ones.
    @Test("every advertiser on the air is heard with its identity", .timeLimit(.minutes(20)), arguments: [false, true])
    func heard(extended: Bool) async throws {
        let air = try VirtualAir(advertisers: 5, extended: extended)
        let scanner = HCIScanner(air.access, clock: SteppedClock())
        let heard = try await listen(scanner, for: 5)
        #expect(Set(heard.keys.map(\.minor)) == [1, 2, 3, 4, 5])
        #expect(heard.keys.allSatisfy { $0.uuid == Report.identity.uuid && $0.major == 1 })
        let rssis = Set(heard.values.joined())
        #expect(extended ? rssis.allSatisfy { $0.map { (-127...20).contains($0) } ?? false } : rssis == [-50])
        let health = scanner.radioHealth
        #expect(health.reports >= 15)
        #expect(health.malformed == 0)
        #expect(health.dropped == 0)
        #expect(health.state == .idle)
        #expect(health.lastReport != nil)
        #expect(health.lastError == nil)
    }

    @Test(
        "a reset and a new connection restore the scan", .timeLimit(.minutes(20)),
        arguments: [RecoveryStep.reset, .restartScan, .reopen])
    func recover(step: RecoveryStep) async throws {
        let air = try VirtualAir(advertisers: 1, extended: false)
        let scanner = HCIScanner(air.access, clock: SteppedClock())
        var batches = scanner.batches().makeAsyncIterator()
        _ = try await batches.nextHeard()
        try await scanner.recover(by: step)
        let before = scanner.radioHealth.reports
        while scanner.radioHealth.reports <= before { _ = try await batches.next() }
        #expect(scanner.radioHealth.recoveries == [step: 1])
        #expect(scanner.radioHealth.state == .scanning)
        await scanner.stop()
    }
}
