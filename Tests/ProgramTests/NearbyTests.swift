import Foundation
import TestSupport
import Testing

@Suite("findmybike bike register --nearby, and find", .timeLimit(.minutes(20)))
struct NearbyTests {
    private static let scenario = Repository.path("config/scenarios/bike-passes-cafe.yaml")
    private static let govee = Repository.path("\(Repository.captures)/legacy_govee_fake_ibeacon.btsnoop")

    private let program: BuiltProgram
    private let folder: TemporaryFolder
    private let registry: LiveRegistry

    init() async throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
        registry = try await LiveRegistry()
        let created = try await program.run(["owner", "create"], environment: environment)
        #expect(created.status == 0, "\(created.errors)")
    }

    private var environment: [String: String] {
        ["HOME": folder.path, "FINDMYBIKE_REGISTRY_URL": registry.url]
    }

    private func register(_ source: [String], input: String) async throws -> BuiltProgram.Result {
        try await program.run(
            [
                "bike", "register", "--nearby", "--kind", "bicycle", "--make", "Brompton", "--model", "C", "--colour",
                "red",
            ]
                + source,
            environment: environment, input: input)
    }

    @Test("the chosen beacon is registered, to be verified with another minor, and found again")
    func registers() async throws {
        let first = try await register(["--simulate", Self.scenario], input: "1\n")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.contains("1  "))
        #expect(first.output.contains("Registered Brompton C"))
        #expect(first.output.contains("Change only the minor") && first.output.contains("findmybike bike test"))
        let given = try #require(
            try await program.run(["bike", "show"], environment: environment).output.firstMatch(of: /As given +(\S+),/))
        let find = try await program.run(
            ["find", "--identity", String(given.output.1), "--simulate", Self.scenario], environment: environment)
        #expect(find.status == 0, "\(find.errors)")
        #expect(find.output.contains("dBm"))
        #expect(find.output.contains("Heard "))
    }

    @Test(
        "nothing is registered without a valid choice",
        arguments: ["", "\n", "0\n", "99\n", "x\n", "-1\n", "99999999999999999999\n"]
    )
    func noChoice(input: String) async throws {
        let result = try await register(["--simulate", Self.scenario], input: input)
        #expect(result.status == 64)
        #expect(result.errors.contains("nothing was registered"))
        #expect(try await program.run(["bike", "list"], environment: environment).output.contains("No bikes yet"))
    }

    @Test("a factory identity causes a warning, and is registered only if the owner insists and the registry agrees")
    func factory() async throws {
        let scenario = try String(contentsOfFile: Self.scenario, encoding: .utf8)
            .replacing(
                "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:101", with: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0")
        let path = try folder.write(scenario, to: "factory.yaml")
        let listed = try await register(["--simulate", path], input: "\n")
        let row = try #require(listed.errors.split(separator: "\n").first { $0.contains("E2C56DB5") })
        #expect(row.contains("shared by many"))
        let number = try #require(row.first)
        let declined = try await register(["--simulate", path], input: "\(number)\nn\n")
        #expect(declined.status == 64)
        #expect(declined.errors.contains("Many beacons have this identity"))
        let insisted = try await register(["--simulate", path], input: "\(number)\ny\n")
        #expect(insisted.status == 64)
        #expect(insisted.errors.contains("factory setting"), "\(insisted.errors)")
    }

    @Test("a search in a capture says when the beacon is not in it")
    func notHeard() async throws {
        let find = try await program.run([
            "find", "--identity", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100", "--replay", Self.govee,
        ])
        #expect(find.status == 0)
        #expect(find.output.components(separatedBy: "not heard yet").count == 2, "each change is told once")
        #expect(find.output.hasSuffix("Not heard.\n"))
    }
}
