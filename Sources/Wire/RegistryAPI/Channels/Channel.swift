/// The ways in which alerts reach an owner.
public enum ChannelKind: String, Codable, CaseIterable, Hashable, Sendable {
    case webhook
    /// Apple's push service; the address is the device's token in hexadecimal digits.
    case apns
    /// E-mail; nothing else is sent to the address until it is verified by a link.
    case email
    /// A topic on any ntfy server; the address is the topic's URL.
    case ntfy
    /// A browser's push subscription (RFC 8030); the address is its endpoint.
    case webpush

    /// Whether messages include the place by default. Messages of the other kinds pass through third parties that can
    /// read them.
    public var tellsCoordinates: Bool { self == .webhook || self == .webpush }
}

/// Apple's push environment that knows a device's token.
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
    /// The URL of a webhook, of a topic or of a push subscription, an e-mail address, or a device's token. The wire's
    /// field is named `url`, as it was when all channels were webhooks: clients depend on it.
    public var address: String
    /// Whether messages may include the place; the default is ``ChannelKind/tellsCoordinates``.
    public var coordinates: Bool?
    /// The delay in minutes: a sighting is sent here only if it has not been acknowledged by then. Absent means no
    /// delay.
    public var after: Int?
    /// The push environment of a device's token; if it is absent, both are tried.
    public var environment: PushEnvironment?
    /// The access token for an ntfy server; if it is absent, the previous one is kept as long as the URL does not
    /// change.
    public var accessToken: String?
    /// The keys of a push subscription; if they are absent, the previous ones are kept as long as the URL does not
    /// change.
    public var keys: PushKeys?

    public init(
        kind: ChannelKind, address: String, coordinates: Bool? = nil, after: Int? = nil,
        environment: PushEnvironment? = nil, accessToken: String? = nil, keys: PushKeys? = nil
    ) {
        self.kind = kind
        self.address = address
        self.coordinates = coordinates
        self.after = after
        self.environment = environment
        self.accessToken = accessToken
        self.keys = keys
    }

    private enum CodingKeys: String, CodingKey {
        case kind, coordinates, after, environment, accessToken, keys
        case address = "url"
    }
}

/// A channel over which an owner gets alerts. Its secrets are never shown.
public struct Channel: Codable, Hashable, Sendable {
    /// The minutes that a channel may wait for an acknowledgement of a sighting.
    public static let waits = 1...1440

    public var id: ChannelID
    public var kind: ChannelKind
    /// The address as in ``ChannelDraft/address``; `url` on the wire.
    public var address: String
    public var coordinates: Bool
    public var after: Int?
    public var environment: PushEnvironment?
    public var created: Timestamp
    /// The time since which alerts are sent here; absent until an e-mail address is verified.
    public var verified: Timestamp?
    /// The reason why the last delivery failed; absent if it succeeded.
    public var lastError: String?

    public init(
        id: ChannelID, kind: ChannelKind, address: String, coordinates: Bool? = nil, after: Int? = nil,
        environment: PushEnvironment? = nil, created: Timestamp, verified: Timestamp? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.address = address
        self.coordinates = coordinates ?? kind.tellsCoordinates
        self.after = after
        self.environment = environment
        self.created = created
        self.verified = verified ?? (kind == .email ? nil : created)
        self.lastError = lastError
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, coordinates, after, environment, created, verified, lastError
        case address = "url"
    }
}

/// Response to `POST /v1/channels`.
public struct ChannelCreated: Codable, Hashable, Sendable {
    public var channel: Channel
    /// The secret that signs a webhook's messages (Standard Webhooks, `whsec_…`), shown only once.
    public var secret: String?

    public init(channel: Channel, secret: String?) {
        self.channel = channel
        self.secret = secret
    }
}

extension ChannelDraft: WireObject {
    public static let blank = ChannelDraft(kind: .webhook, address: "")

    /// Describes the fields. The notifier decides whether the address is allowed.
    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("kind", &kind, .choice())
        fields.required("url", &address, .text(1...2048))
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
