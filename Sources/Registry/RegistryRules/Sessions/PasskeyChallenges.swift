import Crypto
package import Passkeys

/// The challenges that browsers sign with passkeys: each is valid once, for some minutes.
///
/// Only challenges that were used are remembered (``ChallengeMemory``): strangers can ask for any number of them, but
/// using one takes a signature and counts as an attempt to sign in or up.
public struct PasskeyChallenges: Sendable {
    /// The seconds for which a challenge is valid.
    public static let lifetime = 300

    private let memory: any ChallengeMemory

    public init(rememberedIn memory: any ChallengeMemory) { self.memory = memory }

    /// The challenges of a registry of one process.
    public init() { self.init(rememberedIn: LocalChallengeMemory()) }

    /// Makes a challenge; nothing is stored.
    ///
    /// - Parameter user: the 16 bytes of the identifier that the authenticator stores with a passkey.
    /// - Returns: the bytes that the browser gets.
    package func make(
        _ subject: Challenge.Subject, user: [UInt8], using generator: inout some RandomNumberGenerator
    ) async throws -> [UInt8] {
        let challenge = Challenge(
            subject, user: user, nonce: generator.bytes(16), deadline: memory.now() + Int64(Self.lifetime))
        return challenge.bytes(key: SymmetricKey(data: try await memory.key()))
    }

    /// Reads a challenge of this registry that has not expired; it may have been used.
    ///
    /// - Throws: `passkeyRefused`.
    package func read(_ bytes: [UInt8], for subject: Challenge.Subject) async throws -> Challenge {
        let key = SymmetricKey(data: try await memory.key())
        do {
            let challenge = try Challenge(bytes, key: key)
            guard challenge.subject == subject, memory.now() < challenge.deadline else {
                throw PasskeyError.wrongChallenge
            }
            return challenge
        } catch let error as PasskeyError {
            throw DomainError.passkeyRefused(error)
        }
    }

    /// Uses a challenge up; returns whether this is its first use.
    package func use(_ challenge: Challenge) async throws -> Bool {
        try await memory.use(nonce: challenge.nonce, until: challenge.deadline)
    }

    /// Makes a challenge usable again if its use has changed nothing. If that fails, the browser requests a new one.
    package func release(_ challenge: Challenge) async { try? await memory.release(nonce: challenge.nonce) }
}
