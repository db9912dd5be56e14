import Crypto
import FoundationEssentials
public import RegistryAPI

/// The code in a message's link: it proves that somebody read what was sent to a channel, for one purpose, at one
/// address, until a time. Nothing of it is stored: the channel's secret tells a right one.
public struct ChannelCode: Hashable, Sendable {
    public enum Purpose: String, Sendable {
        /// Alerts may come to this address.
        case verification
        /// No more alerts are to come to this address.
        case unsubscription

        /// How long a link works.
        var lifetime: Duration { self == .verification ? OneTimeCode.lifetime : .seconds(30 * 86_400) }
    }

    private let purpose: Purpose
    private let channel: ChannelID
    private let url: String
    private let secret: SigningSecret

    public init(_ purpose: Purpose, of channel: ChannelID, at url: String, secret: SigningSecret) {
        self.purpose = purpose
        self.channel = channel
        self.url = url
        self.secret = secret
    }

    /// As it stands in a link that is made now: seconds of its end, and 128 bits that only the registry can make.
    public func text(at time: Timestamp) -> String {
        text(expires: time.advanced(by: purpose.lifetime).milliseconds / 1000)
    }

    /// The link, for a registry at an address without a slash at the end.
    public func link(at publicURL: String, _ time: Timestamp) -> String {
        "\(publicURL)/v1/\(purpose.rawValue)/\(channel)?code=\(text(at: time))"
    }

    /// Whether a link with this text is right and not too old.
    public func accepts(_ text: String, at time: Timestamp) -> Bool {
        // The end is the stranger's word until the code is compared: nothing is computed with it before.
        guard text.utf8.count <= 64, let end = text.split(separator: ".").first.flatMap({ Int64($0) }),
            end > time.milliseconds / 1000,
            let expected = SymmetricKey(text: self.text(expires: end)), let given = SymmetricKey(text: text)
        else { return false }
        return expected == given  // in constant time
    }

    private func text(expires: Int64) -> String {
        let message = "\(purpose.rawValue)\n\(channel)\n\(url)\n\(expires)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(message.utf8), using: SymmetricKey(data: secret.bytes)
        )
        return "\(expires).\(Data(code.prefix(16)).base64URL)"
    }
}

extension SymmetricKey {
    fileprivate init?(text: String) {
        guard text.utf8.count <= 64 else { return nil }
        self.init(data: Data(text.utf8))
    }
}
