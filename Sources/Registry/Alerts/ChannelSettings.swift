public import RegistryAPI

/// What a channel has beside its address, by its kind; secrets of the owner's among it.
public struct ChannelSettings: Codable, Hashable, Sendable {
    /// Which of Apple's services knows the device; nil until one of them took an alert for it.
    public var environment: PushEnvironment?
    /// What a ntfy server asks for.
    public var accessToken: String?
    /// Of a browser's push subscription.
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
