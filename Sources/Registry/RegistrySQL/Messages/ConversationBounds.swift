import RegistryAPI
import RegistryRules

/// Bounds the number of conversations, so that a flood of messages neither fills the database nor hides other finders.
///
/// If there are too many about a code or a beacon, of an account, or in the registry, some are deleted: those of the wider
/// network of finders (``FinderNetwork/area``) or of the account that has the most. A network has nothing to gain from a
/// flood then, since it loses its own conversations. Those that the operator has yet to read are never deleted here;
/// ``MessageRules/mostReports`` limits them for each account.
struct ConversationBounds {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// A wider network or an account, and the number of its conversations.
    private struct Holder {
        /// The network's number, or the key of the account.
        let key: Int64
        let count: Int64
    }

    /// The conversations of an account; the parameter is its key.
    static let ofAccount = """
        SELECT conversation.key FROM bike CROSS JOIN conversation
        WHERE bike.owner = ? AND conversation.bike = bike.key
        """
    /// Conversations that wait for an owner: neither answered nor reported. Two indexes have the same condition.
    static let waiting = "answered = 0 AND reported IS NULL"
    /// Conversations that ended and that the owner knows about, or that were not continued.
    private static let ended = "closed IS NOT NULL AND (answered = 1 OR closed_by IS NULL OR closed_by = 'owner')"
    /// Conversations that the operator need not read, or has read.
    private static let isDeletable = "(reported IS NULL OR settled IS NOT NULL)"
    /// The order in which a wider network loses conversations: the third of each subscriber before the second, and the
    /// first of each subscriber last.
    private static let orderOfLoss = """
        row_number() OVER (PARTITION BY subscriber ORDER BY conversation.key) DESC, conversation.key DESC
        """

    /// If there are too many waiting conversations about a code or a beacon (``MessageRules/mostWaiting``), deletes one of
    /// the wider network that has the most: the newest of the subscriber with the most. A flood thins itself out, and a
    /// conversation from elsewhere stays, as does one from a subscriber who has fewer.
    func thinOut(about target: SecretDigest) throws {
        let condition = "target = ? AND \(Self.waiting)"
        let count = try db.integer("SELECT count(*) FROM conversation WHERE \(condition)", [target.blob])
        guard count ?? 0 > MessageRules.mostWaiting else { return }
        try db.run(
            """
            DELETE FROM conversation WHERE key = (
                SELECT max(key) FROM conversation WHERE \(condition) AND area = (
                    SELECT area FROM conversation WHERE \(condition)
                    GROUP BY area ORDER BY count(*) DESC, max(key) DESC LIMIT 1
                ) GROUP BY subscriber ORDER BY count(*) DESC, max(key) DESC LIMIT 1
            )
            """,
            [target.blob, target.blob])
    }

    /// If the account of a bike has too many conversations (``MessageRules/mostOfAccount``), deletes one of them.
    ///
    /// - Parameter new: the conversation that is never deleted, because one about an unknown code would not be deleted
    ///   either.
    func thinOut(accountOfBike bike: Int64, except new: Int64) throws {
        guard let owner = try db.integer("SELECT owner FROM bike WHERE key = ?", [bike]) else { return }
        let sql = "SELECT count(*) FROM (\(Self.ofAccount) LIMIT ?) AS counted"
        guard try db.integer(sql, [owner, MessageRules.mostOfAccount + 1]) ?? 0 > MessageRules.mostOfAccount else {
            return
        }
        try deleteConversations(ofAccount: owner, atMost: 1, except: new)
    }

    /// If the registry has too many conversations (``MessageRules/most``), deletes some of the wider network or the account
    /// that has the most.
    ///
    /// - Throws: `overloaded` if none can be deleted.
    func makeRoom() throws {
        let total = try db.integer("SELECT conversations FROM conversation_count", [])
        guard total ?? 0 >= MessageRules.most else { return }
        let area = try holder(
            """
            SELECT area AS holder, count(*) AS number FROM conversation WHERE \(Self.waiting)
            GROUP BY area ORDER BY number DESC LIMIT 1
            """)
        let account = try holder(
            """
            SELECT owner AS holder, count(*) AS number FROM conversation JOIN bike ON bike.key = conversation.bike
            WHERE \(Self.isDeletable) GROUP BY owner ORDER BY number DESC LIMIT 1
            """)
        if let account, account.count > area?.count ?? 0 {
            try deleteConversations(ofAccount: account.key, atMost: Self.share(of: account))
        } else if let area {
            try deleteConversations(ofArea: area.key, atMost: Self.share(of: area))
        } else {
            throw DomainError.overloaded
        }
    }

    /// The network or account that a statement finds in its columns `holder` and `number`; nil if it finds none.
    private func holder(_ sql: String) throws -> Holder? {
        try db.row(sql, []).map { Holder(key: try $0["holder"], count: try $0["number"]) }
    }

    /// How many conversations are deleted together, so that not every message of a flood needs a count of all.
    private static func share(of holder: Holder) -> Int64 { max(1, min(holder.count / 2, 500)) }

    /// Deletes waiting conversations of a wider network.
    private func deleteConversations(ofArea area: Int64, atMost limit: Int64) throws {
        try db.run(
            """
            DELETE FROM conversation WHERE key IN (
                SELECT key FROM conversation WHERE \(Self.waiting) AND area = ? ORDER BY \(Self.orderOfLoss) LIMIT ?
            )
            """,
            [area, limit])
    }

    /// Deletes conversations of an account: those that ended, the earliest first; if there are none, waiting ones of the
    /// wider network that has the most; if there are none either, those that were continued least recently.
    private func deleteConversations(ofAccount owner: Int64, atMost limit: Int64, except new: Int64 = 0) throws {
        let deletable = "\(Self.ofAccount) AND conversation.key <> ? AND \(Self.isDeletable)"
        try db.run(
            """
            DELETE FROM conversation WHERE key IN (
                \(deletable) AND \(Self.ended) ORDER BY closed, conversation.key LIMIT ?
            )
            """,
            [owner, new, limit])
        guard db.changesCount == 0 else { return }
        let largest = try db.row(
            """
            SELECT area, origin FROM bike CROSS JOIN conversation
            WHERE bike.owner = ? AND conversation.bike = bike.key AND conversation.key <> ? AND \(Self.waiting)
            GROUP BY area, origin ORDER BY count(*) DESC, origin, max(conversation.key) DESC LIMIT 1
            """, [owner, new])
        if let largest {
            let chosen = "\(deletable) AND \(Self.waiting) AND area = ? AND origin = ?"
            return try db.run(
                "DELETE FROM conversation WHERE key IN (\(chosen) ORDER BY \(Self.orderOfLoss) LIMIT ?)",
                [owner, new, try largest["area"] as Int64, try largest["origin"] as String, limit])
        }
        try db.run(
            "DELETE FROM conversation WHERE key IN (\(deletable) ORDER BY changed, conversation.key LIMIT ?)",
            [owner, new, limit])
    }
}
