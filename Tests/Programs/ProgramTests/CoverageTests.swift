import Foundation
import TestSupport
import Testing

@Suite("When a station listened, from the monitor to the evidence")
struct CoverageTests {
    private struct Coverage: Decodable {
        struct Quarter: Decodable {
            let listened, adverts, devices: Int
        }

        let quarters: [Quarter]
    }

    private struct Silence: Decodable {
        struct Station: Decodable {
            struct Span: Decodable {
                let listened: Int
            }

            let spans: [Span]
        }

        let stations: [Station]
    }

    /// Two devices that are not missing. Whenever the scenario begins, it contains at least eight whole quarters of an
    /// hour that ended a minute before it does, and so are sent.
    private static let scenario = """
        name: a quiet evening
        duration: 2h16m
        beacons:
          - name: one
            identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:1
            measuredPower: -59
            interval: 10s
            position: { x: 3, y: 0 }
          - name: other
            identity: 7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:2
            measuredPower: -59
            interval: 10s
            position: { x: 3, y: 0 }

        """

    private let folder: TemporaryFolder
    private let server: BuiltProgram

    init() throws {
        folder = try TemporaryFolder()
        server = try BuiltProgram("findmybike-registry")
    }

    /// Runs the owner's program with the operator's token if told so; it must succeed.
    private func findmybike(_ arguments: String..., at url: String, asOperator: Bool = false) async throws -> String {
        let token = asOperator ? ["--token-file", folder.file("operator-token")] : []
        let result = try await BuiltProgram("findmybike").run(
            arguments + token, environment: ["HOME": folder.path, "FINDMYBIKE_REGISTRY_URL": url])
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    private func python(_ script: String, _ arguments: String...) async throws -> String {
        let result = try await BuiltProgram(path: "/usr/bin/env").run(["python3", "-c", script] + arguments)
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("what a monitor heard reaches the operator's table and, in careful words, the owner's evidence")
    func told() async throws {
        let keyFile = folder.file("signing.key")
        let key = try await server.run(["key", "create", "--key-file", keyFile])
        let fingerprint = try #require(key.output.firstMatch(of: /fingerprint ([0-9a-f]{64})/)).output.1.description
        let made = try await server.run(["operator", "create", "--database", folder.file("registry.sqlite")])
        let tokenFile = try folder.write(made.output, to: "operator-token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokenFile)
        let registry = try await StartedRegistry(in: folder, "evidence:\n  keyFile: \(keyFile)\n")
        _ = try await findmybike(
            "station", "enrol", "--name", "Café Sprocket", "--latitude", "51.50072", "--longitude", "-0.12463",
            "--output", folder.file("station-token"), at: registry.url, asOperator: true)
        _ = try await findmybike("owner", "create", at: registry.url)
        _ = try await findmybike(
            "bike", "register", "--kind", "bicycle", "--make", "Brompton", "--model", "C Line", "--colour", "green",
            at: registry.url)
        _ = try await findmybike(
            "bike", "missing", "--latitude", "51.5", "--longitude", "-0.12", "--police-reference", "CRIME-7",
            at: registry.url)
        // As if it had been reported three hours ago, before what is played now, and the station placed there a day ago.
        _ = try await python(
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as database:
                database.execute("UPDATE report SET opened = opened - 10800000, listed_since = listed_since - 10800000")
                database.execute("UPDATE station SET enrolled = enrolled - 86400000")
            """, folder.file("registry.sqlite"))
        try await play(against: registry.url)

        let lines = try await findmybike(
            "station", "coverage", "sprocket", "--json", at: registry.url, asOperator: true
        ).split(separator: "\n")
        let quarters = try lines.flatMap { try JSONDecoder().decode(Coverage.self, from: Data($0.utf8)).quarters }
        #expect((8...9).contains(quarters.count) && quarters.allSatisfy { $0.devices <= 2 }, "\(quarters)")
        #expect(
            quarters.filter { $0.listened >= 860 && $0.adverts >= 90 && $0.devices == 2 }.count >= 7, "\(quarters)")
        let table = try await findmybike("station", "coverage", "sprocket", at: registry.url, asOperator: true)
        #expect(table.contains("LISTENED") && table.contains(/(59|60) min/) && table.contains("unknown"), "\(table)")

        let pack = folder.file("evidence.zip")
        _ = try await findmybike("evidence", "download", "--output", pack, at: registry.url)
        let verified = try await findmybike("evidence", "verify", pack, "--key", fingerprint, at: registry.url)
        #expect(verified.contains("Silent:") && verified.contains("does not prove that it was somewhere else"))
        let file = try await python(
            "import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('coverage.json').decode())", pack)
        let silence = try JSONDecoder().decode(Silence.self, from: Data(file.utf8))
        let spans = silence.stations.flatMap(\.spans)
        #expect(silence.stations.count == 1 && spans.count == 1 && spans.allSatisfy { $0.listened >= 6160 })
        #expect(!file.contains("Sprocket") && !file.contains("51.50072"))
    }

    /// Plays the scenario with the built monitor, which sends what it heard when it stops.
    private func play(against url: String) async throws {
        let settings = try folder.write(
            """
            registry:
              url: \(url)
            station:
              tokenFile: \(folder.file("station-token"))
            state: \(folder.path)

            """, to: "monitor.yaml")
        let scenario = try folder.write(Self.scenario, to: "scenario.yaml")
        let played = try await BuiltProgram("findmybike-monitor").run([
            "--config", settings, "--simulate", scenario, "--speed", "max",
        ])
        #expect(played.status == 0, "\(played.errors)")
    }
}
