public enum ChannelKind: String, Codable, CaseIterable, Hashable, Sendable {
    case webhook
    /// Apple's push service; the address is the device's token in hexadecimal digits.
    case apns
    /// The address is verified by a link before anything else is sent to it.
    case email
    /// A topic of any ntfy server; the address is the topic's URL.
    case ntfy
    /// A browser's push subscription (RFC 8030); the address is its endpoint.
    case webpush

    /// Whether messages tell the place unless the owner says otherwise: those of the other kinds pass third parties who
    /// can read them.
    public var tellsCoordinates: Bool { self == .webhook || self == .webpush }
}

/// Which of Apple's two push services knows a device's token.
public enum PushEnvironment: String, Codable, CaseIterable, Hashable, Sendable {
    case production, sandbox

    public var other: PushEnvironment { self == .production ? .sandbox : .production }
}

/// The keys of a browser's push subscription, in Base64 for URLs (Push API, `PushSubscription.toJSON`).
public struct PushKeys: Codable, Hashable, Sendable {
    /// The browser's public key on the curve P-256: 65 bytes, uncompressed.
    public var p256dh: String
    /// The authentication secret: 16 bytes.
    public var auth: String

    public init(p256dh: String, auth: String) {
        self.p256dh = p256dh
        self.auth = auth
    }
}

/// Body of `POST /v1/channels` and `PUT /v1/channels/{id}`.
public struct ChannelDraft: Codable, Hashable, Sendable {
    public var kind: ChannelKind
    /// Where alerts go: the URL of a webhook, of a topic or of a push subscription, an e-mail address, or a device's
    /// token.
    public var url: String
    /// Whether messages may tell the place; by default as ``ChannelKind/tellsCoordinates``.
    public var coordinates: Bool?
    /// Minutes: a sighting is told here only if nobody has acknowledged it that long after; absent: at once.
    public var after: Int?
    /// Of a device's token; where it is absent, both are tried.
    public var environment: PushEnvironment?
    /// What a ntfy server asks for; kept while the URL stays, where it is absent.
    public var accessToken: String?
    /// Of a push subscription; kept while the URL stays, where they are absent.
    public var keys: PushKeys?

    public init(
        kind: ChannelKind, url: String, coordinates: Bool? = nil, after: Int? = nil,
        environment: PushEnvironment? = nil, accessToken: String? = nil, keys: PushKeys? = nil
    ) {
        self.kind = kind
        self.url = url
        self.coordinates = coordinates
        self.after = after
        self.environment = environment
        self.accessToken = accessToken
        self.keys = keys
    }
}

/// A way to reach an owner. What is secret of it is never shown.
public struct Channel: Codable, Hashable, Sendable {
    /// Minutes that a channel may wait for somebody to acknowledge a sighting.
    public static let waits = 1...1440

    public var id: ChannelID
    public var kind: ChannelKind
    public var url: String
    public var coordinates: Bool
    public var after: Int?
    public var environment: PushEnvironment?
    public var created: Timestamp
    /// Since when alerts come here; absent while an e-mail address waits to be verified.
    public var verified: Timestamp?
    /// Why the last delivery failed; absent where all is well.
    public var lastError: String?

    public init(
        id: ChannelID, kind: ChannelKind, url: String, coordinates: Bool? = nil, after: Int? = nil,
        environment: PushEnvironment? = nil, created: Timestamp, verified: Timestamp? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.url = url
        self.coordinates = coordinates ?? kind.tellsCoordinates
        self.after = after
        self.environment = environment
        self.created = created
        self.verified = verified ?? (kind == .email ? nil : created)
        self.lastError = lastError
    }
}

/// Answer to `POST /v1/channels`.
public struct ChannelCreated: Codable, Hashable, Sendable {
    public var channel: Channel
    /// What a webhook's messages are signed with (Standard Webhooks, `whsec_…`), shown this once.
    public var secret: String?

    public init(channel: Channel, secret: String?) {
        self.channel = channel
        self.secret = secret
    }
}

extension ChannelDraft: WireObject {
    public static let blank = ChannelDraft(kind: .webhook, url: "")

    /// Whether the address may be used is the notifier's to say.
    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("kind", &kind, .choice())
        fields.required("url", &url, .text(1...2048))
        let isAddressed = fields.isSound
        fields.optional("coordinates", &coordinates, .boolean)
        fields.optional("after", &after, .integer(Channel.waits))
        fields.optional("environment", &environment, .choice())
        fields.optional("accessToken", &accessToken, .text(1...256))
        fields.optional("keys", &keys, .object())
        guard isAddressed else { return }
        if environment != nil, kind != .apns { fields.refuse("environment", "is for the kind apns; leave it out") }
        if accessToken != nil, kind != .ntfy { fields.refuse("accessToken", "is for the kind ntfy; leave it out") }
        if keys != nil, kind != .webpush { fields.refuse("keys", "is for the kind webpush; leave it out") }
    }
}

extension PushKeys: WireObject {
    public static let blank = PushKeys(p256dh: "", auth: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("p256dh", &p256dh, .text(1...128))
        fields.required("auth", &auth, .text(1...64))
    }
}
