/// The reason why a registration or an assertion is refused.
public enum PasskeyError: Error, Hashable, Sendable {
    /// The bytes do not have the form that browsers and authenticators send.
    case malformed
    /// A registration was sent in place of an assertion, or the other way round.
    case wrongType
    /// The challenge is not the registry's, was made for another user, has expired, or was used before.
    case wrongChallenge
    /// The browser was at another site, or showed the site in another site's frame.
    case wrongOrigin
    /// The authenticator signed for another site.
    case wrongRelyingParty
    /// The authenticator did not verify its user, by a PIN or a fingerprint for instance.
    case notVerified
    /// The key is of an algorithm or a length that is not offered.
    case unsupportedKey
    case wrongSignature
    /// The registry has no such passkey, or it is another owner's.
    case unknown
}
