import Foundation
import TestSupport
import Testing

@Suite("findmybike bike register --nearby, and find", .timeLimit(.minutes(20)))
struct NearbyTests {
    private static let scenario = Repository.path("config/scenarios/bike-passes-cafe.yaml")
    private static let govee = Repository.path("\(Repository.captures)/legacy_govee_fake_ibeacon.btsnoop")

    private let registry: LiveRegistry
    private let owner: Person

    init() async throws {
        registry = try await LiveRegistry()
        owner = registry.person("owner")
        _ = try await owner.output("owner", "create")
    }

    private func register(_ scenario: String, input: String) async -> CommandRun {
        await owner.run(
            "bike", "register", "--nearby", "--kind", "bicycle", "--make", "Brompton", "--model", "C", "--colour",
            "red", "--simulate", scenario, input: input)
    }

    @Test("the chosen beacon is registered, to be verified with another minor, and found again")
    func registers() async throws {
        let first = await register(Self.scenario, input: "1\n")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.errors.contains("1  "))
        #expect(first.output.contains("Registered Brompton C"))
        #expect(first.output.contains("Change only the minor") && first.output.contains("findmybike bike test"))
        let given = try #require(try await owner.output("bike", "show").firstMatch(of: /As given +(\S+),/))
        let found = try await owner.output("find", "--identity", String(given.output.1), "--simulate", Self.scenario)
        #expect(found.contains("dBm") && found.contains("Heard "))
    }

    @Test(
        "nothing is registered without a valid choice",
        arguments: ["", "\n", "0\n", "99\n", "x\n", "-1\n", "99999999999999999999\n"]
    )
    func noChoice(input: String) async throws {
        let result = await register(Self.scenario, input: input)
        #expect(result.status == 64)
        #expect(result.errors.contains("nothing was registered"))
        #expect(try await owner.output("bike", "list").contains("No bikes yet"))
    }

    @Test("a factory identity causes a warning, and is registered only if the owner insists and the registry agrees")
    func factory() async throws {
        let scenario = try String(contentsOfFile: Self.scenario, encoding: .utf8)
            .replacing(
                "7F3A9C52-1B64-4E0D-8A27-5D9E60C4B813:4711:101", with: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0")
        let path = try registry.folder.write(scenario, to: "factory.yaml")
        let listed = await register(path, input: "\n")
        let row = try #require(listed.errors.split(separator: "\n").first { $0.contains("E2C56DB5") })
        #expect(row.contains("shared by many"))
        let number = try #require(row.first)
        let declined = await register(path, input: "\(number)\nn\n")
        #expect(declined.status == 64)
        #expect(declined.errors.contains("Many beacons have this identity"))
        let insisted = await register(path, input: "\(number)\ny\n")
        #expect(insisted.status == 64)
        #expect(insisted.errors.contains("factory setting"), "\(insisted.errors)")
    }

    @Test("a search in a capture says when the beacon is not in it")
    func notHeard() async throws {
        let found = try await owner.output(
            "find", "--identity", "21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:100", "--replay", Self.govee)
        #expect(found.components(separatedBy: "not heard yet").count == 2, "each change is told once")
        #expect(found.hasSuffix("Not heard.\n"))
    }
}
