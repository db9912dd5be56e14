import Foundation
import TestSupport
import Testing

@Suite("Stations and their sightings on the command line")
struct StationTests {
    private struct Outcome: Decodable {
        let venue: String
        let followed: [[Fact]]
        let status: Int
        let rows: [[String]]
        let waypoints: [String]
        let points: [[Double]]
        let quarantined: Bool
        let levels: [String]
        let state: String
    }

    /// A level, or whether the sighting was dismissed.
    private enum Fact: Decodable, Equatable {
        case level(String)
        case dismissed(Bool)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .dismissed(flag)
            } else {
                self = .level(try container.decode(String.self))
            }
        }
    }

    @Test("an operator enrols, moves and revokes a station while its owner follows, reads and dismisses sightings")
    func lives() async throws {
        let script = try #require(Bundle.module.path(forResource: "stations", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let result = try await BuiltProgram(path: "/usr/bin/env").run([
            "python3", script, Repository.path(""), programs,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
        #expect(outcome.venue == "Old Street")
        #expect(
            outcome.followed == [
                [.level("disputed"), .dismissed(false)], [.level("possible"), .dismissed(false)],
                [.level("disputed"), .dismissed(true)],
            ]
        )
        #expect(outcome.status == 0)
        #expect(
            outcome.rows == [["'=Café \"<&", "disputed", "otherPlace"], ["'=Café \"<&", "possible", ""]]
        )
        #expect(outcome.waypoints == ["=Café \"<&", "=Café \"<&"])
        #expect(outcome.points == [[-0.12, 51.5], [-0.12, 51.6]])
        #expect(outcome.quarantined && outcome.levels == ["disputed", "disputed"])
        #expect(outcome.state == "revoked")
    }
}
