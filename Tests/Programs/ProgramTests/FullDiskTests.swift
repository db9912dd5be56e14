import Foundation
import RegistryAPI
import TestSupport
import Testing

/// A full card must not lose anything that fits in memory.
@Suite("A full disk under the monitor", .timeLimit(.minutes(20)))
struct FullDiskTests {
    private static let bikes = (1...6).map { "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:1:\($0)" }
    /// The bikes arrive two minutes apart, and each stays for one minute.
    private static let scenario = """
        name: bikes come and go
        duration: 22m
        beacons:

        """
        + bikes.enumerated().map { index, identity in
            """
              - name: bike \(index)
                identity: \(identity)
                measuredPower: -59
                interval: 1s
                path:
                  - {at: \(1 + 2 * index)m, x: 3, y: 0}
                  - {at: \(2 + 2 * index)m, x: 3, y: 0}

            """
        }.joined()

    private struct Outcome: Decodable {
        let status: Int
        let refused, recovered: Bool
    }

    @Test("visits wait in memory while the disk is full, and are reported automatically once there is room")
    func full() async throws {
        let venue = try await SimulatedVenue(missing: Self.bikes, scenario: Self.scenario)
        let disk = venue.folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = try #require(Bundle.module.path(forResource: "full_disk", ofType: "py", inDirectory: "Fixtures"))
        let played = try await BuiltProgram(path: "/usr/bin/python3").run(
            [script, disk, try BuiltProgram("findmybike-monitor").path]
                + (try venue.arguments("", speed: 60, state: disk)))
        try #require(played.status == 0, "\(played.errors)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(played.output.utf8))
        #expect(outcome.refused, "\(played.errors)")
        #expect(outcome.recovered, "\(played.errors)")
        // 1: the comparison with the scenario finds late reports.
        #expect((0...1).contains(outcome.status), "\(played.errors)")
        struct Told: Decodable {
            let visits: [String: Visit]
        }
        let told = try JSONDecoder().decode(Told.self, from: Data(try await venue.told().utf8)).visits.values
        #expect(told.map { "\($0.identity)" }.sorted() == Self.bikes)
        #expect(told.allSatisfy { $0.ended && $0.count > 30 }, "\(told.map(\.count))")
    }
}
