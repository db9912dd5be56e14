import Foundation
package import RegistryAPI
import RegistryRules

/// Conversations between finders and owners, as rows.
package struct Conversations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The row of the conversation with its finder’s secret; nil if there is none.
    func row(_ secret: SecretDigest) throws -> StoredRow? {
        try db.row("SELECT * FROM conversation WHERE digest = ?", [secret.blob])
    }

    /// The row of a conversation about a bike.
    ///
    /// - Parameter bike: the bike’s key.
    /// - Throws: `notFound`.
    func row(_ id: ConversationID, of bike: Int64) throws -> StoredRow {
        guard let row = try db.row("SELECT * FROM conversation WHERE id = ? AND bike = ?", [id.blob, bike]) else {
            throw DomainError.notFound("conversation")
        }
        return row
    }

    /// The conversation of a row, with all messages.
    ///
    /// - Parameter reader: the side that reads it; nil for the operator.
    func full(_ row: StoredRow, for reader: ConversationSide?) throws -> Conversation {
        let sql = "SELECT sender, time, text FROM conversation_message WHERE conversation = ? ORDER BY key"
        let messages = try db.rows(sql, [try row["key"] as Int64]).map(ConversationMessage.init)
        let photos = try FinderPhotos(db).all(of: try row["key"])
        return try Conversation(row, messages, photos, count: messages.count, for: reader)
    }

    /// The conversation of a row for the owner, with its latest message.
    func brief(_ row: StoredRow) throws -> Conversation {
        let key: Int64 = try row["key"]
        let sql =
            "SELECT sender, time, text FROM conversation_message WHERE conversation = ? ORDER BY key DESC LIMIT 1"
        let count = try db.integer("SELECT count(*) FROM conversation_message WHERE conversation = ?", [key])
        return try Conversation(
            row, try db.rows(sql, [key]).map(ConversationMessage.init), try FinderPhotos(db).all(of: key),
            count: Int(clamping: count ?? 0), for: .owner)
    }

    /// The number of a bike's conversations in which a finder waits for an answer; nil if there is none.
    func waiting(on bike: Int64) throws -> Int? {
        let count = try db.integer("SELECT count(*) FROM conversation WHERE bike = ? AND waiting = 1", [bike])
        return count.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    }

    /// All conversations of a bike, for its owner's export.
    func all(of bike: Int64) throws -> [Conversation] {
        try db.rows("SELECT * FROM conversation WHERE bike = ? ORDER BY key", [bike])
            .map { try full($0, for: .owner) }
    }

    /// Deletes a bike's conversations, except those that the operator has yet to read: these no longer belong to a
    /// bike.
    func deleteAll(of bike: Int64, at time: Timestamp) throws {
        try db.run(
            """
            UPDATE conversation SET bike = NULL, untold = NULL, waiting = NULL,
                closed_by = CASE WHEN closed IS NULL THEN 'owner' ELSE closed_by END, closed = coalesce(closed, ?)
            WHERE bike = ? AND reported IS NOT NULL AND settled IS NULL
            """, [time.milliseconds, bike])
        try db.run("DELETE FROM conversation WHERE bike = ?", [bike])
    }

    /// Adds a message. The caller has checked that it is accepted.
    func append(_ text: String, from side: ConversationSide, to conversation: Int64, at time: Timestamp) throws {
        try db.run(
            "INSERT INTO conversation_message (conversation, sender, time, text) VALUES (?, ?, ?, ?)",
            [conversation, side.rawValue, time.milliseconds, text])
        try db.run("UPDATE conversation SET changed = ? WHERE key = ?", [time.milliseconds, conversation])
        if side == .finder { db.news.finds = true }
    }

    /// Ends a conversation, unless it has ended.
    ///
    /// - Parameter side: who ends it; nil if its time has come.
    func close(_ key: Int64, by side: ConversationSide?, at time: Timestamp) throws {
        try db.run(
            """
            UPDATE conversation SET closed = ?, closed_by = ?, untold = NULL, waiting = NULL
            WHERE key = ? AND closed IS NULL
            """,
            [time.milliseconds, side?.rawValue, key])
    }

    /// Blocks a finder again, after a backup was restored that is older than the block.
    func block(_ secret: Data, at time: Timestamp) throws {
        guard let row = try db.row("SELECT * FROM conversation WHERE digest = ?", [secret]) else { return }
        let key: Int64 = try row["key"]
        try close(key, by: .owner, at: time)
        if let bike: Int64 = try row["bike"] { try FinderBlocks(db).add(try row["writer"], about: bike, at: time) }
        try db.run("UPDATE conversation SET blocked = 1 WHERE key = ?", [key])
    }

    /// Ends conversations without a message for ``MessageRules/idle``, and deletes those that ended
    /// ``MessageRules/kept`` ago.
    ///
    /// - Parameter limit: the maximum number of each.
    /// - Returns: the greater of both numbers.
    package func age(limit: Int, at time: Timestamp) throws -> Int {
        try FinderBlocks(db).deleteOld(limit: limit, at: time)
        let idle = time.advanced(by: .zero - MessageRules.idle).milliseconds
        let open = "SELECT key FROM conversation WHERE closed IS NULL AND changed <= ? LIMIT ?"
        let ended = try db.rows(open, [idle, limit])
        for row in ended { try close(try row["key"], by: nil, at: time) }
        let end = time.advanced(by: .zero - MessageRules.kept).milliseconds
        try db.run(
            "DELETE FROM conversation WHERE key IN (SELECT key FROM conversation WHERE closed <= ? LIMIT ?)",
            [end, limit])
        return max(ended.count, db.changesCount)
    }
}

extension Conversation {
    /// Reads a row of `conversation`.
    ///
    /// - Parameters:
    ///   - messages: the last ones or all.
    ///   - count: the number of all messages.
    ///   - reader: the side that reads it; nil for the operator.
    fileprivate init(
        _ row: StoredRow, _ messages: [ConversationMessage], _ photos: [ConversationPhoto]?, count: Int,
        for reader: ConversationSide?
    ) throws {
        let closed = try row.optionalTimestamp("closed")
        self.init(
            id: try row.id("id"), origin: try row.choice("origin"), began: try row.timestamp("began"),
            messages: messages, photos: photos, count: count, waiting: closed == nil && messages.last?.from == .finder,
            closed: closed,
            closedBy: row.hasNonNull("closed_by") ? try row.choice("closed_by") : nil, blocked: try row["blocked"],
            reported: try row.optionalTimestamp(reader.map { "reported_by_\($0.rawValue)" } ?? "reported"))
    }
}

extension ConversationMessage {
    fileprivate init(_ row: StoredRow) throws {
        self.init(from: try row.choice("sender"), time: try row.timestamp("time"), text: try row["text"])
    }
}
