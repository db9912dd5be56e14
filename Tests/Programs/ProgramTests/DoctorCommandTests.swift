import Foundation
import TestSupport
import Testing

@Suite("findmybike doctor", .timeLimit(.minutes(20)))
struct DoctorCommandTests {
    private struct Line: Decodable {
        let identifier: String
        let verdict: String
        let finding: String
        let remedy: String?
    }

    private let program: BuiltProgram
    private let folder: TemporaryFolder
    private let bluetooth: FakeBluetooth

    init() async throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
        bluetooth = try await FakeBluetooth("hci0")
        try await bluetooth.setPowered()
    }

    private func doctor(_ arguments: [String]) async throws -> BuiltProgram.Result {
        try await program.run(
            ["doctor", "--root", folder.path] + arguments,
            environment: bluetooth.environment.merging(["HOME": folder.path]) { $1 })
    }

    private func verdicts(_ arguments: [String]) async throws -> (status: Int32, [String: String]) {
        let result = try await doctor(arguments + ["--json"])
        let lines = try result.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return (result.status, Dictionary(uniqueKeysWithValues: lines.map { ($0.identifier, $0.verdict) }))
    }

    @Test("for an owner with a valid token, all checks pass")
    func owner() async throws {
        let registry = try await LiveRegistry()
        let token = folder.file("token")
        _ = try await registry.person("owner").output("owner", "create", "--token-file", token)
        let (status, verdicts) = try await verdicts(["--registry", registry.url, "--token-file", token])
        #expect(status == 0)
        #expect(verdicts["registry"] == "ok" && verdicts["token"] == "ok" && verdicts["adapter"] == "ok")
        #expect(verdicts["location"] == "notApplicable")
        withExtendedLifetime(registry) {}
    }

    @Test("the monitor's registry, token and location are checked")
    func monitor() async throws {
        let registry = try await LiveRegistry()
        let token = try folder.write("not-a-stations\n", to: "station-token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token)
        let config = try folder.write(
            "registry:\n  url: \(registry.url)\nstation:\n  tokenFile: \(token)\n  latitude: 51.5\n", to: "monitor.yaml"
        )
        let (status, verdicts) = try await verdicts(["--config", config])
        #expect(status == 1)
        #expect(verdicts["registry"] == "ok" && verdicts["token"] == "failure" && verdicts["location"] == "failure")
        withExtendedLifetime(registry) {}
    }

    @Test("a failure is one line followed by its remedy, with status 1")
    func table() async throws {
        try await bluetooth.setPowered("hci0", false)
        let result = try await doctor(["--registry", "http://127.0.0.1:1"])
        #expect(result.status == 1)
        #expect(result.output.contains("FAILURE  Bluetooth adapter"))
        #expect(result.output.contains("→ bluetoothctl power on"))
        #expect(result.output.contains("cannot be reached"))
        #expect(result.errors.isEmpty)
    }

    @Test("unreadable settings are reported as a finding, and the other checks still run")
    func brokenSettings() async throws {
        let config = try folder.write("registry:\n  uri: x\n", to: "broken.yaml")
        let (status, verdicts) = try await verdicts(["--config", config])
        #expect(status == 1)
        #expect(verdicts["registry"] == "failure" && verdicts["adapter"] == "ok")
        let missing = try await doctor(["--config", folder.file("missing.yaml")])
        #expect(missing.output.contains("missing.yaml: cannot be read"))
        #expect(missing.output.contains("→ correct the settings, or name another file with --config"))
        #expect(missing.output.split(separator: "the settings cannot be used").count == 4)
    }
}
