import RegistryAPI
import RegistryRules

/// Makes room for new conversations: the wider network of finders, or the account, that has the most loses its own.
///
/// Conversations that the operator has yet to read are never deleted here; ``MessageRules/mostReports`` limits them for
/// each account.
struct ConversationBounds {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// Conversations that wait for an owner: neither answered nor reported.
    static let waiting = "answered = 0 AND reported IS NULL"
    /// Conversations that ended and that the owner knows about, or that were not continued.
    private static let over = "closed IS NOT NULL AND (answered = 1 OR closed_by IS NULL OR closed_by = 'owner')"
    private static let isRead = "(reported IS NULL OR settled IS NOT NULL)"

    /// If there are too many waiting conversations about a code or a beacon, deletes one of the wider network that has
    /// the most: the newest of the subscriber with the most. A flood thins itself out, and a conversation from elsewhere
    /// stays, as does one from a subscriber who has fewer.
    func thinOut(_ target: SecretDigest) throws {
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

    /// If the account of a bike has too many conversations, deletes one of them.
    ///
    /// - Parameter new: the conversation that is never deleted, because one about an unknown code would not be deleted
    ///   either.
    func thinOut(accountOfBike bike: Int64, except new: Int64) throws {
        guard let owner = try db.integer("SELECT owner FROM bike WHERE key = ?", [bike]) else { return }
        let sql = "SELECT count(*) FROM (\(Self.ofAccount) LIMIT ?) AS counted"
        guard try db.integer(sql, [owner, MessageRules.mostOfAccount + 1]) ?? 0 > MessageRules.mostOfAccount else {
            return
        }
        try shrink(account: owner, by: 1, except: new)
    }

    static let ofAccount = """
        SELECT conversation.key FROM bike CROSS JOIN conversation
        WHERE bike.owner = ? AND conversation.bike = bike.key
        """

    /// If the registry has too many conversations, the account or wider network with the most loses some.
    func makeRoom() throws {
        let total = try db.integer("SELECT conversations FROM conversation_count", [])
        guard total ?? 0 >= MessageRules.most else { return }
        let area = try db.row(
            """
            SELECT area AS loser, count(*) AS number FROM conversation WHERE \(Self.waiting)
            GROUP BY area ORDER BY number DESC LIMIT 1
            """, [])
        let account = try db.row(
            """
            SELECT owner AS loser, count(*) AS number FROM conversation JOIN bike ON bike.key = conversation.bike
            WHERE \(Self.isRead) GROUP BY owner ORDER BY number DESC LIMIT 1
            """, [])
        let ofArea: Int64 = try area.map { try $0["number"] } ?? 0
        let ofAccount: Int64 = try account.map { try $0["number"] } ?? 0
        if let account, ofAccount > ofArea {
            try shrink(account: try account["loser"], by: Self.share(of: ofAccount))
        } else if let area {
            try db.run(
                """
                DELETE FROM conversation WHERE key IN (
                    SELECT key FROM conversation WHERE \(Self.waiting) AND area = ? ORDER BY \(Self.spared) LIMIT ?
                )
                """,
                [try area["loser"] as Int64, Self.share(of: ofArea)])
        } else {
            throw DomainError.overloaded
        }
    }

    /// How many are deleted together, so that not every message of a flood needs a count of all conversations.
    private static func share(of number: Int64) -> Int64 { max(1, min(number / 2, 500)) }

    /// The order in which a wider network loses conversations: the third of each subscriber before the second, and the
    /// first of each subscriber last.
    private static let spared = """
        row_number() OVER (PARTITION BY subscriber ORDER BY conversation.key) DESC, conversation.key DESC
        """

    /// Deletes conversations of an account: first those that ended earliest, then waiting ones of the wider network that
    /// has the most, and then those that were continued least recently.
    private func shrink(account owner: Int64, by number: Int64, except new: Int64 = 0) throws {
        let mine = "\(Self.ofAccount) AND conversation.key <> ? AND \(Self.isRead)"
        try db.run(
            """
            DELETE FROM conversation WHERE key IN (\(mine) AND \(Self.over) ORDER BY closed, conversation.key LIMIT ?)
            """, [owner, new, number])
        guard db.changesCount == 0 else { return }
        let largest = try db.row(
            """
            SELECT area, origin FROM bike CROSS JOIN conversation
            WHERE bike.owner = ? AND conversation.bike = bike.key AND conversation.key <> ? AND \(Self.waiting)
            GROUP BY area, origin ORDER BY count(*) DESC, origin, max(conversation.key) DESC LIMIT 1
            """, [owner, new])
        if let largest {
            let chosen = "\(mine) AND \(Self.waiting) AND area = ? AND origin = ?"
            return try db.run(
                "DELETE FROM conversation WHERE key IN (\(chosen) ORDER BY \(Self.spared) LIMIT ?)",
                [owner, new, try largest["area"] as Int64, try largest["origin"] as String, number])
        }
        try db.run(
            "DELETE FROM conversation WHERE key IN (\(mine) ORDER BY changed, conversation.key LIMIT ?)",
            [owner, new, number])
    }
}
