import Crypto
import Passkeys
import RegistryAPI
import Synchronization

/// The challenges that browsers sign with passkeys: each is valid once, for some minutes.
///
/// Only challenges that were used are stored: strangers can ask for any number of them, but to use one takes a signature
/// and counts as an attempt to sign in or up. The key exists only in memory and time is the monotonic clock's, so a
/// restart ends all challenges and a wrong clock prolongs none.
public final class PasskeyChallenges: Sendable {
    /// The seconds for which a challenge is valid.
    public static let lifetime = 300

    /// The maximum number of challenges that are used within their lifetime.
    private static let most = 1 << 16

    /// The nonces of used challenges, in two periods that are at least as long as a challenge is valid. So what has expired
    /// is dropped with its period, and nothing is searched.
    private struct Used {
        var current: Set<[UInt8]> = []
        var previous: Set<[UInt8]> = []
        /// When the current period began.
        var begin: Int64 = 0

        mutating func drop(at now: Int64) {
            let periods = (now - begin) / Int64(PasskeyChallenges.lifetime)
            guard periods > 0 else { return }
            previous = periods == 1 ? current : []
            current = []
            begin = now
        }
    }

    private let key = SymmetricKey(size: .bits256)
    private let used = Mutex(Used())
    private let now: @Sendable () -> Int64

    /// - Parameter now: seconds of a monotonic clock.
    public init(now: (@Sendable () -> Int64)? = nil) {
        let start = ContinuousClock.now
        self.now = now ?? { (ContinuousClock.now - start).components.seconds }
    }

    func make(
        _ subject: Challenge.Subject, user: [UInt8], using generator: inout some RandomNumberGenerator
    )
        -> [UInt8]
    {
        Challenge(
            subject, user: user, nonce: generator.bytes(16), deadline: now() + Int64(Self.lifetime)
        ).bytes(key: key)
    }

    /// Reads a challenge of this registry that has not expired; it may have been used.
    func read(_ bytes: [UInt8], for subject: Challenge.Subject) throws -> Challenge {
        do {
            let challenge = try Challenge(bytes, key: key)
            guard challenge.subject == subject, now() < challenge.deadline else { throw PasskeyError.wrongChallenge }
            return challenge
        } catch let error as PasskeyError {
            throw DomainError.passkeyRefused(error)
        }
    }

    /// Uses a challenge up; returns whether this is its first use.
    func use(_ challenge: Challenge) throws -> Bool {
        let now = now()
        return try used.withLock { used throws(DomainError) in
            used.drop(at: now)
            guard !used.current.contains(challenge.nonce), !used.previous.contains(challenge.nonce) else {
                return false
            }
            guard used.current.count < Self.most else { throw .overloaded }
            used.current.insert(challenge.nonce)
            return true
        }
    }

    /// Makes a challenge usable again whose use has changed nothing.
    func release(_ challenge: Challenge) {
        used.withLock { used in
            used.current.remove(challenge.nonce)
            used.previous.remove(challenge.nonce)
        }
    }
}

extension ResourceID {
    /// The 16 bytes, most significant first.
    var octets: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - $0 * 8)) } }
    }

    /// An identifier from its bytes; nil unless there are 16.
    init?(octets: [UInt8]) {
        guard octets.count == 16 else { return nil }
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(octets[..<8]), low: half(octets[8...]))
    }
}
