import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("Displays, at a running registry", .timeLimit(.minutes(20)))
struct DisplayTests {
    @Test("the operator and the station’s machine make, list and revoke displays")
    func life() async throws {
        let folder = try TemporaryFolder()
        let operatorToken = try await LiveRegistry.newOperator(in: folder)
        let registry = try await LiveRegistry(in: folder, "publicURL: https://registry.example\n")
        let (chief, venue) = (registry.person("operator"), registry.person("venue"))
        _ = try await chief.output("login", registry.url, input: operatorToken)
        let token = folder.file("station-token")
        let settings = try folder.write(
            "registry:\n  url: \(registry.url)\nstation:\n  tokenFile: \(token)\n", to: "monitor.yaml")
        _ = try await chief.output(
            "station", "enrol", "--name", "Café", "--latitude", "1", "--longitude", "2", "--output", token)

        let made = try await chief.output("station", "display", "add", "café", "--name", "Counter")
        let code = try #require(
            made.firstMatch(of: /https:\/\/registry\.example\/display#([0-9A-Z]{5}-[0-9A-Z]{5})\n/), "\(made)")
        #expect(made.contains("The code is \(code.output.1)."))
        let list = try await chief.output("station", "display", "list", "café")
        #expect(list.contains("Counter") && list.contains("works until") && list.contains("never"))
        #expect(!list.contains(code.output.1))

        // On the monitor’s machine, with the station’s token.
        let config = ["--config", settings]
        let own = await venue.run(["venue", "display", "--json"] + config)
        let answer = try JSONDecoder().decode(DisplayCode.self, from: Data(own.output.utf8))
        #expect(answer.code.count == 11 && answer.code != code.output.1, "\(own.errors)")
        let replaced = await venue.run(["venue", "display", "list"] + config)
        #expect(replaced.output.contains("Display") && !replaced.output.contains("Counter"), "\(replaced.errors)")
        let wrong = await venue.run(["venue", "display", "revoke", "kitchen"] + config)
        #expect(wrong.status == 65, "\(wrong.errors)")
        let revoked = await venue.run(["venue", "display", "revoke", "display"] + config)
        #expect(revoked.status == 0 && revoked.output.contains("no longer shows anything"), "\(revoked.errors)")
        #expect(try await chief.output("station", "display", "list", "café").contains("no display"))
        let stranger = await venue.run("venue", "display", "list", "--config", folder.file("nothing.yaml"))
        #expect(stranger.status != 0)
    }
}
