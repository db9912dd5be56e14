import Foundation
package import Registry
package import RegistryAPI

/// Conversations as finders begin and continue them. What happens must not depend on whether the bike exists.
package struct FinderConversations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func begin(_ new: NewConversation) throws {
        // The form was sent twice.
        guard try Conversations(db).row(new.secret) == nil else { return }
        let target = Self.target(of: new.found)
        try refuseTooMany(about: target, from: new.network, at: new.time)
        try add(
            Beginning(
                id: new.id, secret: new.secret, origin: new.found.origin, network: new.network, text: new.text,
                time: new.time),
            to: try bike(of: new.found), about: target)
    }

    /// A conversation to store.
    struct Beginning {
        let id: ConversationID
        let secret: SecretDigest
        let origin: ConversationOrigin
        let network: FinderNetwork
        let text: String
        let time: Timestamp
    }

    /// - Throws: `message(.tooManyConversations)`.
    func refuseTooMany(about target: SecretDigest, from network: FinderNetwork, at time: Timestamp) throws {
        let earlier = try db.integer(
            "SELECT count(*) FROM conversation WHERE target = ? AND subscriber = ? AND began > ?",
            [target.blob, network.subscriber, Self.dayBefore(time)])
        guard earlier ?? 0 < MessageRules.perNetwork else { throw DomainError.message(.tooManyConversations) }
    }

    /// Stores a conversation. The caller has checked that there is none with this secret.
    ///
    /// - Parameter target: what conversations are counted by.
    func add(_ new: Beginning, to bike: Int64?, about target: SecretDigest) throws {
        // Whom the owner has blocked writes to nobody, and does not notice.
        let isBlocked = try db.exists(
            "SELECT 1 FROM conversation WHERE bike = ? AND subscriber = ? AND blocked = 1 AND began > ?",
            [bike, new.network.subscriber, Self.dayBefore(new.time)])
        try makeRoom()
        try db.run(
            """
            INSERT INTO conversation (id, digest, bike, target, origin, subscriber, area, began, changed, untold)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                new.id.blob, new.secret.blob, isBlocked ? nil : bike, target.blob, new.origin.rawValue,
                new.network.subscriber, new.network.area, new.time.milliseconds, new.time.milliseconds,
                isBlocked || bike == nil ? nil : 1,
            ]
        )
        try Conversations(db).append(new.text, from: .finder, to: db.lastInsertedRowID, at: new.time)
        try thinOut(target)
    }

    private static func dayBefore(_ time: Timestamp) -> Int64 { time.advanced(by: .seconds(-86_400)).milliseconds }

    package func find(_ secret: SecretDigest) throws -> Conversation? {
        try Conversations(db).row(secret).map(Conversations(db).full)
    }

    package func write(_ text: String, in secret: SecretDigest, at time: Timestamp) throws {
        let (row, conversation) = try existing(secret)
        let key: Int64 = try row["key"]
        // The form was sent twice.
        if let last = conversation.messages.last, last.from == .finder, last.text == text, last.time <= time,
            time <= last.time.advanced(by: Self.repetition)
        {
            return
        }
        if let refusal = conversation.refusal(of: .finder, at: time) { throw DomainError.message(refusal) }
        try Conversations(db).append(text, from: .finder, to: key, at: time)
        if row.hasNonNull("bike") { try db.run("UPDATE conversation SET untold = 1 WHERE key = ?", [key]) }
    }

    /// The time in which the same message is taken for one that was sent twice.
    private static let repetition = Duration.seconds(600)

    package func end(_ secret: SecretDigest, isReported: Bool, at time: Timestamp) throws {
        let (row, conversation) = try existing(secret)
        let key: Int64 = try row["key"]
        try Conversations(db).close(key, by: .finder, at: time)
        guard isReported, try canReport(conversation, row) else { return }
        try Conversations(db).report(key, by: .finder, reason: nil, at: time)
    }

    /// Only what the owner has written can be reported; and that a bike has the number of somebody else's, which its owner
    /// would not answer. These are few for each bike, so that nobody can fill the operator's list.
    private func canReport(_ conversation: Conversation, _ row: StoredRow) throws -> Bool {
        if conversation.messages.contains(where: { $0.from == .owner }) { return true }
        guard conversation.origin == .number, row.hasNonNull("bike") else { return false }
        let sql = """
            SELECT count(*) FROM conversation
            WHERE bike = ? AND origin = ? AND reported IS NOT NULL AND settled IS NULL
            """
        let bike: Int64 = try row["bike"]
        let reported = try db.integer(sql, [bike, ConversationOrigin.number.rawValue])
        return reported ?? 0 < NumberCheckRules.mostReported
    }

    private func existing(_ secret: SecretDigest) throws -> (StoredRow, Conversation) {
        guard let row = try Conversations(db).row(secret) else { throw DomainError.notFound("conversation") }
        return (row, try Conversations(db).full(row))
    }

    /// The bike that a finder named; nil if there is none. A bike whose beacon is not proved has only its sticker:
    /// somebody else may have the beacon.
    private func bike(of found: FoundBike) throws -> Int64? {
        switch found {
        case .sticker(let code): try db.integer("SELECT bike FROM sticker WHERE digest = ?", [code.blob])
        case .beacon(let identity):
            try db.integer(
                """
                SELECT key FROM bike
                WHERE beacon = ? AND NOT EXISTS (SELECT 1 FROM beacon_claim WHERE beacon_claim.bike = bike.key)
                """, [identity.blob])
        }
    }

    /// What conversations are counted by: what the finder named, so that limits do not show that a code and a beacon
    /// belong to the same bike.
    private static func target(of found: FoundBike) -> SecretDigest {
        switch found {
        case .sticker(let code): code
        case .beacon(let identity): SecretDigest(of: identity.blob)
        }
    }

    /// Conversations that can be deleted to make room: their owner has not answered them, and nobody has reported them.
    private static let waiting = "answered = 0 AND reported IS NULL"

    /// If there are too many waiting conversations about a code or a beacon, deletes the newest of the wider network
    /// that has the most. A flood thins itself out, and a conversation from elsewhere stays.
    private func thinOut(_ target: SecretDigest) throws {
        let condition = "target = ? AND \(Self.waiting)"
        let count = try db.integer("SELECT count(*) FROM conversation WHERE \(condition)", [target.blob])
        guard count ?? 0 > MessageRules.mostWaiting else { return }
        try db.run(
            """
            DELETE FROM conversation WHERE key = (
                SELECT max(key) FROM conversation WHERE \(condition)
                GROUP BY area ORDER BY count(*) DESC, max(key) DESC LIMIT 1
            )
            """,
            [target.blob])
    }

    /// If the registry has too many conversations, deletes the newest waiting ones of the wider network with the most.
    private func makeRoom() throws {
        let total = try db.integer("SELECT conversations FROM conversation_count", [])
        guard total ?? 0 >= MessageRules.most else { return }
        let largest = try db.row(
            """
            SELECT area, count(*) AS number FROM conversation WHERE \(Self.waiting)
            GROUP BY area ORDER BY number DESC LIMIT 1
            """, [])
        guard let largest else { throw DomainError.overloaded }
        let number: Int64 = try largest["number"]
        try db.run(
            """
            DELETE FROM conversation WHERE key IN (
                SELECT key FROM conversation WHERE \(Self.waiting) AND area = ? ORDER BY key DESC LIMIT ?
            )
            """,
            [try largest["area"] as Int64, max(1, min(number / 2, 1000))])
    }
}
