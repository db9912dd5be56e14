import Beacons
import Crypto
import TestSupport
import Testing

@testable import MissingList

@Suite("SHA-256")
struct MessageDigestTests {
    private func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = MessageDigest()
        for byte in bytes { digest.append(byte) }
        return digest.finish()
    }

    /// NIST, “SHA-256 examples” and the short messages of the Secure Hash Algorithm Validation System.
    @Test(
        "published vectors",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                    + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(message: String, expected: String) {
        let hex = digest(message.utf8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == expected)
    }

    @Test("messages of every length agree with another implementation")
    func lengths() {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<300 {
            let message = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(digest(message) == Array(SHA256.hash(data: message)), "\(length)")
        }
    }

    @Test("an identity's hash is the beginning of the SHA-256 of its bytes")
    func identities() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let identity = BeaconIdentity.random(using: &generator)
            var bytes: [UInt8] = []
            bytes.appendBigEndian(identity.uuid.high)
            bytes.appendBigEndian(identity.uuid.low)
            bytes.appendBigEndian(identity.major)
            bytes.appendBigEndian(identity.minor)
            let expected = SHA256.hash(data: bytes).prefix(5).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            #expect(TruncatedHash(of: identity).value == expected)
        }
    }
}
