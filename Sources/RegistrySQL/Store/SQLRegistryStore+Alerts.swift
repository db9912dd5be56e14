package import Registry
package import RegistryAPI

extension SQLRegistryStore {
    public func claimAlerts(
        at now: Timestamp, leaseUntil lease: Timestamp, places: AllDeliveryPlaces
    ) async throws -> [ClaimedAlert] {
        guard let due = try await nextAlertDue(for: places), due <= now else { return [] }
        return try await write { try AlertSettlements($0).claim(at: now, leaseUntil: lease, places: places) }
    }

    public func settle(
        _ id: AlertID, attempt: Int, as settlement: AlertSettlement, at time: Timestamp, using entropy: Entropy
    ) async throws {
        try await write {
            try AlertSettlements($0).settle(id, attempt: attempt, as: settlement, at: time, using: entropy)
        }
    }

    public func nextAlertDue(for places: AllDeliveryPlaces) async throws -> Timestamp? {
        try await read { try AlertSettlements($0).nextDue(for: places) }
    }

    public func tellHeldNotices(limit: Int, at time: Timestamp, using entropy: Entropy) async throws -> Int {
        try await write { try Notices($0).tellHeld(limit: limit, at: time, using: entropy) }
    }

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

    public func channels(
        of owner: OwnerID, _ page: PageRequest<ChannelID>
    ) async throws -> StoredPage<Channel, ChannelID> {
        try await read { try Channels($0).page(of: owner, page) }
    }

    public func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel? {
        try await read { try Channels($0).find(id, of: owner) }
    }

    public func changeChannel(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct,
        verification: ChannelVerification?
    ) async throws -> Channel {
        try await write { [quotas] db in
            try Channels(db).change(channel, to: changed, settings, by: act, verification: verification, quotas)
        }
    }

    public func removeChannel(_ channel: Channel, by act: OwnerAct) async throws {
        try await write { try Channels($0).remove(channel, by: act) }
    }

    public func linkedChannel(_ id: ChannelID) async throws -> LinkedChannel? {
        try await read { try ChannelMessages($0).linkedChannel(id) }
    }

    public func ask(
        _ verification: ChannelVerification, of channel: ChannelID, of owner: OwnerID, at time: Timestamp
    ) async throws {
        try await write { try ChannelMessages($0).ask(verification, of: channel, of: owner, at: time) }
    }

    public func verify(_ channel: LinkedChannel, at time: Timestamp) async throws {
        try await write { try ChannelMessages($0).verify(channel, at: time) }
    }

    public func unsubscribe(_ channel: LinkedChannel, at time: Timestamp, using entropy: Entropy) async throws {
        try await write { try ChannelMessages($0).unsubscribe(channel, at: time, using: entropy) }
    }

    public func noteTest(of owner: OwnerID, at time: Timestamp) async throws {
        try await write { try ChannelMessages($0).noteTest(of: owner, at: time) }
    }

    public func noteOutcome(ofTest channel: LinkedChannel, error: String?) async throws {
        try await write { try ChannelMessages($0).noteOutcome(ofTest: channel, error: error) }
    }

    public func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) async throws -> StoredPage<ChannelDelivery, AlertID> {
        try await read { try ChannelMessages($0).deliveries(to: channel, of: owner, page) }
    }
}
