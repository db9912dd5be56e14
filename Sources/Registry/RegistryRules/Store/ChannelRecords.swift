public import RegistryAPI

/// A channel with its owner and the data for messages to it.
public struct LinkedChannel: Hashable, Sendable {
    public var owner: OwnerID
    public var channel: Channel
    public var settings: ChannelSettings
    /// Signs webhooks, and makes the codes in links.
    public var secret: SigningSecret
    /// The owner's language and time zone.
    public var reader: AlertReader

    public init(
        owner: OwnerID, channel: Channel, settings: ChannelSettings, secret: SigningSecret,
        reader: AlertReader = AlertReader()
    ) {
        self.reader = reader
        self.owner = owner
        self.channel = channel
        self.settings = settings
        self.secret = secret
    }
}

/// The message that asks a reader to confirm an address.
public struct ChannelVerification: Hashable, Sendable {
    public var id: AlertID
    public var notice: OwnerNotice

    public init(id: AlertID, notice: OwnerNotice) {
        self.id = id
        self.notice = notice
    }
}
