import Foundation
package import RegistryAPI
package import RegistryRules

/// Conversations as finders begin and continue them. The outcome must not depend on whether the bike exists.
package struct FinderConversations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Begins a conversation. If there is one with this secret that began with the same message, nothing happens.
    ///
    /// - Returns: false if another conversation has the secret.
    /// - Throws: `message(.tooManyConversations)`, whether or not the bike exists.
    package func begin(_ new: NewConversation) throws -> Bool {
        let target = Self.target(of: new.found)
        if let isRepeated = try isRepeated(new.secret, about: target, new.text) { return isRepeated }
        try refuseTooMany(about: target, from: new.network, at: new.time)
        try add(
            Beginning(
                id: new.id, secret: new.secret, origin: new.found.origin, network: new.network, text: new.text,
                time: new.time),
            to: try bike(of: new.found), about: target)
        return true
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

    /// Refuses a conversation if the same subscriber has begun too many about the subject in a day.
    ///
    /// - Throws: `message(.tooManyConversations)`.
    func refuseTooMany(about target: SecretDigest, from network: FinderNetwork, at time: Timestamp) throws {
        let day = time.advanced(by: .days(-1)).milliseconds
        let earlier = try db.integer(
            "SELECT count(*) FROM conversation WHERE target = ? AND subscriber = ? AND began > ?",
            [target.blob, network.subscriber, day])
        guard earlier ?? 0 < MessageRules.perNetwork else { throw DomainError.message(.tooManyConversations) }
    }

    /// Stores a conversation. The caller has checked that there is none with this secret.
    ///
    /// - Parameters:
    ///   - bike: the key of the bike whose owner gets it; nil if there is none.
    ///   - target: the subject for counting conversations.
    /// - Throws: `message(.tooManyConversations)`, `overloaded`.
    func add(_ new: Beginning, to bike: Int64?, about target: SecretDigest) throws {
        // A blocked finder's message reaches no owner, and the finder does not notice.
        let isBlocked = try FinderBlocks(db).contains(new.network.subscriber, about: bike, at: new.time)
        let reached = isBlocked ? nil : bike
        let bounds = ConversationBounds(db)
        try bounds.makeRoom()
        let key = try db.insert(
            """
            INSERT INTO conversation (id, digest, bike, target, origin, subscriber, area, writer, began, changed,
                untold, waiting)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, ?8, ?8, ?9, ?9)
            """,
            [
                new.id.blob, new.secret.blob, reached, target.blob, new.origin.rawValue, new.network.subscriber,
                new.network.area, new.time.milliseconds, reached == nil ? nil : 1,
            ]
        )
        try Conversations(db).append(new.text, from: .finder, to: key, at: new.time)
        try bounds.thinOut(about: target)
        // If this conversation was the one to be deleted, the finder must not read that the message was sent.
        guard try db.exists("SELECT 1 FROM conversation WHERE key = ?", [key]) else {
            throw DomainError.message(.tooManyConversations)
        }
        if let reached { try bounds.thinOut(accountOfBike: reached, except: key) }
    }

    /// Whether the form was sent twice, so that there is nothing to do; nil if no conversation has the secret.
    func isRepeated(_ secret: SecretDigest, about target: SecretDigest, _ text: String) throws -> Bool? {
        guard let earlier = try Conversations(db).row(secret) else { return nil }
        let sql = "SELECT text FROM conversation_message WHERE conversation = ? ORDER BY key LIMIT 1"
        let first: String? = try db.row(sql, [try earlier["key"] as Int64]).map { try $0["text"] }
        return try earlier["target"] as Data == target.blob && first == text
    }

    /// The conversation with a secret, as its finder reads it; nil if there is none.
    package func find(_ secret: SecretDigest) throws -> Conversation? {
        try Conversations(db).row(secret).map { try Conversations(db).full($0, for: .finder) }
    }

    /// Adds a message of the finder. If the owner has blocked the finder’s network today, the conversation ends
    /// instead.
    ///
    /// - Parameter network: the number of the finder’s network today.
    /// - Throws: `notFound`, `message`.
    package func write(_ text: String, in secret: SecretDigest, from network: Int64, at time: Timestamp) throws {
        let (row, conversation) = try existing(secret)
        let key: Int64 = try row["key"]
        if let last = conversation.messages.last, last.from == .finder, last.text == text {
            let isFormSentTwice = last.time <= time && time <= last.time.advanced(by: Self.repetition)
            if isFormSentTwice { return }
        }
        if let refusal = conversation.refusal(of: .finder, at: time) { throw DomainError.message(refusal) }
        let bike: Int64? = try row["bike"]
        guard try !FinderBlocks(db).contains(network, about: bike, at: time) else {
            // The owner has blocked this network today, without knowing that this finder is in it.
            return try Conversations(db).close(key, by: .owner, at: time)
        }
        try Conversations(db).append(text, from: .finder, to: key, at: time)
        try db.run("UPDATE conversation SET writer = ? WHERE key = ?", [network, key])
        if bike != nil { try db.run("UPDATE conversation SET untold = 1, waiting = 1 WHERE key = ?", [key]) }
    }

    /// The time within which the same message counts as sent twice.
    private static let repetition = Duration.seconds(600)

    /// Ends a conversation for its finder, who may also report it.
    ///
    /// - Throws: `notFound`, `message(.tooManyReports)`.
    package func end(_ secret: SecretDigest, isReported: Bool, at time: Timestamp) throws {
        let (row, conversation) = try existing(secret)
        let isReported = try isReported && canReport(conversation, row)
        try Conversations(db).close(try row["key"], by: .finder, at: time)
        guard isReported else { return }
        guard try ConversationReports(db).add(try row["key"], by: .finder, reason: nil, at: time) else { return }
        // The entry names no owner, because owners read the entries about their own data.
        let details = ["conversation": "\(conversation.id)", "by": ConversationSide.finder.rawValue]
        try AuditTrail(db).append(AuditEvent(.conversationReported, by: nil, at: time, details: details))
    }

    /// A finder can report what the owner has written. A buyer can also report that a bike has the number of somebody
    /// else's bike, since its owner would not answer. Such reports are few for each bike, so that they cannot fill the
    /// operator's list, and one from each wider network, so that a slanderer does not use up the reports of those who
    /// are harmed.
    ///
    /// - Throws: `message(.tooManyReports)`.
    private func canReport(_ conversation: Conversation, _ row: StoredRow) throws -> Bool {
        if conversation.messages.contains(where: { $0.from == .owner }) { return true }
        guard conversation.origin == .number, row.hasNonNull("bike") else { return false }
        guard !row.hasNonNull("reported_by_finder") else { return true }
        let bike: Int64 = try row["bike"]
        let areas = try db.rows(Self.reportingAreas, [bike, ConversationOrigin.number.rawValue])
            .map { try $0["area"] as Int64 }
        guard areas.count < NumberCheckRules.mostReported, !areas.contains(try row["area"] as Int64) else {
            throw DomainError.message(.tooManyReports)
        }
        return true
    }

    /// The wider networks from which conversations about a bike's number were reported that are not settled yet.
    static let reportingAreas = """
        SELECT area FROM conversation
        WHERE bike = ? AND origin = ? AND reported_by_finder IS NOT NULL AND reported IS NOT NULL AND settled IS NULL
        """

    /// The conversation with a secret, and its row.
    ///
    /// - Throws: `notFound`.
    private func existing(_ secret: SecretDigest) throws -> (StoredRow, Conversation) {
        guard let row = try Conversations(db).row(secret) else { throw DomainError.notFound("conversation") }
        return (row, try Conversations(db).full(row, for: .finder))
    }

    /// The key of the bike that a finder named; nil if there is none. A bike whose beacon is not proved is found only
    /// by its sticker: the beacon may be somebody else’s.
    private func bike(of found: FoundBike) throws -> Int64? {
        switch found {
        case .sticker(let code): try db.integer("SELECT bike FROM sticker WHERE digest = ?", [code.blob])
        case .beacon(let identity):
            try db.integer(
                """
                SELECT key FROM bike
                WHERE beacon = ? AND NOT EXISTS (SELECT 1 FROM beacon_claim WHERE beacon_claim.bike = bike.key)
                """, [try RotatingBeacons(db).name(of: identity)])
        }
    }

    /// The subject for counting conversations: the code or the beacon that the finder named, so that limits do not show
    /// that both belong to the same bike.
    private static func target(of found: FoundBike) -> SecretDigest {
        switch found {
        case .sticker(let code): code
        case .beacon(let identity): SecretDigest(of: identity.blob)
        }
    }
}
