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
                guard let row = try db.row("SELECT * FROM channel WHERE id = ? AND owner = ?", [earlier, ownerKey])
                else { throw DomainError.notFound("channel") }
                return (try Channel(row), SigningSecret(bytes: [UInt8](row["secret"] as Data)))
            }
            try db.run(
                "INSERT INTO channel (id, owner, kind, url, secret, created) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    channel.id.blob, ownerKey, channel.kind.rawValue, channel.url, Data(secret.bytes),
                    channel.created.milliseconds,
                ]
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
                SELECT * FROM channel WHERE owner = (SELECT key FROM owner WHERE id = ?) AND id > ? ORDER BY id LIMIT ?
                """
            return try db.rows(sql, [owner.blob, after.blob, page.limit + 1])
                .map(Channel.init)
                .page(limit: page.limit, cursor: \.id)
        }
    }

    public func removeChannel(_ id: ChannelID, of owner: OwnerID) async throws {
        try await write { db in
            let sql = "DELETE FROM channel WHERE id = ? AND owner = (SELECT key FROM owner WHERE id = ?)"
            try db.run(sql, [id.blob, owner.blob])
            guard db.changesCount == 1 else { throw DomainError.notFound("channel") }
        }
    }
}

extension Channel {
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.id("id"), kind: try row.choice("kind"), url: row["url"], created: row.timestamp("created"),
            lastError: row["last_error"]
        )
    }
}
