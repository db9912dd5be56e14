import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

@Suite("Crashes")
struct CrashTests {
    private let registry: FakeRegistry
    private let station: CrashingStation

    init() async throws {
        registry = try FakeRegistry()
        station = try CrashingStation()
        try await registry.setMissing([CrashingStation.identity])
    }

    @Test("a monitor killed between any two steps of the outbox reports one complete visit, once")
    func killedAtEveryStep() async throws {
        let whole = try await station.run(state: try station.emptyState("whole"), registry: registry, killAt: 0)
        let steps = try #require(Int(whole.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(whole.errors)")
        let expected = try #require(try await registry.state().visits.values.first)
        #expect(steps >= 12)

        for step in 1...steps {
            let registry = try FakeRegistry()
            try await registry.setMissing([expected.identity])
            let state = try station.emptyState("killed-at-\(step)")
            let killed = try await station.run(state: state, registry: registry, killAt: step)
            // Reports and writes overlap in any order, so the last steps might not occur.
            guard killed.wasKilled else { continue }
            let second = try await station.run(state: state, registry: registry, killAt: 0)
            #expect(second.status == 0, "\(second.errors)")
            let visits = try await registry.state().visits.values
            #expect(visits.count == 1, "killed at step \(step)")
            #expect(visits.first?.ended == true, "killed at step \(step)")
            #expect(visits.first?.firstSeen == expected.firstSeen, "killed at step \(step)")
            #expect(visits.first?.lastSeen == expected.lastSeen, "killed at step \(step)")
            #expect(try await Outbox(path: "\(state)/outbox.sqlite").depth() == 0)
        }
    }

    @Test("a monitor killed repeatedly still reports one visit")
    func killedOften() async throws {
        let state = try station.emptyState("often")
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<12 {
            _ = try await station.run(
                state: state, registry: registry, killAt: Int.random(in: 1...6, using: &generator))
        }
        _ = try await station.run(state: state, registry: registry, killAt: 0)
        let visits = try await registry.state().visits.values
        #expect(visits.count == 1)
        #expect(visits.first?.ended == true)
    }
}
