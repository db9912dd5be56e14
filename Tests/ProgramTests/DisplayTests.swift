import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("Displays, at a running registry", .timeLimit(.minutes(20)))
struct DisplayTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    private func run(_ registry: LiveRegistry, _ arguments: [String]) async throws -> BuiltProgram.Result {
        try await program.run(
            arguments,
            environment: ["HOME": folder.file("home"), "FINDMYBIKE_REGISTRY_URL": registry.url])
    }

    @Test("the operator and the station’s machine make, list and revoke displays")
    func life() async throws {
        let registry = try await LiveRegistry(in: folder, "publicURL: https://registry.example\n")
        let createdOperator = try await BuiltProgram("findmybike-registry").run(
            ["operator", "create", "--database", folder.file("registry.sqlite")])
        let operatorToken = try folder.write(createdOperator.output, to: "operator-token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: operatorToken)
        let token = folder.file("station-token")
        let settings = try folder.write(
            "registry:\n  url: \(registry.url)\nstation:\n  tokenFile: \(token)\n", to: "monitor.yaml")
        let enrolled = try await run(
            registry,
            ["station", "enrol", "--name", "Café", "--latitude", "1", "--longitude", "2", "--output", token]
                + ["--token-file", operatorToken])
        #expect(enrolled.status == 0, "\(enrolled.errors)")

        let asOperator = ["--token-file", operatorToken]
        let made = try await run(registry, ["station", "display", "add", "café", "--name", "Counter"] + asOperator)
        let code = try #require(
            made.output.firstMatch(of: /https:\/\/registry\.example\/display#([0-9A-Z]{5}-[0-9A-Z]{5})\n/),
            "\(made.errors)")
        #expect(made.output.contains("The code is \(code.output.1)."))
        let list = try await run(registry, ["station", "display", "list", "café"] + asOperator)
        #expect(list.output.contains("Counter") && list.output.contains("works until") && list.output.contains("never"))
        #expect(!list.output.contains(code.output.1))

        // On the monitor’s machine, with the station’s token.
        let config = ["--config", settings]
        let own = try await run(registry, ["venue", "display", "--json"] + config)
        let answer = try JSONDecoder().decode(DisplayCode.self, from: Data(own.output.utf8))
        #expect(answer.code.count == 11 && answer.code != code.output.1, "\(own.errors)")
        let replaced = try await run(registry, ["venue", "display", "list"] + config)
        #expect(replaced.output.contains("Display") && !replaced.output.contains("Counter"), "\(replaced.errors)")
        let wrong = try await run(registry, ["venue", "display", "revoke", "kitchen"] + config)
        #expect(wrong.status == 65, "\(wrong.errors)")
        let revoked = try await run(registry, ["venue", "display", "revoke", "display"] + config)
        #expect(revoked.status == 0 && revoked.output.contains("shows nothing any more"), "\(revoked.errors)")
        let none = try await run(registry, ["station", "display", "list", "café"] + asOperator)
        #expect(none.output.contains("no display"))
        let stranger = try await run(registry, ["venue", "display", "list", "--config", folder.file("nothing.yaml")])
        #expect(stranger.status != 0)
    }
}
