import Foundation
package import RegistryAPI
package import RegistryRules

/// Conversations as owners and operators read and end them.
package struct OwnerConversations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// A bike’s conversations with their latest messages, in the order of ``ConversationRank``. The cursor is a
    /// position in this order.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func page(
        of bike: BikeID, by caller: OwnerID, _ page: PageRequest<Int64>
    ) throws -> StoredPage<Conversation, Int64> {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .report)
        let sql = "SELECT key, origin, subscriber, area, answered, closed, changed FROM conversation WHERE bike = ?"
        let ordered = try db.rows(sql, [access.key]).map(ConversationRank.init).ordered
        let first = Int(clamping: page.after ?? 0)
        let shown = try ordered.dropFirst(first).prefix(page.limit).map { rank in
            guard let row = try db.row("SELECT * FROM conversation WHERE key = ?", [rank.key]) else {
                throw CorruptRow(column: "key")
            }
            return try Conversations(db).brief(row)
        }
        let end = first + shown.count
        return StoredPage(items: shown, next: !shown.isEmpty && end < ordered.count ? Int64(end) : nil)
    }

    /// A conversation with all messages.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func find(_ id: ConversationID, of bike: BikeID, by caller: OwnerID) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .report)
        return try Conversations(db).full(try Conversations(db).row(id, of: access.key), for: .owner)
    }

    /// Adds a message of the owner. A repeated call adds nothing.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message`, `ownerSuspended`, `tooManyToday`, `idempotencyKeyReused`.
    package func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by act: OwnerAct, once: IdempotencyKey?,
        _ quotas: Quotas
    ) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let row = try Conversations(db).row(id, of: access.key)
        guard try IdempotencyKeys(db).resource(of: once) == nil else {
            return try Conversations(db).full(row, for: .owner)
        }
        try Owners(db).refuseSuspended(access)
        if let refusal = try Conversations(db).full(row, for: .owner).refusal(of: .owner, at: act.time) {
            throw DomainError.message(refusal)
        }
        let key: Int64 = try row["key"]
        if try !(row["answered"] as Bool) { try requireRoom(on: access) }
        try OwnerLimits(db).noteUse(.messages, by: access.caller, quotas, at: act.time)
        try Conversations(db).append(text, from: .owner, to: key, at: act.time)
        try db.run("UPDATE conversation SET answered = 1, untold = NULL, waiting = NULL WHERE key = ?", [key])
        try record(.conversationAnswered, id, access, by: act)
        try IdempotencyKeys(db).remember(once, resource: id.blob)
        return try find(id, of: bike, by: act.owner)
    }

    /// Refuses a first answer if the bike, or its owner’s account, has too many answered conversations.
    ///
    /// - Throws: `message(.tooManyAnswered)`.
    private func requireRoom(on bike: BikeAccess) throws {
        let sql = "SELECT count(*) FROM conversation WHERE bike = ? AND answered = 1 AND closed IS NULL"
        let ofAccount = "\(ConversationBounds.ofAccount) AND answered = 1 AND closed IS NULL LIMIT ?"
        guard try db.integer(sql, [bike.key]) ?? 0 < MessageRules.mostAnswered,
            try db.rows(ofAccount, [bike.owner, MessageRules.mostAnsweredOfAccount]).count
                < MessageRules.mostAnsweredOfAccount
        else { throw DomainError.message(.tooManyAnswered) }
    }

    /// Ends a conversation, and blocks or reports its finder, even after it has ended. A block also ends the other
    /// open conversations from the same network.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `message(.tooManyReports)`.
    package func close(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure, by act: OwnerAct
    ) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let row = try Conversations(db).row(id, of: access.key)
        let (key, network): (Int64, Int64) = (try row["key"], try row["writer"])
        var ended: [(key: Int64, id: ConversationID)] = row.hasNonNull("closed") ? [] : [(key, id)]
        let wasBlocked: Bool = try row["blocked"]
        if closure.blocked {
            try db.run("UPDATE conversation SET blocked = 1 WHERE key = ?", [key])
            try FinderBlocks(db).add(network, about: access.key, at: act.time)
            // The number was made today or belongs to no other network, so these conversations are from the same
            // network.
            let sql = """
                SELECT key, id FROM conversation WHERE bike = ? AND writer = ? AND closed IS NULL AND key <> ?
                """
            for row in try db.rows(sql, [access.key, network, key]) { ended.append((try row["key"], try row.id("id"))) }
        }
        for item in ended {
            try Conversations(db).close(item.key, by: .owner, at: act.time)
            try record(.conversationEnded, item.id, access, by: act)
        }
        // Even if the finder had ended it: from now on, messages from the same network are blocked.
        let isBlocking = closure.blocked && !wasBlocked
        if isBlocking { try record(.finderBlocked, id, access, by: act) }
        if !ended.isEmpty || isBlocking {
            let bike = try Bikes(db).existing(access.key)
            if bike.openReport != nil { try Notices(db).tell(.endConversation, access, bike: bike.summary, by: act) }
        }
        if let reason = closure.report,
            try ConversationReports(db).add(key, by: .owner, reason: reason, at: act.time)
        {
            try record(.conversationReported, id, access, by: act)
        }
        return try find(id, of: access.bike, by: act.owner)
    }

    /// Adds an act about a conversation to the audit.
    private func record(
        _ action: AuditAction, _ id: ConversationID, _ access: BikeAccess, by act: OwnerAct
    ) throws {
        try AuditTrail(db).append(access.event(action, by: act, details: ["conversation": "\(id)"]))
    }
}

extension ConversationRank {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            key: try row["key"], origin: try row.choice("origin"), subscriber: try row["subscriber"],
            area: try row["area"], isAnswered: try row["answered"], isClosed: row.hasNonNull("closed"),
            changed: try row.timestamp("changed"))
    }
}
