import Foundation
import RegistryAPI
import Testing

@testable import Evidence

@Suite("The registry's keys")
struct KeyringTests {
    private let time = PackFixture.time

    @Test("a keyring can be read back from its file and signs the same")
    func file() throws {
        let keyring = Keyring(at: time)
        let read = try Keyring(decoding: try keyring.encoded())
        #expect(read.keys == keyring.keys)
        #expect(try read.sign([1, 2]) == keyring.sign([1, 2]))
    }

    @Test("a dump does not show the private key")
    func hidden() throws {
        let keyring = Keyring(at: time)
        let file = try #require(
            String(decoding: try keyring.encoded(), as: UTF8.self).firstMatch(of: /"privateKey" : "(.*)"/))
        let secret = try #require(Data(base64Encoded: String(file.output.1)))
        var text = "\(keyring) \(String(reflecting: keyring)) "
        dump(keyring, to: &text)
        #expect(!text.contains(file.output.1) && !text.contains(Hexadecimal.text(secret)))
        #expect(!text.contains(secret.map { "\($0)" }.joined(separator: ", ")) && !text.contains("PrivateKey"))
    }

    @Test("a new key replaces the old one, which stays published for its signatures")
    func rotation() throws {
        let first = Keyring(at: time)
        let later = time.advanced(by: .seconds(60))
        let second = first.rotated(at: later)
        #expect(second.keys.map(\.version) == [1, 2])
        #expect(second.keys[0].retired == later && second.current.retired == nil)
        #expect(second.keys[0].fingerprint == first.current.fingerprint)
        #expect(second.current.fingerprint != first.current.fingerprint)
        let old = try #require(PublicKey(pem: second.keys[0].publicKey))
        let new = try #require(PublicKey(pem: second.current.publicKey))
        let message: [UInt8] = [1, 2, 3]
        #expect(old.isSignature(try first.sign(message), of: message))
        #expect(!old.isSignature(try second.sign(message), of: message))
        #expect(new.isSignature(try second.sign(message), of: message))
        #expect(try Keyring(decoding: try second.encoded()).keys == second.keys)
    }

    @Test("a file with inconsistent parts is refused")
    func badFile() throws {
        let (one, two) = (Keyring(at: time), Keyring(at: time))
        let text = String(decoding: try one.encoded(), as: UTF8.self)
        let foreignKey = text.replacing(one.current.publicKey.pemLine, with: two.current.publicKey.pemLine)
        let foreignFingerprint = text.replacing(one.current.fingerprint, with: two.current.fingerprint)
        for bad in ["", "{}", foreignKey, foreignFingerprint, text.replacing("\"format\" : 1", with: "\"format\" : 2")]
        {
            #expect(bad != text)
            #expect(throws: Keyring.FormatError.self) { try Keyring(decoding: Data(bad.utf8)) }
        }
    }

    @Test("a fingerprint is accepted in the forms that people write")
    func typed() throws {
        let fingerprint = HashValue(of: [1])
        let pairs = stride(from: 0, to: 64, by: 2).map { fingerprint.description.dropFirst($0).prefix(2) }
        #expect(HashValue(typed: pairs.joined(separator: ":").uppercased()) == fingerprint)
        #expect(HashValue(typed: " " + pairs.joined(separator: " ") + "\n") == fingerprint)
        #expect(HashValue(typed: String(fingerprint.description.dropLast())) == nil)
        #expect(HashValue(typed: fingerprint.description.dropLast() + "g") == nil)
    }

    @Test("a checkpoint must match its text exactly, and only the key that signed it verifies it")
    func checkpoint() throws {
        let keyring = Keyring(at: time)
        let key = try #require(PublicKey(pem: keyring.current.publicKey))
        let checkpoint = Checkpoint(length: 12, chain: HashValue(of: [1]), time: time, key: 1)
        let signed = try checkpoint.signed(by: keyring)
        #expect(signed.verified(by: key) == checkpoint)
        #expect(signed.verified(by: try #require(PublicKey(pem: Keyring(at: time).current.publicKey))) == nil)
        for text in [
            "", checkpoint.text + "\n", checkpoint.text.replacing("length 12", with: "length 012"),
            checkpoint.text.replacing("length 12", with: "length -1"), String(checkpoint.text.dropLast()),
            checkpoint.text.replacing("checkpoint 1", with: "checkpoint 2"),
        ] { #expect(Checkpoint(text) == nil, "\(text)") }
    }
}

extension String {
    /// The line of a PEM file that contains the key.
    fileprivate var pemLine: String { String(split(separator: "\n")[1]) }
}
