import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Tokens and codes")
struct SecretsTests {
    @Test("a token contains its kind and can be parsed back", arguments: Principal.Kind.allCases)
    func token(kind: Principal.Kind) throws {
        var entropy = Entropy.seeded(1)
        let token = AccessToken(for: kind, using: &entropy)
        #expect(token.text.hasPrefix("fmb_\(kind.rawValue)_"))
        #expect(token.text.utf8.count == "fmb_\(kind.rawValue)_".utf8.count + 43)
        #expect(try #require(AccessToken(token.text)).digest == token.digest)
        #expect(AccessToken(for: kind, using: &entropy) != token)
    }

    @Test("a secret is read only as what it is", arguments: AccessToken.Secret.allCases)
    func secret(kind: AccessToken.Secret) {
        var entropy = Entropy.seeded(1)
        let text = AccessToken(kind, using: &entropy).text
        #expect(AccessToken.Secret.allCases.filter { AccessToken(text, as: $0) != nil } == [kind])
        // Of these, only an owner's session authenticates a caller of the interface.
        #expect((AccessToken(text) != nil) == (kind == .session))
    }

    @Test("text that cannot be a token is not looked up", arguments: ["", "fmb_owner_", "secret", "fmb_owner_abc"])
    func noToken(text: String) { #expect(AccessToken(text) == nil) }

    @Test("a code can be dictated, and typed with the usual mistakes")
    func code() {
        var entropy = Entropy.seeded(2)
        let code = OneTimeCode(using: &entropy)
        #expect(code.text.count == 23 && code.text.split(separator: "-").count == 4)
        let slips = code.text.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "l")
        #expect(OneTimeCode(typed: slips).digest == code.digest)
        #expect(OneTimeCode(typed: "").digest != code.digest)
        // An accent on its own, a kelvin sign, and a line end of two characters.
        #expect(OneTimeCode(typed: "7k\u{301}-\u{212A}\r\nq").plain == "7KQ")
    }

    @Test("digests are SHA-256")
    func digest() {
        // FIPS 180-2, appendix B.1.
        let digits = SecretDigest(of: "abc").bytes.map { String($0, radix: 16) }.joined(separator: " ")
        #expect(digits.hasPrefix("ba 78 16 bf 8f 1 cf ea"))
    }
}
