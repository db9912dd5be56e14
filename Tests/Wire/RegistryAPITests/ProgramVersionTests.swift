import RegistryAPI
import Testing

@Suite("Versions of programs")
struct ProgramVersionTests {
    @Test("are compared number by number", arguments: [("1.0.0", "1.0.1"), ("1.9.0", "1.10.0"), ("0.9.12", "1.0.0")])
    func order(older: String, newer: String) throws {
        let (one, other) = (try #require(ProgramVersion(older)), try #require(ProgramVersion(newer)))
        #expect(one < other && !(other < one) && !(one < one))
    }

    @Test("what follows the numbers does not count")
    func suffix() throws {
        let version = try #require(ProgramVersion("1.0.0"))
        for same in ["1.0.0+next", "1.0.0-rc.1"] {
            let other = try #require(ProgramVersion(same))
            #expect(!(other < version) && !(version < other))
        }
    }

    @Test(
        "any other text is none",
        arguments: ["", "1", "1.0", "1.0.0.0", "1..0", "a.b.c", "1.0.99999999999", "1.0.\u{0661}"])
    func none(text: String) {
        #expect(ProgramVersion(text) == nil)
    }
}
