import Crypto
import Foundation

/// The symmetric state of a Noise handshake with ChaCha20-Poly1305 and SHA-256
/// (The Noise Protocol Framework, revision 34, section 5.2).
struct NoiseState {
    private static let hashLength = 32

    /// The hash of all that both sides have seen in the same way.
    private(set) var hash: Data
    private var chainingKey: SymmetricKey
    private var cipher: NoiseCipher?

    /// - Parameters:
    ///   - name: the protocol's name, longer than a hash.
    init(protocolName name: String, prologue: Data) {
        hash = Data(SHA256.hash(data: Data(name.utf8)))
        chainingKey = SymmetricKey(data: hash)
        mixHash(prologue)
    }

    /// Adds data that both sides see to the hash.
    mutating func mixHash(_ data: Data) { hash = Data(SHA256.hash(data: hash + data)) }

    /// Derives a new chaining key and a new cipher from a secret.
    mutating func mixKey(_ material: SymmetricKey) {
        let keys = derive(material, 2)
        chainingKey = keys[0]
        cipher = NoiseCipher(keys[1])
    }

    /// The same with a pre-shared key, of which a part is added to the hash.
    mutating func mixKeyAndHash(_ material: SymmetricKey) {
        let keys = derive(material, 3)
        chainingKey = keys[0]
        mixHash(keys[1].withUnsafeBytes { Data($0) })
        cipher = NoiseCipher(keys[2])
    }

    /// Encrypts with the current key, which every handshake with a pre-shared key has.
    mutating func encryptAndHash(_ plain: Data) throws(NoiseFailure) -> Data {
        guard let sealed = try cipher?.seal(plain, authenticating: hash) else { throw NoiseFailure() }
        mixHash(sealed)
        return sealed
    }

    /// Decrypts what ``encryptAndHash(_:)`` of the other side has encrypted.
    mutating func decryptAndHash(_ sealed: Data) throws(NoiseFailure) -> Data {
        guard let plain = try cipher?.open(sealed, authenticating: hash) else { throw NoiseFailure() }
        mixHash(sealed)
        return plain
    }

    /// The ciphers of the two directions, the initiator's first.
    func split() -> (NoiseCipher, NoiseCipher) {
        let keys = derive(SymmetricKey(data: Data()), 2)
        return (NoiseCipher(keys[0]), NoiseCipher(keys[1]))
    }

    /// Noise's HKDF is that of RFC 5869, with the chaining key as salt and without info.
    private func derive(_ material: SymmetricKey, _ count: Int) -> [SymmetricKey] {
        let salt = chainingKey.withUnsafeBytes { Data($0) }
        let output = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, outputByteCount: count * Self.hashLength)
        let bytes = output.withUnsafeBytes { Data($0) }
        return (0..<count).map { index in
            let start = bytes.startIndex + index * Self.hashLength
            return SymmetricKey(data: bytes[start..<start + Self.hashLength])
        }
    }
}

/// A message is not authentic, or a key is unusable.
struct NoiseFailure: Error {}

/// The cipher of one direction: a key, and a counter as nonce.
struct NoiseCipher {
    /// The length in bytes of the authentication tag after a ciphertext.
    static let tagLength = 16

    private let key: SymmetricKey
    private var counter: UInt64 = 0

    init(_ key: SymmetricKey) { self.key = key }

    /// The ciphertext and its tag.
    ///
    /// - Parameter data: what is authenticated with it, but not encrypted.
    mutating func seal(_ plain: Data, authenticating data: Data = Data()) throws(NoiseFailure) -> Data {
        let nonce = try nextNonce()
        do {
            let box = try ChaChaPoly.seal(plain, using: key, nonce: nonce, authenticating: data)
            return box.ciphertext + box.tag
        } catch {
            throw NoiseFailure()
        }
    }

    /// The plaintext of a ciphertext and its tag; throws if they are not authentic.
    mutating func open(_ sealed: Data, authenticating data: Data = Data()) throws(NoiseFailure) -> Data {
        guard sealed.count >= Self.tagLength else { throw NoiseFailure() }
        let nonce = try nextNonce()
        do {
            // The framework's “combined” form is the nonce followed by the ciphertext and the tag.
            let box = try ChaChaPoly.SealedBox(combined: Data(nonce) + sealed)
            return try ChaChaPoly.open(box, using: key, authenticating: data)
        } catch {
            throw NoiseFailure()
        }
    }

    /// Four zero bytes and the counter, little-endian (section 12.3); the last value is reserved.
    private mutating func nextNonce() throws(NoiseFailure) -> ChaChaPoly.Nonce {
        guard counter < .max else { throw NoiseFailure() }
        var bytes = Data(count: 4)
        withUnsafeBytes(of: counter.littleEndian) { bytes.append(contentsOf: $0) }
        counter += 1
        do { return try ChaChaPoly.Nonce(data: bytes) } catch { throw NoiseFailure() }
    }
}
