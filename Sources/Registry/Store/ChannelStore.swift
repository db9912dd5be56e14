public import RegistryAPI

/// The channels on which owners are alerted.
public protocol ChannelStore: Sendable {
    /// Adds a channel and sends a verification message;
    /// a repeated call returns the channel and the secret of the first.
    ///
    /// - Throws: `idempotencyKeyReused`, `tooManyMessages`.
    func addChannel(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: OwnerID,
        once: IdempotencyKey?,
        verification: ChannelVerification?
    ) async throws -> (channel: Channel, secret: SigningSecret)

    /// The channel, if it belongs to this owner.
    func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel?

    /// An owner's channels, in the order of their creation.
    func channels(of owner: OwnerID, _ page: PageRequest<ChannelID>) async throws -> StoredPage<Channel, ChannelID>

    /// A channel with the data for messages, if it exists; links in messages name no owner.
    func linkedChannel(_ id: ChannelID) async throws -> LinkedChannel?

    /// Sends another verification message to an address that is not verified.
    ///
    /// - Throws: `notFound`, `tooManyMessages`.
    func ask(
        _ verification: ChannelVerification, of channel: ChannelID, of owner: OwnerID, at time: Timestamp)
        async throws

    /// Verifies an address after its reader has agreed; has no effect if it is verified already, or the address has
    /// changed.
    func verify(_ channel: LinkedChannel, at time: Timestamp) async throws

    /// Removes a channel whose reader wants no more messages, and sends its owner a message on the others.
    func unsubscribe(_ channel: LinkedChannel, at time: Timestamp, using entropy: Entropy) async throws

    /// Counts a test of a channel.
    ///
    /// - Throws: `tooManyMessages`.
    func noteTest(of owner: OwnerID, at time: Timestamp) async throws

    /// Records the result of a test, like that of any other message.
    func noteOutcome(ofTest channel: LinkedChannel, error: String?) async throws

    /// The messages sent to a channel, with the latest first, if the channel belongs to this owner.
    func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) async throws -> StoredPage<ChannelDelivery, AlertID>

    /// Changes a channel if it is unchanged since the caller saw it, and notifies the owner on all channels,
    /// including the previous address.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func changeChannel(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct,
        verification: ChannelVerification?
    ) async throws -> Channel

    /// Removes a channel and its waiting alerts if it is unchanged since the caller saw it, and notifies the owner on
    /// all channels, one last time on this one too.
    ///
    /// - Throws: as ``changeChannel(_:to:by:)``.
    func removeChannel(_ channel: Channel, by act: OwnerAct) async throws
}

/// A channel with its owner and the data for messages to it.
public struct LinkedChannel: Hashable, Sendable {
    public var owner: OwnerID
    public var channel: Channel
    public var settings: ChannelSettings
    public var secret: SigningSecret
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
