import Foundation
import MissingList
import RegistryAPI
import TestSupport
import Testing

@testable import Monitor

/// A power cut during a write happens to every station over the years, and must have no effect.
@Suite("Killed while writing", .timeLimit(.minutes(20)))
struct KilledWriteTests {
    /// The maximum number of calls that are tried, spread evenly.
    private static let points = 40

    private let station: CrashingStation
    private let killer: Killer

    init() async throws {
        station = try CrashingStation(isInMemory: true)
        killer = try await Killer()
    }

    /// A registry with the current list, which knows the change from the previous one.
    private func registry() async throws -> (FakeRegistry, now: MissingIdentities, before: MissingIdentities) {
        let other = CrashingStation.identity
        let before = MissingIdentities(version: ListVersion(number: 1, mark: 1), identities: [])
        let now = MissingIdentities(version: ListVersion(number: 2, mark: 2), identities: [other])
        let delta = ListDelta(to: now, from: before.version, removed: [], added: [TruncatedHash(of: other)])
        let registry = try FakeRegistry()
        try await registry.setList(now, deltas: [(before.version, delta.encoded)])
        return (registry, now, before)
    }

    /// Makes a station's folder, new or with yesterday's list.
    private func state(_ name: String, before: MissingIdentities?) throws -> String {
        let state = try station.emptyState(name)
        if let before { try ListFiles(path: "\(state)/missing-list") { _ in }.replace(with: before.encoded) }
        return state
    }

    @Test(
        "a station killed at any call that writes list or outbox reports one visit, once, and has the registry's list",
        arguments: [false, true])
    func killedAtEveryWrite(knowsYesterday: Bool) async throws {
        let (whole, now, before) = try await registry()
        let yesterday = knowsYesterday ? before : nil
        let unharmed = try state("whole", before: yesterday)
        let end = try await station.run(
            state: unharmed, registry: whole, environment: killer.environment(watching: unharmed, at: 0))
        try #require(end.status == 0, "\(end.errors)")
        let expected = try #require(try await whole.state().visits.values.first)
        let calls = try killer.calls()
        #expect(calls > 20)

        for call in stride(from: 1, through: calls, by: max(1, calls / Self.points)) {
            let registry = try await registry().0
            let state = try state("\(knowsYesterday)-\(call)", before: yesterday)
            let killed = try await station.run(
                state: state, registry: registry, environment: killer.environment(watching: state, at: call))
            // Responses and writes overlap in any order, so the last calls might not occur.
            #expect(killed.wasKilled || killed.status == 0, "call \(call): \(killed.errors)")
            let second = try await station.run(state: state, registry: registry)
            #expect(second.status == 0, "call \(call): \(second.errors)")
            let visits = try await registry.state().visits.values
            #expect(visits.count == 1, "call \(call)")
            #expect(visits.first?.ended == true, "call \(call)")
            #expect(visits.first?.firstSeen == expected.firstSeen, "call \(call)")
            #expect(visits.first?.lastSeen == expected.lastSeen, "call \(call)")
            let outbox = try Outbox(path: "\(state)/outbox.sqlite")
            #expect(try await outbox.summary() == OutboxSummary(), "call \(call)")
            let list = ListFiles(path: "\(state)/missing-list") { _ in }.read()?.list
            #expect(list?.version == now.version, "call \(call)")
            #expect(list?.contains(CrashingStation.identity) == true, "call \(call)")
        }
    }
}
