import Crypto
import Foundation

/// The initiator's side of `Noise_NNpsk0_25519_ChaChaPoly_SHA256`: both sides prove that they know the key, and agree
/// on new keys for this connection (The Noise Protocol Framework, revision 34, sections 7.5 and 9).
struct NoiseHandshake {
    typealias PrivateKey = Curve25519.KeyAgreement.PrivateKey

    private static let publicKeyLength = 32

    private var state: NoiseState
    private let key: ProxyKey
    private let ephemeral: PrivateKey

    /// - Parameters:
    ///   - prologue: what both sides must have seen in the same way before.
    ///   - ephemeral: the key pair of this connection: a new one each time, except in tests.
    init(_ key: ProxyKey, prologue: Data, ephemeral: PrivateKey = PrivateKey()) {
        state = NoiseState(protocolName: "Noise_NNpsk0_25519_ChaChaPoly_SHA256", prologue: prologue)
        self.key = key
        self.ephemeral = ephemeral
    }

    /// The first message: `psk, e`. Call once, before ``finish(_:)``.
    mutating func request() throws(NoiseFailure) -> Data {
        let mine = ephemeral.publicKey.rawRepresentation
        state.mixKeyAndHash(key.key)
        state.mixHash(mine)
        // With a pre-shared key, each `e` is also mixed into the key (section 9.2).
        state.mixKey(SymmetricKey(data: mine))
        return mine + (try state.encryptAndHash(Data()))
    }

    /// Reads the second message, `e, ee`, and returns the ciphers of both directions. Call once, after ``request()``.
    mutating func finish(_ response: Data) throws(NoiseFailure) -> (sending: NoiseCipher, receiving: NoiseCipher) {
        guard response.count >= Self.publicKeyLength + NoiseCipher.tagLength else { throw NoiseFailure() }
        let theirs = Data(response.prefix(Self.publicKeyLength))
        state.mixHash(theirs)
        state.mixKey(SymmetricKey(data: theirs))
        state.mixKey(try agree(theirs))
        _ = try state.decryptAndHash(Data(response.dropFirst(Self.publicKeyLength)))
        let (sending, receiving) = state.split()
        return (sending, receiving)
    }

    private func agree(_ theirs: Data) throws(NoiseFailure) -> SymmetricKey {
        do {
            let secret = try ephemeral.sharedSecretFromKeyAgreement(with: .init(rawRepresentation: theirs))
            return SymmetricKey(data: secret.withUnsafeBytes { Data($0) })
        } catch {
            // Also for a public key that makes the secret zero.
            throw NoiseFailure()
        }
    }
}
