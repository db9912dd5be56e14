/// The state of one message to a channel: its attempts and its result.
public struct ChannelDelivery: Codable, Hashable, Sendable {
    public var id: AlertID
    /// The event, under the name that webhooks get as `type`.
    public var event: String
    public var created: Timestamp
    public var attempts: Int
    /// The time of the next attempt; absent once the message has been delivered or given up.
    public var next: Timestamp?
    /// The time of delivery; absent if the message has not been delivered.
    public var delivered: Timestamp?
    /// The reason why the last attempt failed.
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

/// Response to `POST /v1/channels/{id}/test`.
public struct ChannelTestResult: Codable, Hashable, Sendable {
    /// Whether the receiver accepted the message.
    public var delivered: Bool
    /// The result, in one sentence.
    public var detail: String

    public init(delivered: Bool, detail: String) {
        self.delivered = delivered
        self.detail = detail
    }
}

/// The public key that a browser needs to subscribe (Push API, `applicationServerKey`).
public struct WebPushKey: Codable, Hashable, Sendable {
    /// The uncompressed point on P-256 in Base64 for URLs.
    public var publicKey: String

    public init(publicKey: String) { self.publicKey = publicKey }
}
