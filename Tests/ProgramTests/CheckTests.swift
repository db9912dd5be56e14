import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike bike check, at a running registry", .timeLimit(.minutes(20)))
struct CheckTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    private func run(
        _ registry: LiveRegistry, _ arguments: String..., home: String = "home"
    ) async throws -> BuiltProgram.Result {
        try await program.run(
            arguments, environment: ["HOME": folder.file(home), "FINDMYBIKE_REGISTRY_URL": registry.url])
    }

    @Test("an owner allows the check, a buyer without an account gets the answer, and nothing is logged of the number")
    func life() async throws {
        let registry = try await LiveRegistry(in: folder, "log:\n  level: trace\n")
        #expect(try await run(registry, "owner", "create").status == 0)
        let common = try await run(
            registry, "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red",
            "--serial", "0000", "--buyer-check")
        #expect(common.status != 0 && common.errors.contains("serial number"), "\(common.errors)")
        let bike = try await run(
            registry, "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red",
            "--serial", "WTU 123", "--buyer-check")
        #expect(bike.status == 0, "\(bike.errors)")
        #expect(try await run(registry, "bike", "show").output.contains("can check these numbers"))
        #expect(try await run(registry, "bike", "missing").status == 0)
        let found = try await run(registry, "bike", "check", "wtu-123", home: "buyer")
        #expect(found.status == 0 && found.output.contains("has been reported as missing here"), "\(found.errors)")
        #expect(found.output.contains("does not prove"))
        #expect(try await run(registry, "bike", "edit", "--no-buyer-check").status == 0)
        let none = try await run(registry, "bike", "check", "WTU123", home: "buyer")
        #expect(none.status == 0 && none.output.contains("This proves nothing"), "\(none.errors)")
        #expect(try await run(registry, "bike", "check", "WTU123", "--json", home: "buyer").output.contains("false"))
        let wrong = try await run(registry, "bike", "check", "12", home: "buyer")
        #expect(wrong.status != 0 && wrong.errors.contains("4 to 40"), "\(wrong.errors)")
        let written = await registry.stop()
        #expect(written.contains("/v1/checks") && !written.uppercased().contains("WTU"))
    }
}
