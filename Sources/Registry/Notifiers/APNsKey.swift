import Crypto
import Foundation
import RegistryAPI
public import RegistryRules
import Synchronization

/// The key that authenticates the registry to Apple's push service:
/// it signs provider tokens, which are sent with alerts.
///
/// “Refresh your token no more than once every 20 minutes and no less than once every 60 minutes” (Apple, “Establishing
/// a token-based connection to APNs”).
public final class APNsKey: Sendable {
    /// The time for which a token is used.
    static let lifetime = Duration.seconds(40 * 60)
    /// The minimum age at which a token may be replaced, whatever the peer's response.
    static let shortestLife = Duration.seconds(20 * 60)

    private let key: P256.Signing.PrivateKey
    private let keyID: String
    private let teamID: String
    private let clock: WallClock
    private let current = Mutex<IssuedToken?>(nil)

    private struct IssuedToken {
        let text: String
        let issued: Timestamp
    }

    /// - Parameters:
    ///   - pem: the content of the `.p8` file: PKCS#8 in PEM.
    ///   - keyID: ten characters, as Apple shows next to the key.
    ///   - teamID: ten characters, from the developer's account.
    /// - Throws: an error if the text is not a private key on the curve P-256.
    public init(pem: String, keyID: String, teamID: String, clock: WallClock = .system) throws {
        key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        self.keyID = keyID
        self.teamID = teamID
        self.clock = clock
    }

    /// The current token, replaced by a new one if it is too old.
    func token() throws -> String {
        try current.withLock { current in
            if let current, current.issued.duration(to: clock.now) < Self.lifetime { return current.text }
            return try issueToken(&current)
        }
    }

    /// A new token after the peer rejected one as expired; nil while no new token may be made.
    func token(after expired: String) throws -> String? {
        try current.withLock { current in
            // Another delivery has replaced the token meanwhile.
            if let current, current.text != expired { return current.text }
            if let current, current.issued.duration(to: clock.now) < Self.shortestLife { return nil }
            return try issueToken(&current)
        }
    }

    private struct Claims: Encodable {
        /// The issuer: the team's identifier.
        let iss: String
        /// When the token was issued, in seconds since the Unix epoch.
        let iat: Int64
    }

    private func issueToken(_ current: inout IssuedToken?) throws -> String {
        let now = clock.now
        let claims = Claims(iss: teamID, iat: now.milliseconds / 1000)
        let token = try JSONWebToken.signed(header: ["kid": keyID], claims: claims, by: key)
        current = IssuedToken(text: token, issued: now)
        return token
    }
}
