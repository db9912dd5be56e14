public import RegistryAPI

/// Where owners are alerted.
public protocol ChannelStore: Sendable {
    /// Adds a channel; a repeated call brings the channel and the secret of the first.
    ///
    /// - Throws: `idempotencyKeyReused`.
    func addChannel(
        _ channel: Channel, secret: SigningSecret, of owner: OwnerID, once: OnceKey?
    ) async throws -> (channel: Channel, secret: SigningSecret)

    /// An owner's channels, in the order of their creation.
    func channels(of owner: OwnerID, _ page: PageRequest<ChannelID>) async throws -> StoredPage<Channel, ChannelID>

    /// Removes a channel together with the alerts that wait for it.
    ///
    /// - Throws: `notFound`.
    func removeChannel(_ id: ChannelID, of owner: OwnerID) async throws
}
