import Foundation
package import RegistryAPI
package import RegistryRules

/// The channels over which owners get alerts.
package struct Channels {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds a channel, and queues the verification message of an address that must be verified. A repeated call
    /// returns the channel and the secret of the first.
    ///
    /// - Parameter verification: nil if the address needs none.
    /// - Throws: `quotaReached`, `tooManyToday`, `tooManyMessages`, `idempotencyKeyReused`.
    package func add(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: OwnerID,
        once: IdempotencyKey?, verification: ChannelVerification?, _ quotas: Quotas
    ) throws -> (channel: Channel, secret: SigningSecret) {
        let ownerKey = try Owners(db).key(of: owner)
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            let sql = "SELECT * FROM channel WHERE id = ? AND owner = ? AND removed IS NULL"
            guard let row = try db.row(sql, [earlier, ownerKey]) else { throw DomainError.notFound("channel") }
            return (try Channel(row), SigningSecret(bytes: [UInt8](try row["secret"] as Data)))
        }
        try OwnerLimits(db).requireRoom(for: .channels, of: ownerKey, quotas)
        try OwnerLimits(db).noteUse(.addresses, by: ownerKey, quotas, at: channel.created)
        let key = try insert(channel, settings, secret: secret, of: ownerKey)
        if let verification {
            try ChannelMessages(db).ask(verification, of: key, owner: ownerKey, at: channel.created)
        }
        try AuditTrail(db).append(
            AuditEvent(
                .channelAdded, by: .owner(owner), at: channel.created, owner: owner,
                details: ["channel": "\(channel.id)", "kind": channel.kind.rawValue]
            )
        )
        try IdempotencyKeys(db).remember(once, resource: channel.id.blob)
        return (channel, secret)
    }

    /// An owner’s channels, in the order of their creation.
    package func page(
        of owner: OwnerID, _ page: PageRequest<ChannelID>
    ) throws -> StoredPage<Channel, ChannelID> {
        let after = page.after ?? ChannelID(high: 0, low: 0)
        let sql = """
            SELECT * FROM channel
            WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? AND removed IS NULL ORDER BY id LIMIT ?
            """
        return try db.rows(sql, [owner.blob, after.blob, page.limit + 1])
            .map(Channel.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// The channel; nil unless it belongs to this owner and is not removed.
    package func find(_ id: ChannelID, of owner: OwnerID) throws -> Channel? {
        let sql = """
            SELECT * FROM channel WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND removed IS NULL
            """
        return try db.row(sql, [id.blob, owner.blob]).map(Channel.init)
    }

    /// Changes a channel that is as the caller saw it, and notifies the owner on all channels, including the previous
    /// address.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `recoveryCodeNeeded`, `codeUnusable`, `tooManyToday`,
    ///   `tooManyMessages`.
    package func change(
        _ channel: Channel, to changed: Channel, _ settings: ChannelSettings, by act: OwnerAct,
        verification: ChannelVerification?, _ quotas: Quotas
    ) throws -> Channel {
        let (key, owner) = try keys(ofUnchanged: channel, by: act)
        let before = try db.row("SELECT settings FROM channel WHERE key = ?", [key])?.channelSettings()
        guard changed != channel || settings != before else { return channel }
        try RecoveryCodes(db).confirm(act, owner: owner, against: .changeChannel)
        try OwnerLimits(db).noteUse(.channelChanges, by: owner, quotas, at: act.time)
        if changed.address != channel.address {
            try OwnerLimits(db).noteUse(.addresses, by: owner, quotas, at: act.time)
        }
        let isElsewhere = changed.address != channel.address || settings.leadsElsewhere(than: before)
        let previous = try isElsewhere ? separatePrevious(of: key, channel.kind, owner: owner, by: act) : nil
        try db.run(
            """
            UPDATE channel SET url = ?, coordinates = ?, after = ?, settings = ?, verified = ?, last_error = NULL
            WHERE key = ?
            """,
            [
                changed.address, changed.coordinates, changed.after, try settings.json, changed.verified?.milliseconds,
                key,
            ]
        )
        try tell(.changeChannel, .channelChanged, of: channel, owner: owner, last: previous, by: act)
        if let previous { try markRemoved(previous, at: act.time) }
        if let verification { try ChannelMessages(db).ask(verification, of: key, owner: owner, at: act.time) }
        return changed
    }

    /// Removes a channel that is as the caller saw it, and notifies the owner on all channels, one last time on this
    /// one too.
    ///
    /// - Throws: `notFound`, `changedMeanwhile`, `recoveryCodeNeeded`, `codeUnusable`.
    package func remove(_ channel: Channel, by act: OwnerAct) throws {
        let (key, owner) = try keys(ofUnchanged: channel, by: act)
        try RecoveryCodes(db).confirm(act, owner: owner, against: .removeChannel)
        // Waiting messages are still sent, as is this notice. For an unverified address only the verification message
        // waits.
        if channel.verified == nil { try db.run("DELETE FROM alert WHERE channel = ?", [key]) }
        try Notices(db).tellHeld(ofOwner: owner, at: act.time, using: act.entropy)
        try tell(.removeChannel, .channelRemoved, of: channel, owner: owner, last: key, by: act)
        try markRemoved(key, at: act.time)
    }

    /// Hides a channel. Maintenance deletes its row once nothing waits for it.
    private func markRemoved(_ key: Int64, at time: Timestamp) throws {
        try db.run("UPDATE channel SET removed = ? WHERE key = ?", [time.milliseconds, key])
    }

    /// Inserts a channel, and returns its key.
    @discardableResult
    func insert(
        _ channel: Channel, _ settings: ChannelSettings, secret: SigningSecret, of owner: Int64
    ) throws -> Int64 {
        try db.insert(
            """
            INSERT INTO channel (id, owner, kind, url, secret, coordinates, after, settings, created, verified, standing)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                channel.id.blob, owner, channel.kind.rawValue, channel.address, Data(secret.bytes), channel.coordinates,
                channel.after, try settings.json, channel.created.milliseconds, channel.verified?.milliseconds,
                ReceiverStanding(ofNew: channel.kind).rawValue,
            ]
        )
    }

    /// Gives the previous address and credentials a separate channel, which gets everything that still waits, so that a
    /// thief cannot redirect it. The caller removes the channel after its last notice.
    ///
    /// - Returns: the key of the separate channel.
    private func separatePrevious(
        of key: Int64, _ kind: ChannelKind, owner: Int64, by act: OwnerAct
    ) throws -> Int64 {
        try Notices(db).tellHeld(ofOwner: owner, at: act.time, using: act.entropy)
        let previous = try copyChannel(key, by: act)
        try db.run("UPDATE alert SET channel = ? WHERE channel = ? AND due IS NOT NULL", [previous, key])
        db.news.alerts = true
        let standing = ReceiverStanding(ofNew: kind)
        try db.run("UPDATE channel SET standing = ?, slow = NULL WHERE key = ?", [standing.rawValue, key])
        return previous
    }

    /// Copies a channel with its address, and returns the key of the copy.
    private func copyChannel(_ key: Int64, by act: OwnerAct) throws -> Int64 {
        var entropy = act.entropy
        return try db.insert(
            """
            INSERT INTO channel (
                id, owner, kind, url, secret, coordinates, settings, created, verified, standing, slow, tried
            )
            SELECT ?, owner, kind, url, secret, coordinates, settings, created, verified, standing, slow, tried
            FROM channel WHERE key = ?
            """,
            [ChannelID(at: act.time, using: &entropy).blob, key]
        )
    }

    /// Removes the channel of an alert if its receiver no longer exists, and notifies the owner on the other channels.
    func removeGone(of alert: AlertID, at time: Timestamp, using entropy: Entropy) throws {
        let sql = """
            SELECT channel.*, owner.id AS owner_id FROM alert JOIN channel ON channel.key = alert.channel
            JOIN owner ON owner.key = channel.owner WHERE alert.id = ? AND channel.removed IS NULL
            """
        guard let row = try db.row(sql, [alert.blob]) else { return }
        try remove(row, .channelGone, at: time, using: entropy)
    }

    /// Removes a channel without a request from its owner, and notifies the owner on the other channels.
    ///
    /// - Parameter row: the channel, including `owner_id`.
    func remove(
        _ row: StoredRow, _ event: OwnerNotice.Event, at time: Timestamp, using entropy: Entropy
    ) throws {
        let (key, channel): (Int64, Channel) = (try row["key"], try Channel(row))
        try markRemoved(key, at: time)
        try db.run("DELETE FROM alert WHERE channel = ?", [key])
        let notice = OwnerNotice(event, subject: "\(channel.kind.rawValue) \(channel.id)")
        try Notices(db).queue(notice, toOwner: try row["owner"], at: time, using: entropy)
        try AuditTrail(db).append(
            AuditEvent(
                .channelRemoved, by: nil, at: time, owner: try row.id("owner_id"), details: ["channel": "\(channel.id)"]
            )
        )
    }

    /// Remembers which of Apple's push environments knows the device of an alert's channel.
    func remember(_ environment: PushEnvironment, ofChannelOf alert: AlertID) throws {
        let sql = "SELECT key, settings FROM channel WHERE key = (SELECT channel FROM alert WHERE id = ?)"
        guard let row = try db.row(sql, [alert.blob]) else { return }
        var settings = try row.channelSettings()
        settings.environment = environment
        try db.run("UPDATE channel SET settings = ? WHERE key = ?", [try settings.json, try row["key"] as Int64])
    }

    /// The keys of a channel, if it has not changed since the caller read it, and of its owner.
    private func keys(ofUnchanged channel: Channel, by act: OwnerAct) throws -> (channel: Int64, owner: Int64) {
        let owner = try Owners(db).key(of: act.owner)
        let sql = "SELECT * FROM channel WHERE id = ? AND owner = ? AND removed IS NULL"
        guard let row = try db.row(sql, [channel.id.blob, owner]) else { throw DomainError.notFound("channel") }
        guard try Channel(row) == channel else { throw DomainError.changedMeanwhile("channel") }
        return (try row["key"], owner)
    }

    /// Sends a notice about a channel on all channels, including itself. The notice names the channel by its
    /// identifier, because addresses may contain secrets.
    ///
    /// - Parameter last: the key of a channel that gets the notice in any case, because it is its last; nil for none.
    private func tell(
        _ weakening: SearchWeakening, _ action: AuditAction, of channel: Channel, owner: Int64, last: Int64?,
        by act: OwnerAct
    ) throws {
        let subject = "\(channel.kind.rawValue) \(channel.id)"
        try Notices(db).tell(weakening, to: owner, subject: subject, last: last.map { [$0] } ?? [], by: act)
        try AuditTrail(db).append(
            AuditEvent(
                action, by: act.principal, at: act.time, owner: act.owner, details: ["channel": "\(channel.id)"]
            )
        )
    }
}

extension Channel {
    /// Reads a row of `channel`.
    init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), kind: try row.choice("kind"), address: try row["url"],
            coordinates: try row["coordinates"],
            after: try row["after"], environment: try row.channelSettings().environment,
            created: try row.timestamp("created"),
            verified: try row.optionalTimestamp("verified"), lastError: try row["last_error"]
        )
    }
}

extension ChannelSettings {
    /// Whether the receiver changes, or may refuse what it accepted before. Apple's push environment does not count: it
    /// is detected.
    fileprivate func leadsElsewhere(than before: ChannelSettings?) -> Bool {
        var (now, then) = (self, before ?? ChannelSettings())
        now.environment = nil
        then.environment = nil
        return now != then
    }

    /// The settings as JSON; nil if there are none.
    var json: String? {
        get throws {
            guard self != ChannelSettings() else { return nil }
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        }
    }
}

extension StoredRow {
    /// The settings in the column settings; empty settings if it is NULL.
    func channelSettings() throws -> ChannelSettings {
        guard let text: String = try self["settings"] else { return ChannelSettings() }
        return try JSONDecoder().decode(ChannelSettings.self, from: Data(text.utf8))
    }
}
