public enum ChannelKind: String, Codable, CaseIterable, Hashable, Sendable {
    case webhook
    /// Apple's push service; the address is the device's token in hexadecimal digits.
    case apns
}

/// Body of `POST /v1/channels`.
public struct ChannelDraft: Codable, Hashable, Sendable {
    public var kind: ChannelKind
    /// Where the webhook is posted to: `https`, or `http` where the operator allows private addresses.
    public var url: String

    public init(kind: ChannelKind, url: String) {
        self.kind = kind
        self.url = url
    }
}

/// A way to reach an owner.
public struct Channel: Codable, Hashable, Sendable {
    public var id: ChannelID
    public var kind: ChannelKind
    public var url: String
    public var created: Timestamp
    /// Deliveries that were given up, and why the last one failed; absent where all is well.
    public var lastError: String?

    public init(id: ChannelID, kind: ChannelKind, url: String, created: Timestamp, lastError: String? = nil) {
        self.id = id
        self.kind = kind
        self.url = url
        self.created = created
        self.lastError = lastError
    }
}

/// Answer to `POST /v1/channels`. The signing secret (Standard Webhooks, `whsec_…`) is shown this once.
public struct ChannelCreated: Codable, Hashable, Sendable {
    public var channel: Channel
    public var secret: String

    public init(channel: Channel, secret: String) {
        self.channel = channel
        self.secret = secret
    }
}
