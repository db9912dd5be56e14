import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func addChannel(
        _ channel: Channel, secret: SigningSecret, of owner: OwnerID, once: OnceKey?
    ) async throws -> (channel: Channel, secret: SigningSecret) {
        try await write { db in
            let ownerKey = try db.key(of: owner)
            if let earlier = try db.resource(of: once) {
                let sql = "SELECT * FROM channel WHERE id = ? AND owner = ? AND removed IS NULL"
                guard let row = try db.row(sql, [earlier, ownerKey]) else { throw DomainError.notFound("channel") }
                return (try Channel(row), SigningSecret(bytes: [UInt8](row["secret"] as Data)))
            }
            try db.run(
                "INSERT INTO channel (id, owner, kind, url, secret, created) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    channel.id.blob, ownerKey, channel.kind.rawValue, channel.url, Data(secret.bytes),
                    channel.created.milliseconds,
                ]
            )
            try db.audit(
                AuditEvent(
                    .channelAdded, by: .owner(owner), at: channel.created, owner: owner,
                    details: ["channel": "\(channel.id)", "kind": channel.kind.rawValue]
                )
            )
            try db.remember(once, resource: channel.id.blob)
            return (channel, secret)
        }
    }

    public func channels(
        of owner: OwnerID, _ page: PageRequest<ChannelID>
    ) async throws -> StoredPage<Channel, ChannelID> {
        try await read { db in
            let after = page.after ?? ChannelID(high: 0, low: 0)
            let sql = """
                SELECT * FROM channel
                WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? AND removed IS NULL ORDER BY id LIMIT ?
                """
            return try db.rows(sql, [owner.blob, after.blob, page.limit + 1])
                .map(Channel.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }

    public func channel(_ id: ChannelID, of owner: OwnerID) async throws -> Channel? {
        try await read { db in
            let sql = """
                SELECT * FROM channel WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?) AND removed IS NULL
                """
            return try db.row(sql, [id.blob, owner.blob]).map(Channel.init)
        }
    }

    public func changeChannel(_ channel: Channel, to changed: Channel, by act: OwnerAct) async throws -> Channel {
        try await write { db in
            let (key, owner) = try db.keys(ofUnchanged: channel, by: act)
            guard changed != channel else { return channel }
            try db.confirm(act, owner: owner, if: try db.hasMissingBike(owner))
            try db.run("UPDATE channel SET url = ?, last_error = NULL WHERE key = ?", [changed.url, key])
            // The address before learns of the change by a channel of its own, which is removed at once.
            var entropy = act.entropy
            try db.run(
                """
                INSERT INTO channel (id, owner, kind, url, secret, created)
                SELECT ?, owner, kind, ?, secret, created FROM channel WHERE key = ?
                """,
                [ChannelID(at: act.time, using: &entropy).blob, channel.url, key]
            )
            let before = db.lastInsertedRowID
            try db.tell(.channelChanged, .channelChanged, of: channel, owner: owner, by: act)
            try db.run("UPDATE channel SET removed = ? WHERE key = ?", [act.time.milliseconds, before])
            return changed
        }
    }

    public func removeChannel(_ channel: Channel, by act: OwnerAct) async throws {
        try await write { db in
            let (key, owner) = try db.keys(ofUnchanged: channel, by: act)
            try db.confirm(act, owner: owner, if: try db.hasMissingBike(owner))
            try db.run("DELETE FROM alert WHERE channel = ?", [key])
            try db.tell(.channelRemoved, .channelRemoved, of: channel, owner: owner, by: act)
            try db.run("UPDATE channel SET removed = ? WHERE key = ?", [act.time.milliseconds, key])
        }
    }
}

extension Database {
    /// The keys of a channel that still is as the caller saw it, and of its owner.
    fileprivate func keys(ofUnchanged channel: Channel, by act: OwnerAct) throws -> (channel: Int64, owner: Int64) {
        let owner = try key(of: act.owner)
        let sql = "SELECT * FROM channel WHERE id = ? AND owner = ? AND removed IS NULL"
        guard let row = try row(sql, [channel.id.blob, owner]) else { throw DomainError.notFound("channel") }
        guard try Channel(row) == channel else { throw DomainError.changedMeanwhile("channel") }
        return (row["key"], owner)
    }

    /// Tells of a channel on all channels, itself included. Addresses may hold secrets: it is named by its identifier.
    fileprivate func tell(
        _ event: OwnerNotice.Event, _ action: AuditAction, of channel: Channel, owner: Int64, by act: OwnerAct
    ) throws {
        let notice = OwnerNotice(event, subject: "\(channel.kind.rawValue) \(channel.id)")
        try queueAlerts(.notice(notice), toOwner: owner, at: act.time, using: act.entropy)
        try audit(
            AuditEvent(
                action, by: act.principal, at: act.time, owner: act.owner, details: ["channel": "\(channel.id)"]
            )
        )
    }
}

extension Channel {
    init(_ row: Row) throws {
        self.init(
            id: try row.id("id"), kind: try row.choice("kind"), url: row["url"], created: row.timestamp("created"),
            lastError: row["last_error"]
        )
    }
}
