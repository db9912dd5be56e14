import Foundation
import TestSupport
import Testing

@Suite("Faults around the registry", .timeLimit(.minutes(20)))
struct FaultTests {
    /// Runs one of the fault scenarios against the built registry.
    private func play<Outcome: Decodable>(
        _ fault: String, _ more: [String] = [], _: Outcome.Type = Outcome.self
    ) async throws -> Outcome {
        let script = try #require(Bundle.module.path(forResource: "faults", ofType: "py", inDirectory: "Fixtures"))
        let programs = try BuiltProgram("findmybike-registry").folder
        let result = try await BuiltProgram(path: "/usr/bin/env").run(["python3", script, programs, fault] + more)
        #expect(result.status == 0, "\(result.errors)")
        if !result.errors.isEmpty { print(result.errors) }
        return try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8))
    }

    private struct Kill: Decodable {
        let answered, lost, halves, twice: Int
        let integrity: [String]
    }

    @Test("a registry killed under load has stored every acknowledged batch completely, and exactly once")
    func kill() async throws {
        let outcome: Kill = try await play("kill")
        #expect(outcome.answered > 5 * 150)
        #expect(outcome.lost == 0)
        #expect(outcome.halves == 0)
        #expect(outcome.twice == 0)
        #expect(outcome.integrity == ["ok"])
    }

    private struct Points: Decodable {
        let kills, wrong: Int
        let answered, stored: Bool
        let integrity: [String]
    }

    @Test("a registry killed at any point of a batch and restarted has each of its visits once")
    func points() async throws {
        let killer = try await Killer()
        // Each call, or every fourth one: three starts of the registry for each take minutes.
        let outcome: Points = try await play("points", [killer.library, TestDepth.isFull ? "1" : "4"])
        #expect(outcome.kills > 3)
        #expect(outcome.wrong == 0)
        // The registry was killed before its response was sent, and had stored the batch.
        #expect(outcome.answered && outcome.stored)
        #expect(outcome.integrity == ["ok"])
    }

    private struct Full: Decodable {
        let answered, lost, halves, twice, ready, reads: Int
        let type, media, retry: String
        let integrity: [String]
    }

    @Test("a full disk refuses writes with a problem, and writes succeed again once there is room")
    func full() async throws {
        let outcome: Full = try await play("full")
        #expect(outcome.type == "urn:findmybike:problem:storage-unavailable")
        #expect(outcome.media == "application/problem+json")
        #expect(outcome.retry == "10")
        #expect(outcome.ready == 503)
        #expect(outcome.reads == 200)
        #expect(outcome.answered > 0)
        #expect(outcome.lost == 0)
        #expect(outcome.halves == 0)
        #expect(outcome.integrity == ["ok"])
    }

    private struct Two: Decodable {
        let statuses: [Int]
        let errors: [String]
        let first: Int
    }

    @Test("a second process on the same database is refused in one line, and the first keeps serving")
    func two() async throws {
        let outcome: Two = try await play("two")
        #expect(outcome.statuses == [73])
        #expect(outcome.errors.allSatisfy { $0.contains("in use by another registry") && $0.hasSuffix("path\n") })
        #expect(outcome.first == 200)
    }

    private struct Beside: Decodable {
        let statuses: [Int]
        let listed: Bool
    }

    @Test("operators are made, listed and revoked while the registry runs, and a revoked token stops working at once")
    func beside() async throws {
        let outcome: Beside = try await play("beside")
        #expect(outcome.statuses == [200, 200, 0, 401, 200])
        #expect(outcome.listed)
    }

    private struct Newer: Decodable {
        let status: Int
        let errors: String
        let same: Bool
    }

    @Test("a database from a newer version is refused and left unchanged")
    func newer() async throws {
        let outcome: Newer = try await play("newer")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("newer version"))
        #expect(outcome.same)
    }

    private struct Backup: Decodable {
        let statuses: [String: Int]
        let untouched, kept: Bool
        let lost, halves, writes: Int
        let mode: String
        let left: [String]
    }

    @Test("a backup made under load is complete; only an intact one is restored, over existing data only with --force")
    func backup() async throws {
        let outcome: Backup = try await play("backup")
        #expect(
            outcome.statuses == [
                "backup": 0, "again": 73, "restore while it runs": 73, "restore over it": 73, "damaged": 65,
                "foreign": 65, "missing": 66, "restore": 0,
            ]
        )
        #expect(outcome.untouched)
        #expect(outcome.kept)
        #expect(outcome.lost == 0)
        #expect(outcome.halves == 0)
        #expect(outcome.writes == 200)
        #expect(outcome.mode == "600")
        #expect(outcome.left.isEmpty)
    }

    private struct Drain: Decodable {
        let answer, status, delivered: Int
        let result: String
        let running, stopped: Bool
    }

    @Test("a registry that is shut down answers the requests it has begun to read and finishes the alert in progress")
    func drain() async throws {
        let outcome: Drain = try await play("drain")
        #expect(outcome.answer == 200)
        #expect(outcome.result == "stored")
        #expect(outcome.running)
        #expect(outcome.status == 0)
        #expect(outcome.delivered >= 1)
        #expect(outcome.stopped)
    }
}
