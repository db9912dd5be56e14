public import RegistryAPI

/// A channel's data in addition to its address, by kind; it includes the owner's secrets.
public struct ChannelSettings: Codable, Hashable, Sendable {
    /// The Apple push service that knows the device; nil until one of them has accepted an alert for it.
    public var environment: PushEnvironment?
    /// The access token for an ntfy server.
    public var accessToken: String?
    /// The keys of a browser's push subscription.
    public var keys: PushKeys?

    public init(environment: PushEnvironment? = nil, accessToken: String? = nil, keys: PushKeys? = nil) {
        self.environment = environment
        self.accessToken = accessToken
        self.keys = keys
    }

    public init(_ draft: ChannelDraft) {
        self.init(environment: draft.environment, accessToken: draft.accessToken, keys: draft.keys)
    }
}
