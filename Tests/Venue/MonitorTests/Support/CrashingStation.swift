import Beacons
import Foundation
import RegistryAPI
import TestSupport

@testable import Monitor

/// The program `CrashingMonitor`, which simulates a bike that stays, and which a test kills and restarts.
struct CrashingStation {
    static let identity = BeaconIdentity(
        uuid: ProximityUUID(high: 0x5AFE_B1CE_0000_4000, low: 0x8000_0000_0000_0001), major: 7, minor: 9)
    /// One missing bike that stays for twelve minutes: entered, two updates, ended.
    private static let scenario = """
        name: a bike stays
        seed: 7
        duration: 20m
        beacons:
          - name: bike
            identity: \(identity)
            measuredPower: -59
            interval: 1s
            missing: true
            path:
              - {at: 1m, x: 3, y: 0}
              - {at: 13m, x: 3, y: 0}

        """

    let folder: TemporaryFolder
    private let monitor: BuiltProgram
    private let scenario: String

    init(isInMemory: Bool = false) throws {
        folder = try TemporaryFolder(isInMemory: isInMemory)
        monitor = try BuiltProgram("CrashingMonitor")
        scenario = try folder.write(Self.scenario, to: "scenario.yaml")
    }

    /// Makes an empty folder for list and outbox.
    func emptyState(_ name: String) throws -> String {
        let path = folder.file(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// - Parameter step: the step of list and outbox at which it kills itself; 0 for none.
    func run(
        state: String, registry: FakeRegistry, killAt step: Int = 0, environment: [String: String] = [:]
    ) async throws -> BuiltProgram.Result {
        // A real radio continues after a restart, but a scenario starts again. So once the bike has left, the program
        // only reports the contents of the outbox.
        let mode = try await hasEnded(state: state, registry: registry) ? "drain" : "listen"
        return try await monitor.run([scenario, state, registry.url, mode, "\(step)"], environment: environment)
    }

    private func hasEnded(state: String, registry: FakeRegistry) async throws -> Bool {
        let reported = try await registry.state().visits.values.contains(where: \.ended)
        let outbox = try Outbox(path: "\(state)/outbox.sqlite")
        let waiting = try await outbox.pending().contains(where: \.visit.ended)
        return reported || waiting
    }
}
