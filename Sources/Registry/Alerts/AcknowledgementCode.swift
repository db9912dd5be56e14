import Crypto
public import RegistryAPI

/// The code in an alert's link by which a person says that they have read it: 100 bits that nobody can make who does not
/// know the channel's secret. It can do nothing else, and works for ``lifetime``.
///
/// It is computed where it is needed (HMAC-SHA256), so that no attempt to deliver the alert makes another one void.
public struct AcknowledgementCode: Hashable, Sendable {
    /// Longer than an alert is tried to be delivered by a day.
    public static let lifetime = ClaimedAlert.lifetime + .seconds(86_400)

    public let text: String

    public init(of alert: AlertID, secret: SigningSecret) {
        let key = SymmetricKey(data: secret.bytes)
        var mac = HMAC<SHA256>(key: key)
        // No message of Standard Webhooks, which are signed with the same secret, begins so.
        mac.update(data: Array("acknowledgement \(alert)".utf8))
        text = mac.finalize().prefix(20).map { Self.alphabet[Int($0 & 31)] }.joined()
    }

    /// Compares in constant time.
    public func matches(_ text: String) -> Bool {
        let (own, other) = (Array(self.text.utf8), Array(text.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ").map { String($0) }
}
