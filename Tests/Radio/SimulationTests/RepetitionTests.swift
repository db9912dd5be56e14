import Beacons
import Scanning
import Simulation
import TestSupport
import Testing

@Suite("A simulation repeats")
struct RepetitionTests {
    /// A hash over everything that a consumer can see.
    private func hash(_ scenario: Scenario) async throws -> UInt64 {
        var hash = StableHash()
        for batch in try await scenario.batches() {
            hash.add(batch.time.nanoseconds)
            for report in batch.advertisements {
                hash.add(report.time.nanoseconds)
                hash.add(report.address.value)
                hash.add(report.addressKind.rawValue)
                hash.add(report.rssi ?? 127)
                hash.add(report.event.rawValue)
                hash.add(report.data.lowerBound)
            }
            hash.add(batch.bytes)
        }
        return hash.value
    }

    @Test("bit for bit, in every process and release, so that two runs can be compared")
    func golden() async throws {
        // The hash changes only with the scenario file or the model; if it changes otherwise, repeatability is broken.
        #expect(try await hash(.shipped("bike-passes-cafe")) == 6_849_246_959_586_656_630)
    }

    @Test("differently with another seed")
    func seeds() async throws {
        func scenario(_ seed: Int) throws -> Scenario {
            try Scenario(yaml: "name: n\nduration: 5s\nseed: \(seed)\nambient: {rate: 50, devices: 9}", source: "text")
        }
        #expect(try await hash(scenario(1)) == hash(scenario(1)))
        #expect(try await hash(scenario(1)) != hash(scenario(2)))
    }

    @Test("at any speed: pacing changes when batches arrive, not their content", arguments: [1.0, 60])
    func pacing(speed: Double) async throws {
        let scenario = try Scenario.shipped("bike-passes-cafe")
        let clock = ImpatientClock()
        let unpaced = try await scenario.batches()
        var index = 0
        for try await batch in SimulatedScanner(scenario, pacing: .times(speed), clock: clock).batches() {
            #expect(batch.time == unpaced[index].time && batch.bytes == unpaced[index].bytes)
            let due = scenario.start.duration(to: batch.time) / speed
            #expect(clock.now.offset == due)
            index += 1
        }
        #expect(index == unpaced.count)
    }

    @Test("a day with a beacon always in range passes without waiting")
    func day() async throws {
        let scenario = try Scenario(
            yaml: """
                name: day
                duration: 24h
                environment: {packetLoss: 0}
                beacons:
                  - name: b
                    identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:2
                    measuredPower: -59
                    interval: 1s
                    position: {x: 2, y: 0}
                """, source: "text")
        var (frames, end) = (0, scenario.start)
        let clock = ImpatientClock()
        for try await batch in SimulatedScanner(scenario, pacing: .asFastAsPossible, clock: clock).batches() {
            frames += batch.advertisements.count
            end = batch.time
        }
        #expect((85_500...86_400).contains(frames) && end == scenario.end)
        #expect(clock.sleeps.isEmpty)
    }

    @Test("a cancelled reader stops")
    func cancellation() async throws {
        let scenario = try Scenario.shipped("parked-overnight")
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var count = 0
            for try await _ in SimulatedScanner(scenario, pacing: .recorded).batches() { count += 1 }
            return count
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
    }
}
