import Foundation
package import RegistryAPI
package import RegistryRules

/// Messages about channels themselves: verification, tests, and the results of deliveries.
package struct ChannelMessages {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// A channel with the data for messages about it; nil if it is removed.
    package func linkedChannel(_ id: ChannelID) throws -> LinkedChannel? {
        guard let row = try channelRow(id) else { return nil }
        return LinkedChannel(
            owner: try row.id("owner_id"), channel: try Channel(row), settings: try row.channelSettings(),
            secret: SigningSecret(bytes: [UInt8](try row["secret"] as Data)),
            reader: AlertReader(language: try row.choice("language"), zone: LocalZone(try row["zone"]))
        )
    }

    /// Queues another verification message to a channel that is not verified.
    ///
    /// - Throws: `notFound`, `tooManyMessages`.
    package func ask(
        _ verification: ChannelVerification, of channel: ChannelID, of owner: OwnerID, at time: Timestamp
    ) throws {
        guard let row = try channelRow(channel), try row.id("owner_id") == owner, !row.hasNonNull("verified")
        else { throw DomainError.notFound("channel") }
        try ask(verification, of: try row["key"], owner: try row["owner"], at: time)
    }

    /// Verifies the address to which a link was sent; has no effect if the channel is verified, or has another address
    /// by now.
    package func verify(_ channel: LinkedChannel, at time: Timestamp) throws {
        try db.run(
            "UPDATE channel SET verified = ?, last_error = NULL WHERE id = ? AND url = ? AND verified IS NULL",
            [time.milliseconds, channel.channel.id.blob, channel.channel.address]
        )
        guard db.changesCount == 1 else { return }
        try AuditTrail(db).append(
            AuditEvent(
                .channelVerified, by: nil, at: time, owner: channel.owner,
                details: ["channel": "\(channel.channel.id)"]
            )
        )
    }

    /// Removes a channel whose reader wants no more messages, unless it has another address by now.
    package func unsubscribe(_ channel: LinkedChannel, at time: Timestamp, using entropy: Entropy) throws {
        guard let row = try channelRow(channel.channel.id), try row["url"] == channel.channel.address else { return }
        try Channels(db).remove(row, .channelRemoved, at: time, using: entropy)
    }

    /// Counts a test of a channel.
    ///
    /// - Throws: `tooManyMessages`.
    package func noteTest(of owner: OwnerID, at time: Timestamp) throws {
        try noteMessage("test", of: try Owners(db).key(of: owner), at: time)
    }

    /// Records the result of a test. A success proves a receiver whose standing was still fresh.
    ///
    /// - Parameter error: why the test failed; nil if it was delivered.
    package func noteOutcome(ofTest channel: LinkedChannel, error: String?) throws {
        try db.run(
            """
            UPDATE channel SET last_error = ?1,
                standing = CASE WHEN CAST(?1 AS TEXT) IS NULL AND standing = ?4 THEN ?5 ELSE standing END
            WHERE id = ?2 AND url = ?3 AND removed IS NULL
            """,
            [
                error, channel.channel.id.blob, channel.channel.address, ReceiverStanding.fresh.rawValue,
                ReceiverStanding.proven.rawValue,
            ]
        )
    }

    /// The messages to a channel, the latest first, without sightings that a digest announced.
    package func deliveries(
        to channel: ChannelID, of owner: OwnerID, _ page: PageRequest<AlertID>
    ) throws -> StoredPage<ChannelDelivery, AlertID> {
        let last = AlertID(high: .max, low: .max)
        let sql = """
            SELECT alert.* FROM channel JOIN alert ON alert.channel = channel.key
            WHERE channel.id = ? AND channel.owner = (SELECT key FROM owner WHERE id = ?) AND channel.removed IS NULL
                AND alert.id < ? AND alert.digest IS NULL
            ORDER BY alert.id DESC LIMIT ?
            """
        return try db.rows(sql, [channel.blob, owner.blob, (page.after ?? last).blob, page.limit + 1])
            .map(ChannelDelivery.init)
            .page(limit: page.limit, cursor: \.id)
    }

    /// A channel that is not removed, with its owner’s `owner_id`, `language` and `zone`.
    private func channelRow(_ id: ChannelID) throws -> StoredRow? {
        let sql = """
            SELECT channel.*, owner.id AS owner_id, owner.language, owner.zone FROM channel JOIN owner ON owner.key = channel.owner
            WHERE channel.id = ? AND removed IS NULL
            """
        return try db.row(sql, [id.blob])
    }

    /// Queues the verification message to a channel’s address.
    ///
    /// - Parameters:
    ///   - channel: the channel’s key.
    ///   - owner: the owner’s key.
    /// - Throws: `tooManyMessages`.
    func ask(_ verification: ChannelVerification, of channel: Int64, owner: Int64, at time: Timestamp) throws {
        try noteMessage("verification", of: owner, at: time)
        try noteQuestion(to: channel, at: time)
        try db.run(
            """
            INSERT INTO alert (id, notice, channel, kind, urgent, created, due)
            SELECT ?, ?, key, kind, 1, ?, ? FROM channel WHERE key = ?
            """,
            [
                verification.id.blob, try JSONEncoder().encode(verification.notice), time.milliseconds,
                time.milliseconds, channel,
            ]
        )
        db.news.alerts = true
    }

    /// Counts a verification message to a mailbox, regardless of who requested it.
    ///
    /// - Throws: `tooManyMessages`.
    private func noteQuestion(to channel: Int64, at time: Timestamp) throws {
        guard let address: String = try db.row("SELECT url FROM channel WHERE key = ?", [channel])?["url"] else {
            return
        }
        let mailbox = Mailbox.digest(of: address).blob
        let limit = AttemptLimit.mailboxQuestions
        let start = time.advanced(by: .zero - limit.window).milliseconds
        let sql = "SELECT count(*) FROM mailbox_question WHERE mailbox = ? AND time > ?"
        guard try db.integer(sql, [mailbox, start]) ?? 0 < limit.attempts else {
            // Return the owner's own window: the real wait would reveal when others sent messages to this address.
            throw DomainError.tooManyMessages(retryAfter: AttemptLimit.channelMessages.window)
        }
        try db.run("INSERT INTO mailbox_question (mailbox, time) VALUES (?, ?)", [mailbox, time.milliseconds])
    }

    /// Counts a message that an owner requested.
    ///
    /// - Parameter purpose: `verification` or `test`, which are counted apart.
    /// - Throws: `tooManyMessages`.
    private func noteMessage(_ purpose: String, of owner: Int64, at time: Timestamp) throws {
        let limit = AttemptLimit.channelMessages
        let sql = "SELECT time FROM channel_message WHERE owner = ? AND purpose = ? AND time > ? ORDER BY time"
        let start = time.advanced(by: .zero - limit.window).milliseconds
        let earlier = try db.rows(sql, [owner, purpose, start]).map { try $0.timestamp("time") }
        if let wait = limit.wait(earlier: earlier, now: time) { throw DomainError.tooManyMessages(retryAfter: wait) }
        try db.run(
            "INSERT INTO channel_message (owner, purpose, time) VALUES (?, ?, ?)", [owner, purpose, time.milliseconds]
        )
    }
}

extension ChannelDelivery {
    fileprivate init(_ row: StoredRow) throws {
        var event = row.hasNonNull("report") ? "sightings.digest" : "sighting.created"
        if try row["news"] != "" { event = "sighting.updated" }
        if let notice: Data = try row["notice"] {
            event = try JSONDecoder().decode(OwnerNotice.self, from: notice).event.rawValue
        }
        self.init(
            id: try row.id("id"), event: event, created: try row.timestamp("created"), attempts: try row["attempts"],
            next: try row.optionalTimestamp("due"), delivered: try row.optionalTimestamp("delivered"),
            lastError: try row["last_error"]
        )
    }
}
