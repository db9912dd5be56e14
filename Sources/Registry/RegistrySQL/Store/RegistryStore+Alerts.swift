package import RegistryAPI
package import RegistryRules

/// The channels on which owners are alerted, and the queue of alerts.
extension RegistryStore {
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) async throws -> AlertClaim {
        // The dispatcher looks often and seldom finds anything. It makes a change only if it does, because a change
        // makes all processes of a registry wait.
        let next = try await read { try AlertClaims.nextDue($0, for: places) }
        guard let next, next <= now else { return AlertClaim(next: next) }
        return try await write { try AlertClaims.claimForAll($0, at: now, leaseUntil: lease, places: places) }
    }

    public func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws {
        try await write {
            try AlertSettlements($0).settle(id, attempt: attempt, as: settlement, at: time, using: entropy)
        }
    }

    public func tellHeldNotices(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Notices($0).tellHeld(limit: limit, at: time, using: entropy) }
    }

    /// Adds a channel and sends a verification message;
    /// a repeated call returns the channel and the secret of the first.
    ///
    /// - Throws: `idempotencyKeyReused`, `tooManyMessages`.
    public func addChannel(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: OwnerID,
        once: IdempotencyKey?,
        verification: ChannelVerification?
    ) async throws -> (channel: Channel, secret: SigningSecret) {
        try await write { [quotas] db in
            try Channels(db).add(
                channel, settings, secret: secret, of: owner, once: once, verification: verification, quotas)
        }
    }

    /// An owner's channels, in the order of their creation.
    public func channels(
        of owner: OwnerID, _ page: PageRequest<ChannelID>
    ) async throws -> StoredPage<Channel, ChannelID> {
        try await read { try Channels($0).page(of: owner, page) }
    }

    /// The channel, if it belongs to this owner.
    public func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel? {
        try await read { try Channels($0).find(id, of: owner) }
    }

    /// Changes a channel if it is unchanged since the caller saw it, and notifies the owner on all channels,
    /// including the previous address.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`; while a bike is missing, `recoveryCodeNeeded` and `codeUnusable`.
    public func changeChannel(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct,
        verification: ChannelVerification?
    ) async throws -> Channel {
        try await write { [quotas] db in
            try Channels(db).change(channel, to: changed, settings, by: act, verification: verification, quotas)
        }
    }

    /// Removes a channel and its waiting alerts if it is unchanged since the caller saw it, and notifies the owner on
    /// all channels, one last time on this one too.
    ///
    /// - Throws: as ``changeChannel(_:to:_:by:verification:)``.
    public func removeChannel(_ channel: Channel, by act: OwnerAct) async throws {
        try await write { try Channels($0).remove(channel, by: act) }
    }

    /// A channel with the data for messages, if it exists; links in messages name no owner.
    public func linkedChannel(_ id: ChannelID) async throws -> LinkedChannel? {
        try await read { try ChannelMessages($0).linkedChannel(id) }
    }

    /// Sends another verification message to an address that is not verified.
    ///
    /// - Throws: `notFound`, `tooManyMessages`.
    public func ask(
        _ verification: ChannelVerification, of channel: ChannelID, of owner: OwnerID, at time: Timestamp
    ) async throws {
        try await write { try ChannelMessages($0).ask(verification, of: channel, of: owner, at: time) }
    }

    /// Verifies an address after its reader has agreed; has no effect if it is verified already, or the address has
    /// changed.
    public func verify(_ channel: LinkedChannel, at time: Timestamp) async throws {
        try await write { try ChannelMessages($0).verify(channel, at: time) }
    }

    /// Removes a channel whose reader wants no more messages, and sends its owner a message on the others.
    public func unsubscribe(_ channel: LinkedChannel, at time: Timestamp, using entropy: Entropy) async throws {
        try await write { try ChannelMessages($0).unsubscribe(channel, at: time, using: entropy) }
    }

    /// Counts a test of a channel.
    ///
    /// - Throws: `tooManyMessages`.
    public func noteTest(of owner: OwnerID, at time: Timestamp) async throws {
        try await write { try ChannelMessages($0).noteTest(of: owner, at: time) }
    }

    /// Records the result of a test, like that of any other message.
    public func noteOutcome(ofTest channel: LinkedChannel, error: String?) async throws {
        try await write { try ChannelMessages($0).noteOutcome(ofTest: channel, error: error) }
    }

    /// The messages sent to a channel, with the latest first, if the channel belongs to this owner.
    public func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) async throws -> StoredPage<ChannelDelivery, AlertID> {
        try await read { try ChannelMessages($0).deliveries(to: channel, of: owner, page) }
    }
}
