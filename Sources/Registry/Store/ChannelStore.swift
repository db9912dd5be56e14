public import RegistryAPI

/// Where owners are alerted.
public protocol ChannelStore: Sendable {
    /// Adds a channel; a repeated call brings the channel and the secret of the first.
    ///
    /// - Throws: `idempotencyKeyReused`.
    func addChannel(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: OwnerID, once: OnceKey?
    ) async throws -> (channel: Channel, secret: SigningSecret)

    /// The channel, if this owner has it.
    func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel?

    /// An owner's channels, in the order of their creation.
    func channels(of owner: OwnerID, _ page: PageRequest<ChannelID>) async throws -> StoredPage<Channel, ChannelID>

    /// The settings of a channel, if this owner has it.
    func settings(of channel: ChannelID, of owner: OwnerID) async throws -> ChannelSettings?

    /// Changes a channel that still is as the caller saw it, and tells the owner on all channels, the address before
    /// included.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    func changeChannel(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct
    ) async throws -> Channel

    /// Removes a channel that still is as the caller saw it together with the alerts that wait for it, and tells the
    /// owner on all channels, for the last time on this one too.
    ///
    /// - Throws: as ``changeChannel(_:to:by:)``.
    func removeChannel(_ channel: Channel, by act: OwnerAct) async throws
}
