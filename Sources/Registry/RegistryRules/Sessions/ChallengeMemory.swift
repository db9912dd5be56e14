import Crypto
import Synchronization

/// What is remembered of challenges, so that each is valid in every process of a registry, but only once.
public protocol ChallengeMemory: Sendable {
    /// The secret that authenticates challenges, 32 bytes. All processes have the same; a new one ends all challenges.
    func key() async throws -> [UInt8]

    /// The time in seconds, of a clock that all processes share.
    func now() -> Int64

    /// Remembers the use of a challenge until its deadline, in seconds of ``now()``; returns whether this is its first
    /// use.
    ///
    /// - Throws: `overloaded` if too many are remembered.
    func use(nonce: [UInt8], until deadline: Int64) async throws -> Bool

    /// Forgets the use of a challenge that has changed nothing.
    func release(nonce: [UInt8]) async throws
}

/// The memory of the only process of a registry. The key exists only here and time is the monotonic clock's, so a
/// restart ends all challenges and a wrong clock prolongs none.
final class LocalChallengeMemory: ChallengeMemory {
    /// The maximum number of challenges that are used within their lifetime.
    private static let most = 1 << 16

    /// The nonces of used challenges, in two periods that are at least as long as a challenge is valid. Expired nonces
    /// are dropped with their period, without a search.
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

    private let secret = SymmetricKey(size: .bits256).withUnsafeBytes(Array.init)
    private let used = Mutex(Used())
    private let clock: @Sendable () -> Int64

    /// - Parameter now: seconds of a monotonic clock.
    init(now: (@Sendable () -> Int64)? = nil) {
        let start = ContinuousClock.now
        clock = now ?? { (ContinuousClock.now - start).components.seconds }
    }

    func key() -> [UInt8] { secret }

    func now() -> Int64 { clock() }

    func use(nonce: [UInt8], until deadline: Int64) throws -> Bool {
        let now = now()
        return try used.withLock { used throws(DomainError) in
            used.drop(at: now)
            guard !used.current.contains(nonce), !used.previous.contains(nonce) else { return false }
            guard used.current.count < Self.most else { throw .overloaded }
            used.current.insert(nonce)
            return true
        }
    }

    func release(nonce: [UInt8]) {
        used.withLock { used in
            used.current.remove(nonce)
            used.previous.remove(nonce)
        }
    }
}
