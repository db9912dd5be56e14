import RegistryRules
import Testing

@Suite("Failures of partners")
struct PartnerFailureTests {
    @Test("whatever a partner writes, the reason is one line of bounded length")
    func bounded() {
        let accents = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(PartnerFailure(accents).description.unicodeScalars.count == 300)
        #expect(PartnerFailure("not\nread\u{202E}\u{1B}[2J").description == "not read  [2J")
        #expect(PartnerFailure("away").description == "away")
    }
}
