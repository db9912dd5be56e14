/// One message to a channel: how it fared, and how it goes on.
public struct ChannelDelivery: Codable, Hashable, Sendable {
    public var id: AlertID
    /// What is told, by the name that webhooks get as `type`.
    public var event: String
    public var created: Timestamp
    public var attempts: Int
    /// When it is tried next; absent once it has arrived or was given up.
    public var next: Timestamp?
    /// Absent where it has not arrived.
    public var delivered: Timestamp?
    /// Why the last attempt failed.
    public var lastError: String?

    public init(
        id: AlertID, event: String, created: Timestamp, attempts: Int, next: Timestamp? = nil,
        delivered: Timestamp? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.event = event
        self.created = created
        self.attempts = attempts
        self.next = next
        self.delivered = delivered
        self.lastError = lastError
    }
}

/// Answer to `POST /v1/channels/{id}/test`.
public struct ChannelTestResult: Codable, Hashable, Sendable {
    /// Whether the peer took the message.
    public var delivered: Bool
    /// What happened, in a sentence.
    public var detail: String

    public init(delivered: Bool, detail: String) {
        self.delivered = delivered
        self.detail = detail
    }
}

/// The key that a browser subscribes with (Push API, `applicationServerKey`).
public struct WebPushKey: Codable, Hashable, Sendable {
    /// The uncompressed point on P-256 in Base64 for URLs.
    public var publicKey: String

    public init(publicKey: String) { self.publicKey = publicKey }
}
