import Foundation
package import Registry
package import RegistryAPI

/// Conversations as owners and operators read and end them.
package struct OwnerConversations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func page(
        of bike: BikeID, by caller: OwnerID, _ page: PageRequest<Int64>
    ) throws -> StoredPage<Conversation, Int64> {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .report)
        let sql = "SELECT key, origin, area, answered, closed, changed FROM conversation WHERE bike = ?"
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

    package func find(_ id: ConversationID, of bike: BikeID, by caller: OwnerID) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .report)
        return try Conversations(db).full(try Conversations(db).row(id, of: access.key))
    }

    package func answer(
        _ text: String, in id: ConversationID, of bike: BikeID, by act: OwnerAct, once: IdempotencyKey?
    ) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let row = try Conversations(db).row(id, of: access.key)
        guard try IdempotencyKeys(db).resource(of: once) == nil else { return try Conversations(db).full(row) }
        try Owners(db).refuseSuspended(access)
        if let refusal = try Conversations(db).full(row).refusal(of: .owner, at: act.time) {
            throw DomainError.message(refusal)
        }
        let key: Int64 = try row["key"]
        if try !(row["answered"] as Bool) { try requireRoom(on: access.key) }
        try Conversations(db).append(text, from: .owner, to: key, at: act.time)
        try db.run("UPDATE conversation SET answered = 1, untold = NULL WHERE key = ?", [key])
        try record(.conversationAnswered, id, access, by: act)
        try IdempotencyKeys(db).remember(once, resource: id.blob)
        return try find(id, of: bike, by: act.owner)
    }

    private func requireRoom(on bike: Int64) throws {
        let sql = "SELECT count(*) FROM conversation WHERE bike = ? AND answered = 1 AND closed IS NULL"
        guard try db.integer(sql, [bike]) ?? 0 < MessageRules.mostAnswered else {
            throw DomainError.message(.tooManyAnswered)
        }
    }

    package func close(
        _ id: ConversationID, of bike: BikeID, _ closure: ConversationClosure, by act: OwnerAct
    ) throws -> Conversation {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .report)
        let row = try Conversations(db).row(id, of: access.key)
        let key: Int64 = try row["key"]
        if !row.hasNonNull("closed") {
            try Conversations(db).close(key, by: .owner, at: act.time)
            let bike = try Bikes(db).existing(access.key)
            if bike.openReport != nil { try Notices(db).tell(.endConversation, access, bike: bike.summary, by: act) }
            try record(.conversationEnded, id, access, by: act)
        }
        if closure.blocked { try db.run("UPDATE conversation SET blocked = 1 WHERE key = ?", [key]) }
        if let reason = closure.report, !row.hasNonNull("reported") {
            try Conversations(db).report(key, by: .owner, reason: reason, at: act.time)
            try record(.conversationReported, id, access, by: act)
        }
        return try find(id, of: access.bike, by: act.owner)
    }

    package func reported(
        _ page: PageRequest<ConversationID>
    ) throws -> StoredPage<ReportedConversation, ConversationID> {
        let after = page.after ?? ConversationID(high: 0, low: 0)
        let sql = """
            SELECT conversation.*, bike.id AS bike_id, owner.id AS owner_id FROM conversation
            JOIN bike ON bike.key = conversation.bike JOIN owner ON owner.key = bike.owner
            WHERE reported IS NOT NULL AND settled IS NULL AND conversation.id > ? ORDER BY conversation.id LIMIT ?
            """
        return try db.rows(sql, [after.blob, page.limit + 1])
            .map { row in
                ReportedConversation(
                    conversation: try Conversations(db).full(row), bike: try row.id("bike_id"),
                    owner: try row.id("owner_id"), reportedBy: try row.choice("reported_by"),
                    reason: try row["report_reason"])
            }
            .page(limit: page.limit, cursor: \.conversation.id)
    }

    package func settle(_ id: ConversationID, by act: OperatorAct) throws {
        let sql = """
            SELECT conversation.key, bike.id AS bike_id, owner.id AS owner_id FROM conversation
            JOIN bike ON bike.key = conversation.bike JOIN owner ON owner.key = bike.owner
            WHERE conversation.id = ? AND reported IS NOT NULL AND settled IS NULL
            """
        guard let row = try db.row(sql, [id.blob]) else { throw DomainError.notFound("conversation") }
        try db.run(
            "UPDATE conversation SET settled = ? WHERE key = ?", [act.time.milliseconds, try row["key"] as Int64])
        var event = act.event(.conversationSettled, owner: try row.id("owner_id"), bike: try row.id("bike_id"))
        event.details["conversation"] = "\(id)"
        try AuditTrail(db).append(event)
    }

    private func record(
        _ action: AuditAction, _ id: ConversationID, _ access: BikeAccess, by act: OwnerAct
    ) throws {
        try AuditTrail(db).append(access.event(action, by: act, details: ["conversation": "\(id)"]))
    }
}

extension ConversationRank {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            key: try row["key"], origin: try row.choice("origin"), area: try row["area"],
            isAnswered: try row["answered"], isClosed: row.hasNonNull("closed"), changed: try row.timestamp("changed"))
    }
}
