import Beacons
import Simulation
import Testing

@Suite("Ambient traffic")
struct AmbientTests {
    private func heard(_ ambient: String, duration: String = "10s") async throws -> [Heard] {
        try await Scenario(yaml: "name: n\nduration: \(duration)\nambient: {\(ambient)}", source: "text").heard()
    }

    @Test("has the configured rate, from the configured number of devices")
    func rate() async throws {
        let heard = try await heard("rate: 2000, devices: 20000")
        #expect(abs(Double(heard.count) / 20_000 - 1) < 0.03)
        // 20,000 draws from 20,000 devices are expected to hit a share of 1 − 1/e of them.
        #expect(abs(Double(Set(heard.map(\.address)).count) / 12_642 - 1) < 0.03)
        let slow = try await self.heard("rate: 0.5, devices: 3", duration: "2h")
        #expect(abs(Double(slow.count) / 3600 - 1) < 0.05)
        #expect(Set(slow.map(\.address)).count == 3)
    }

    @Test("is well-formed, and contains no iBeacons except the fakes")
    func frames() async throws {
        let heard = try await heard("rate: 500, devices: 2000, fakeIBeacons: 0")
        var kinds: [String: Int] = [:]
        for report in heard {
            #expect(report.data.count <= 31)
            var structures = ADStructures()
            while structures.next(in: report.data.span.bytes) != nil {}
            #expect(!structures.isTruncated)
            #expect(report.beacon == nil)
            #expect((-95 ... -45).contains(report.rssi))
            if let frame = BeaconFrame(advertisingData: report.data.span.bytes) {
                guard case .eddystoneUID = frame else { Issue.record("\(frame)"); continue }
                kinds["eddystone", default: 0] += 1
            }
            if report.data.contains([0x4C, 0x00]) { kinds["apple", default: 0] += 1 }
        }
        #expect(Double(kinds["apple", default: 0]) / Double(heard.count) > 0.6)
        #expect(kinds["eddystone", default: 0] > 0)
    }

    @Test("fakes look like another beacon in every frame, and only an exact list drops them")
    func fakes() async throws {
        let heard = try await heard("rate: 100, devices: 10, fakeIBeacons: 0.2")
        let fakes = heard.filter { $0.beacon != nil }
        #expect(Set(fakes.map(\.address)).count == 2)
        #expect(Set(fakes.compactMap { $0.beacon?.identity }).count > fakes.count * 9 / 10)
        #expect(abs(Double(fakes.count) / Double(heard.count) - 0.2) < 0.05)
    }
}
