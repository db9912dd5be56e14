import Beacons
import Scanning
import Simulation
import Testing

@Suite("A simulated scanner")
struct SimulatedScannerTests {
    /// A scenario with one beacon at each distance, without randomness unless the arguments add it.
    static func scenario(
        metres: [Double], duration: String = "1m", sigma: Double = 0, correlation: String = "3s", loss: Double = 0,
        beacon: String = "", more: String = ""
    ) throws -> Scenario {
        var yaml = "name: n\nduration: \(duration)\n\(more)\n"
        yaml += "environment: {pathLossExponent: 2, shadowingSigma: \(sigma), shadowingCorrelation: \(correlation), "
        yaml += "packetLoss: \(loss)}\nbeacons:\n"
        for (index, distance) in metres.enumerated() {
            yaml += "  - {name: b\(index), identity: '7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:\(index)', "
            yaml += "measuredPower: -59, interval: 100ms, position: {x: \(distance), y: 0}\(beacon)}\n"
        }
        return try Scenario(yaml: yaml, source: "text")
    }

    @Test(
        "follows the log-distance formula without shadowing",
        arguments: [(0.01, -39), (0.1, -39), (1.0, -59), (2.0, -65), (10.0, -79), (50.0, -93)])
    func pathLoss(metres: Double, rssi: Int) async throws {
        let heard = try await Self.scenario(metres: [metres]).heard()
        #expect(heard.count > 500 && heard.allSatisfy { $0.rssi == rssi })
    }

    @Test("hears nothing below the receiver's sensitivity")
    func sensitivity() async throws {
        let heard = try await Self.scenario(metres: [62, 64]).heard()
        #expect(Set(heard.compactMap { $0.beacon?.identity.minor }) == [0])
    }

    @Test("shadowing has the configured spread and correlation time")
    func shadowing() async throws {
        let scenario = try Self.scenario(
            metres: [5], duration: "2h", sigma: 4, correlation: "2s")
        let values = try await scenario.heard().map { Double($0.rssi) }
        let mean = values.reduce(0, +) / Double(values.count)
        func covariance(lag: Int) -> Double {
            zip(values, values.dropFirst(lag)).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) } / Double(values.count)
        }
        #expect(abs(mean + 72.98) < 0.5)
        #expect(abs(covariance(lag: 0).squareRoot() - 4) < 0.3)
        // After one correlation time, 19 intervals of 105 ms, a correlation of 1/e remains.
        #expect(abs(covariance(lag: 19) / covariance(lag: 0) - 0.368) < 0.06)
    }

    @Test("loses the configured share of frames and keeps the interval between the others")
    func loss() async throws {
        let whole = try await Self.scenario(metres: [5], duration: "10m").heard()
        let lossy = try await Self.scenario(metres: [5], duration: "10m", loss: 0.25).heard()
        #expect(abs(Double(lossy.count) / Double(whole.count) - 0.75) < 0.02)
        let gaps = zip(whole, whole.dropFirst()).map { $1.at - $0.at }
        #expect(gaps.allSatisfy { .milliseconds(100) ... .milliseconds(110) ~= $0 })
        // Advertisements are delayed by 0 to 10 ms at random, 5 ms on average.
        #expect((5680...5760).contains(whole.count))
    }

    @Test("transmits the same frame as an iBeacon")
    func frames() async throws {
        let scenario = try Self.scenario(metres: [1])
        let first = try #require(await scenario.heard().first)
        #expect(first.data == scenario.beacons[0].frame.advertisingData)
        #expect(first.address.value >> 46 == 0b11)
    }

    @Test("changes a rotating address at each period and at no other time")
    func rotation() async throws {
        let heard = try await Self.scenario(metres: [1], duration: "1m", beacon: ", addressRotation: 20s").heard()
        let periods = Dictionary(grouping: heard) { Int($0.at.components.seconds) / 20 }
        #expect(periods.count == 3)
        #expect(periods.values.allSatisfy { Set($0.map(\.address)).count == 1 })
        #expect(Set(heard.map(\.address)).count == 3)
    }

    @Test("adding a beacon does not change the others")
    func independence() async throws {
        let alone = try await Self.scenario(metres: [5], sigma: 6, loss: 0.3).heard()
        let company = try await Self.scenario(
            metres: [5, 6, 7], sigma: 6, loss: 0.3, more: "ambient: {rate: 20, devices: 9}"
        ).heard()
        #expect(company.filter { $0.beacon?.identity.minor == 0 && $0.beacon?.measuredPower == -59 } == alone)
    }

    @Test("delivers in order, in small batches, at least once a second, from start to end")
    func batches() async throws {
        let scenario = try Self.scenario(
            metres: [5], duration: "20s", beacon: ", jitter: 0s", more: "ambient: {rate: 4000, devices: 500}")
        let batches = try await scenario.batches()
        #expect(batches.first?.time == scenario.start && batches.last?.time == scenario.end)
        #expect(batches.contains { $0.advertisements.count == 256 })
        var reached = scenario.start
        for batch in batches {
            #expect(batch.advertisements.count <= 256 && batch.malformed == 0)
            #expect(reached.duration(to: batch.time) <= .seconds(1) && batch.time >= reached)
            let times = batch.advertisements.map(\.time)
            #expect(times == times.sorted())
            if let first = times.first, let last = times.last {
                #expect(first >= reached && last <= batch.time && first.duration(to: last) <= .milliseconds(100))
            }
            reached = batch.time
        }
    }

    @Test("reports that time passes while nothing is heard")
    func silence() async throws {
        let scenario = try Scenario(yaml: "name: n\nduration: 10500ms", source: "text")
        let times = try await scenario.batches().map { scenario.start.duration(to: $0.time) }
        #expect(times == (0...10).map { .seconds($0) } + [.milliseconds(10_500)])
    }

    @Test("an empty batch never gives a time later than a report still to follow", arguments: 1...20)
    func authority(seed: Int) async throws {
        let scenario = try Self.scenario(
            metres: [64], duration: "2m", sigma: 6, correlation: "20s",
            more: "seed: \(seed)")
        var reached = scenario.start
        for batch in try await scenario.batches() {
            #expect(batch.advertisements.allSatisfy { $0.time >= reached })
            #expect(reached.duration(to: batch.time) <= .seconds(1))
            reached = batch.time
        }
    }
}
