import Crypto
public import RegistryAPI

/// The code in an alert's link that lets a person acknowledge the alert: 100 bits that cannot be computed without the
/// channel's secret. It allows nothing else, and is valid for ``lifetime``.
///
/// The code is computed when it is needed (HMAC-SHA256), so another attempt to deliver
/// the alert does not invalidate it.
public struct AcknowledgementCode: Hashable, Sendable {
    /// The lifetime of a code: one day longer than delivery of an alert is attempted.
    public static let lifetime = ClaimedAlert.lifetime + .days(1)

    /// 20 characters of 5 bits each.
    public let text: String

    public init(of alert: AlertID, secret: SigningSecret) {
        let key = SymmetricKey(data: secret.bytes)
        var mac = HMAC<SHA256>(key: key)
        // Messages of Standard Webhooks, which are signed with the same secret, never begin like this.
        mac.update(data: Array("acknowledgement \(alert)".utf8))
        text = mac.finalize().prefix(20).map { Self.alphabet[Int($0 & 31)] }.joined()
    }

    /// Whether a text is this code; compares in constant time.
    public func matches(_ text: String) -> Bool {
        let (own, other) = (Array(self.text.utf8), Array(text.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Digits and letters without I, L, O and U, which are easily misread.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ").map { String($0) }
}
