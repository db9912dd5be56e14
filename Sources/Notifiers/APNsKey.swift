import Crypto
import Foundation
public import Registry
import RegistryAPI
import Synchronization

/// The key that proves to Apple's push service who sends: a token is made of it now and then, and sent with each alert.
///
/// “Refresh your token no more than once every 20 minutes and no less than once every 60 minutes” (Apple, “Establishing
/// a token-based connection to APNs”).
public final class APNsKey: Sendable {
    /// How long a token is used.
    static let lifetime = Duration.seconds(40 * 60)
    /// No token is replaced before, whatever the peer says of it.
    static let shortestLife = Duration.seconds(20 * 60)

    private let key: P256.Signing.PrivateKey
    private let keyID: String
    private let teamID: String
    private let clock: WallClock
    private let current = Mutex<(token: String, issued: Timestamp)?>(nil)

    /// - Parameters:
    ///   - pem: the `.p8` file's content: PKCS#8 in PEM.
    ///   - keyID: ten characters, as Apple shows beside the key.
    ///   - teamID: ten characters, of the developer's account.
    /// - Throws: where the text is no private key on the curve P-256.
    public init(pem: String, keyID: String, teamID: String, clock: WallClock = .system) throws {
        key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        self.keyID = keyID
        self.teamID = teamID
        self.clock = clock
    }

    /// The token of this time: the one in use, or a new one where that is too old.
    func token() throws -> String {
        try current.withLock { current in
            if let current, current.issued.duration(to: clock.now) < Self.lifetime { return current.token }
            return try make(&current)
        }
    }

    /// Another token than one that the peer calls expired; nil where there cannot be another one yet.
    func token(after expired: String) throws -> String? {
        try current.withLock { current in
            if let current, current.token != expired { return current.token }
            if let current, current.issued.duration(to: clock.now) < Self.shortestLife { return nil }
            return try make(&current)
        }
    }

    private struct Claims: Encodable {
        let iss: String
        let iat: Int64
    }

    private func make(_ current: inout (token: String, issued: Timestamp)?) throws -> String {
        let now = clock.now
        let claims = Claims(iss: teamID, iat: now.milliseconds / 1000)
        let token = try JSONWebToken.signed(header: ["kid": keyID], claims: claims, by: key)
        current = (token, now)
        return token
    }
}
