public import Crypto
import FoundationEssentials

/// A challenge that a browser signs with a passkey.
///
/// It contains its own subject and deadline, and is authenticated with a key that only the registry knows. So making a
/// challenge stores nothing, however many strangers request one.
public struct Challenge: Hashable, Sendable {
    /// For whom a challenge was made.
    public enum Subject: UInt8, Sendable {
        /// For anyone: to sign in, or to sign up as a new owner with the identifier `user`.
        case anyone = 0
        /// For the owner `user`, who is signed in.
        case owner = 1
        /// For the operator `user`, who is signed in.
        case `operator` = 2
    }

    public let subject: Subject
    /// The 16 bytes of the owner's or the operator's identifier, which authenticators store with a passkey.
    public let user: [UInt8]
    /// Makes each challenge different: 16 random bytes.
    public let nonce: [UInt8]
    /// The end of its validity, in seconds of the registry's monotonic clock.
    public let deadline: Int64

    /// The bytes of the code that shows the registry that a challenge is its own.
    private static let tagLength = 16
    /// The bytes of the subject, the user, the nonce, the deadline and the tag.
    private static let length = 1 + 16 + 16 + 8 + tagLength

    /// - Parameters:
    ///   - user: 16 bytes.
    ///   - nonce: 16 random bytes.
    public init(_ subject: Subject, user: [UInt8], nonce: [UInt8], deadline: Int64) {
        self.subject = subject
        self.user = user
        self.nonce = nonce
        self.deadline = deadline
    }

    /// Reads a challenge that was made with this key.
    ///
    /// - Throws: `wrongChallenge`.
    public init(_ bytes: [UInt8], key: SymmetricKey) throws(PasskeyError) {
        guard bytes.count == Self.length, let subject = Subject(rawValue: bytes[0]) else { throw .wrongChallenge }
        let content = bytes.dropLast(Self.tagLength)
        let tag = Data(Self.tag(of: Array(content), key: key))
        // Keys are compared in constant time.
        guard SymmetricKey(data: tag) == SymmetricKey(data: Data(bytes.suffix(Self.tagLength))) else {
            throw .wrongChallenge
        }
        self.subject = subject
        user = Array(bytes[1..<17])
        nonce = Array(bytes[17..<33])
        deadline = Int64(bitPattern: bytes[33..<41].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// The bytes that a browser gets.
    public func bytes(key: SymmetricKey) -> [UInt8] {
        let time = (0..<8).reversed().map { UInt8(truncatingIfNeeded: deadline >> ($0 * 8)) }
        let content = [subject.rawValue] + user + nonce + time
        return content + Self.tag(of: content, key: key)
    }

    private static func tag(of content: [UInt8], key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: content, using: key).prefix(tagLength))
    }
}
