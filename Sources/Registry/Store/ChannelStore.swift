public import RegistryAPI

/// Where owners are alerted.
public protocol ChannelStore: Sendable {
    /// Adds a channel and asks its address; a repeated call brings the channel and the secret of the first.
    ///
    /// - Throws: `idempotencyKeyReused`, `tooManyMessages`.
    func addChannel(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: OwnerID,
        once: IdempotencyKey?,
        verification: ChannelVerification?
    ) async throws -> (channel: Channel, secret: SigningSecret)

    /// The channel, if this owner has it.
    func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel?

    /// An owner's channels, in the order of their creation.
    func channels(of owner: OwnerID, _ page: PageRequest<ChannelID>) async throws -> StoredPage<Channel, ChannelID>

    /// A channel as messages to it need it, if it is there; links in messages name no owner.
    func linkedChannel(_ id: ChannelID) async throws -> LinkedChannel?

    /// Asks an address that is not verified once more.
    ///
    /// - Throws: `notFound`, `tooManyMessages`.
    func ask(
        _ verification: ChannelVerification, of channel: ChannelID, of owner: OwnerID, at time: Timestamp)
        async throws

    /// Lets alerts come to an address whose reader said so; without effect where they do, or the address has changed.
    func verify(_ channel: LinkedChannel, at time: Timestamp) async throws

    /// Removes a channel whose reader wants no more messages, and tells its owner on the others.
    func unsubscribe(_ channel: LinkedChannel, at time: Timestamp, using entropy: Entropy) async throws

    /// Counts a test of a channel.
    ///
    /// - Throws: `tooManyMessages`.
    func noteTest(of owner: OwnerID, at time: Timestamp) async throws

    /// Keeps why a test did not arrive, or that it did, as of any other message.
    func noteOutcome(ofTest channel: LinkedChannel, error: String?) async throws

    /// What was sent to a channel, the latest first, if this owner has it.
    func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) async throws -> StoredPage<ChannelDelivery, AlertID>

    /// Changes a channel that still is as the caller saw it, and tells the owner on all channels, the address before
    /// included.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func changeChannel(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct,
        verification: ChannelVerification?
    ) async throws -> Channel

    /// Removes a channel that still is as the caller saw it together with the alerts that wait for it, and tells the
    /// owner on all channels, for the last time on this one too.
    ///
    /// - Throws: as ``changeChannel(_:to:by:)``.
    func removeChannel(_ channel: Channel, by act: OwnerAct) async throws
}

/// A channel with its owner and what messages to it need.
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

/// The message that asks whether an address is its owner's.
public struct ChannelVerification: Hashable, Sendable {
    public var id: AlertID
    public var notice: OwnerNotice

    public init(id: AlertID, notice: OwnerNotice) {
        self.id = id
        self.notice = notice
    }
}
