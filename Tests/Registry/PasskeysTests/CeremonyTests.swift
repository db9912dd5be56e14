import Crypto
import CryptoExtras
import Foundation
import PasskeyTestSupport
import Passkeys
import RegistryAPI
import Testing

@Suite("Verification of passkeys")
struct CeremonyTests {
    typealias Ceremony = SoftwareAuthenticator.Ceremony

    private let party: RelyingParty
    private let authenticator = SoftwareAuthenticator()
    private let challenge = PasskeyChallenge(
        challenge: Base64URL([1, 2, 3]), relyingParty: "registry.example", user: Base64URL([9]), algorithms: [-7],
        expiresIn: 300)

    init() throws { party = try #require(RelyingParty(publicURL: "https://registry.example/")) }

    private func registration(_ change: (inout Ceremony) -> Void = { _ in }) throws -> VerifiedRegistration {
        var ceremony = Ceremony()
        change(&ceremony)
        return try authenticator.registration(challenge, ceremony).response.verified(at: party)
    }

    private func assertion(
        of other: SoftwareAuthenticator? = nil, _ change: (inout Ceremony) -> Void = { _ in }
    ) throws -> VerifiedAssertion {
        var ceremony = Ceremony()
        change(&ceremony)
        let key = try PasskeyKey(algorithm: -7, subjectPublicKeyInfo: (other ?? authenticator).publicKey)
        return try authenticator.assertion(challenge, ceremony).response.verified(by: key, at: party)
    }

    @Test("a registration yields the passkey's identifier, key and counter, and the challenge that it was made for")
    func registers() throws {
        let verified = try registration { $0.counter = 7 }
        #expect(verified.credentialID == authenticator.credentialID)
        #expect(verified.key.subjectPublicKeyInfo == authenticator.publicKey)
        #expect(verified.counter == 7 && verified.challenge == [1, 2, 3])
    }

    @Test("an assertion yields the counter and the challenge that was signed")
    func asserts() throws {
        let verified = try assertion { $0.counter = 0x0102_0304 }
        #expect(verified.counter == 0x0102_0304 && verified.challenge == [1, 2, 3])
    }

    @Test("an answer for another site, by an absent or unverified user, or of the other ceremony is refused")
    func refusals() {
        let cases: [(PasskeyError, (inout Ceremony) -> Void)] = [
            (.wrongOrigin, { $0.origin = "https://registry.example.evil.example" }),
            (.wrongOrigin, { $0.origin = "http://registry.example" }),
            (.wrongOrigin, { $0.origin = "https://registry.example:8443" }),
            (.wrongOrigin, { $0.more = #","crossOrigin":true"# }),
            (.wrongOrigin, { $0.more = #","crossOrigin":false,"topOrigin":"https://evil.example""# }),
            (.wrongRelyingParty, { $0.host = "evil.example" }),
            (.notVerified, { $0.flags = 0x01 }),
            (.notVerified, { $0.flags = 0x04 }),
            (.malformed, { $0.flags = 0x15 }),
            (.malformed, { $0.more = #","type":"webauthn.get""# }),
            (.wrongType, { $0.type = "payment.get" }),
        ]
        for (error, change) in cases {
            #expect(throws: error) { _ = try registration(change) }
            #expect(throws: error) { _ = try assertion(change) }
        }
        #expect(throws: PasskeyError.wrongType) { _ = try registration { $0.type = "webauthn.get" } }
        #expect(throws: PasskeyError.wrongType) { _ = try assertion { $0.type = "webauthn.create" } }
    }

    @Test("a signature of another key, or of other bytes, is refused")
    func signatures() throws {
        #expect(throws: PasskeyError.wrongSignature) { _ = try assertion(of: SoftwareAuthenticator()) }
        let key = try PasskeyKey(algorithm: -7, subjectPublicKeyInfo: authenticator.publicKey)
        var ceremony = Ceremony()
        ceremony.counter = 1
        let signed = try authenticator.assertion(challenge, ceremony).response
        var grown = signed
        grown.authenticatorData[36] = 2
        var other = signed
        other.clientDataJSON += [0x20]
        var none = signed
        none.signature = []
        for forged in [grown, other, none] {
            #expect(throws: PasskeyError.wrongSignature) { _ = try forged.verified(by: key, at: party) }
        }
    }

    @Test("bytes that are cut off anywhere are refused, and never trap")
    func truncated() throws {
        let full = authenticator.registration(challenge).response
        for count in 0..<full.authenticatorData.count - 1 {
            var cut = full
            cut.authenticatorData = Array(full.authenticatorData.prefix(count))
            #expect(throws: PasskeyError.self, "\(count)") { _ = try cut.verified(at: party) }
        }
        for count in 0..<full.clientDataJSON.count {
            var cut = full
            cut.clientDataJSON = Array(full.clientDataJSON.prefix(count))
            #expect(throws: PasskeyError.malformed, "\(count)") { _ = try cut.verified(at: party) }
        }
        var cut = full
        cut.publicKey.removeLast()
        #expect(throws: PasskeyError.unsupportedKey) { _ = try cut.verified(at: party) }
    }

    @Test("RS256 is verified with keys of 2048 to 4096 bits; a key of another algorithm or length is refused")
    func keys() throws {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let der = Array(rsa.publicKey.derRepresentation)
        let key = try PasskeyKey(algorithm: -257, subjectPublicKeyInfo: der)
        let (client, data) = (
            SoftwareAuthenticator.clientData(challenge, "webauthn.get", Ceremony()),
            SoftwareAuthenticator.authenticatorData(Ceremony(), 0)
        )
        let digest = SHA256.hash(data: data + Array(SHA256.hash(data: client)))
        let signature = try rsa.signature(for: digest, padding: .insecurePKCS1v1_5)
        var response = AssertionResponse(
            clientDataJSON: client, authenticatorData: data, signature: Array(signature.rawRepresentation))
        _ = try response.verified(by: key, at: party)
        response.signature[0] ^= 1
        #expect(throws: PasskeyError.wrongSignature) { _ = try response.verified(by: key, at: party) }
        let short = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024)).publicKey.derRepresentation
        let refused: [(Int, [UInt8])] = [
            (-7, der), (-257, authenticator.publicKey), (-8, authenticator.publicKey), (-257, Array(short)), (-7, []),
        ]
        for (algorithm, bytes) in refused {
            #expect(throws: PasskeyError.unsupportedKey) {
                _ = try PasskeyKey(algorithm: algorithm, subjectPublicKeyInfo: bytes)
            }
        }
    }

    @Test("a counter must grow, unless the authenticator does not count")
    func counters() {
        #expect(SignatureCounter.isPlausible(0, after: 0) && SignatureCounter.isPlausible(8, after: 7))
        for (new, old) in [(7, 7), (6, 7), (0, 7)] as [(UInt32, UInt32)] {
            #expect(!SignatureCounter.isPlausible(new, after: old))
        }
    }

    @Test("passkeys need https and the name of a host, or localhost")
    func parties() {
        let parties = [
            "https://registry.example": ("https://registry.example", "registry.example"),
            "https://Registry.Example:443/path": ("https://registry.example", "registry.example"),
            "https://registry.example:8443": ("https://registry.example:8443", "registry.example"),
            "http://localhost:8080": ("http://localhost:8080", "localhost"),
        ]
        for (url, (origin, id)) in parties {
            let party = RelyingParty(publicURL: url)
            #expect(party?.origin == origin && party?.id == id)
        }
        for url in [
            "http://registry.example", "https://192.0.2.1", "https://[2001:db8::1]", "https://a:b@registry.example",
            "registry.example", "https://", "https://registry..example", "",
        ] { #expect(RelyingParty(publicURL: url) == nil, "\(url)") }
    }

    @Test("a challenge is read only with the key that made it, unchanged")
    func challenges() throws {
        let (key, other) = (SymmetricKey(size: .bits256), SymmetricKey(size: .bits256))
        let made = Challenge(
            .owner, user: Array(0..<16), nonce: Array(repeating: 7, count: 16), deadline: 0x0102_0304_0506)
        let bytes = made.bytes(key: key)
        #expect(try Challenge(bytes, key: key) == made)
        #expect(throws: PasskeyError.wrongChallenge) { _ = try Challenge(bytes, key: other) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: PasskeyError.wrongChallenge) { _ = try Challenge(changed, key: key) }
            #expect(throws: PasskeyError.wrongChallenge) { _ = try Challenge(Array(bytes[..<index]), key: key) }
        }
    }
}
