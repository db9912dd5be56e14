import Beacons
import Foundation
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

@Suite("Crashes")
struct CrashTests {
    /// One missing bike that stays for twelve minutes: entered, two updates, ended.
    private static let scenario = """
        name: a bike stays
        seed: 7
        duration: 20m
        beacons:
          - name: bike
            identity: 5AFEB1CE-0000-4000-8000-000000000001:7:9
            measuredPower: -59
            interval: 1s
            missing: true
            path:
              - {at: 1m, x: 3, y: 0}
              - {at: 13m, x: 3, y: 0}

        """

    private let registry: FakeRegistry
    private let folder: TemporaryFolder
    private let monitor: BuiltProgram
    private let scenario: String

    init() async throws {
        registry = try FakeRegistry()
        folder = try TemporaryFolder()
        monitor = try BuiltProgram("CrashingMonitor")
        scenario = try folder.write(Self.scenario, to: "scenario.yaml")
        try await registry.setMissing([try #require(BeaconIdentity("5AFEB1CE-0000-4000-8000-000000000001:7:9"))])
    }

    private func run(state: String, registry: FakeRegistry, killAt step: Int) async throws -> BuiltProgram.Result {
        // The capture of a real life goes on where it was; a scenario begins anew. So once the bike has left, only what
        // is in the outbox is left to do.
        let mode = try await hasEnded(state: state, registry: registry) ? "drain" : "listen"
        return try monitor.run([scenario, state, registry.url, mode, "\(step)"])
    }

    private func hasEnded(state: String, registry: FakeRegistry) async throws -> Bool {
        let reported = try await registry.state().visits.values.contains(where: \.ended)
        let outbox = try Outbox(path: "\(state)/outbox.sqlite")
        let waiting = try await outbox.pending().contains(where: \.visit.ended)
        return reported || waiting
    }

    private func emptyState(_ name: String) throws -> String {
        let path = folder.file(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("killed between any two steps of the outbox, a monitor tells of one visit, once, to its end")
    func killedAtEveryStep() async throws {
        let whole = try await run(state: try emptyState("whole"), registry: registry, killAt: 0)
        let steps = try #require(Int(whole.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(whole.errors)")
        let expected = try #require(try await registry.state().visits.values.first)
        #expect(steps >= 12)

        for step in 1...steps {
            let registry = try FakeRegistry()
            try await registry.setMissing([expected.identity])
            let state = try emptyState("killed-at-\(step)")
            let killed = try await run(state: state, registry: registry, killAt: step)
            // Reports and writes overlap as they please, so the last steps may not come.
            guard killed.wasKilled else { continue }
            let second = try await run(state: state, registry: registry, killAt: 0)
            #expect(second.status == 0, "\(second.errors)")
            let visits = try await registry.state().visits.values
            #expect(visits.count == 1, "killed at step \(step)")
            #expect(visits.first?.ended == true, "killed at step \(step)")
            #expect(visits.first?.firstSeen == expected.firstSeen, "killed at step \(step)")
            #expect(visits.first?.lastSeen == expected.lastSeen, "killed at step \(step)")
            #expect(try await Outbox(path: "\(state)/outbox.sqlite").depth() == 0)
        }
    }

    @Test("killed again and again, a monitor still tells of one visit")
    func killedOften() async throws {
        let state = try emptyState("often")
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<12 {
            _ = try await run(state: state, registry: registry, killAt: Int.random(in: 1...6, using: &generator))
        }
        _ = try await run(state: state, registry: registry, killAt: 0)
        let visits = try await registry.state().visits.values
        #expect(visits.count == 1)
        #expect(visits.first?.ended == true)
    }
}
