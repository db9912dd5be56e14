import Crypto
import FoundationEssentials
public import RegistryAPI
import Syntax

/// The code in the link of a message to a channel. It proves that the message was read, and is valid for one purpose
/// and one address, until a time. It is not stored, but checked with the channel's secret.
public struct ChannelCode: Hashable, Sendable {
    /// What the link does.
    public enum Purpose: String, Sendable {
        /// Alerts may be sent to this address.
        case verification
        /// No more alerts may be sent to this address.
        case unsubscription

        /// The time for which a link works.
        var lifetime: Duration { self == .verification ? OneTimeCode.lifetime : .days(30) }
    }

    private let purpose: Purpose
    private let channel: ChannelID
    private let address: String
    private let secret: SigningSecret

    public init(_ purpose: Purpose, of channel: ChannelID, at address: String, secret: SigningSecret) {
        self.purpose = purpose
        self.channel = channel
        self.address = address
        self.secret = secret
    }

    /// The code for a link that is made now: its expiry in seconds, and 128 bits that only the registry can compute.
    public func text(at time: Timestamp) -> String {
        text(expires: time.advanced(by: purpose.lifetime).milliseconds / 1000)
    }

    /// A link with the code, made at a time.
    ///
    /// - Parameter publicURL: the registry's public URL, without a trailing slash.
    public func link(at publicURL: String, _ time: Timestamp) -> String {
        "\(publicURL)/v1/\(purpose.rawValue)/\(channel)?code=\(text(at: time))"
    }

    /// Whether a code from a link is valid and has not expired.
    public func accepts(_ text: String, at time: Timestamp) -> Bool {
        // The expiry is untrusted until the code is compared: do not compute with it before that.
        guard text.utf8.count <= 64, let end = text.split(at: ".").first.flatMap({ Int64($0) }),
            end > time.milliseconds / 1000,
            let expected = SymmetricKey(text: self.text(expires: end)), let given = SymmetricKey(text: text)
        else { return false }
        return expected == given  // in constant time
    }

    /// The code for a link that works until a time, in seconds since 1970.
    private func text(expires: Int64) -> String {
        let message = "\(purpose.rawValue)\n\(channel)\n\(address)\n\(expires)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(message.utf8), using: SymmetricKey(data: secret.bytes)
        )
        return "\(expires).\(Base64URL(code.prefix(16)).text)"
    }
}

extension SymmetricKey {
    /// A text as a key, because keys are compared in constant time; nil if it is too long to be a code.
    fileprivate init?(text: String) {
        guard text.utf8.count <= 64 else { return nil }
        self.init(data: Data(text.utf8))
    }
}
