package import RegistryAPI
package import RegistryRules

/// Conversations that one side has reported to the operator.
package struct ConversationReports {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Reports a conversation, unless this side has reported it.
    ///
    /// - Parameters:
    ///   - key: the conversation’s key.
    ///   - reason: what the owner wrote about it; nil for none.
    /// - Returns: whether it is reported now and was not before.
    /// - Throws: `message(.tooManyReports)`.
    func add(_ key: Int64, by side: ConversationSide, reason: String?, at time: Timestamp) throws -> Bool {
        let column = "reported_by_\(side.rawValue)"
        let sql = """
            SELECT conversation.*, bike.id AS bike_id, owner.id AS owner_id FROM conversation
            JOIN bike ON bike.key = conversation.bike JOIN owner ON owner.key = bike.owner WHERE conversation.key = ?
            """
        // No row is found without a bike: either the bike was erased and the conversation kept for the operator, or the
        // conversation never had a reader.
        guard let row = try db.row(sql, [key]), !row.hasNonNull(column) else { return false }
        let (bike, owner): (BikeID, OwnerID) = (try row.id("bike_id"), try row.id("owner_id"))
        let count = try db.integer(
            """
            SELECT count(*) FROM conversation
            WHERE reported_owner = ? AND reported_by = ? AND reported IS NOT NULL AND settled IS NULL
            """, [owner.blob, side.rawValue])
        guard count ?? 0 < MessageRules.mostReports else { throw DomainError.message(.tooManyReports) }
        // If the operator has settled the other side's report, this one is new.
        try db.run(
            """
            UPDATE conversation SET \(column) = ?1, report_reason = coalesce(?3, report_reason),
                reported_by = CASE WHEN reported IS NULL OR settled IS NOT NULL THEN ?2 ELSE reported_by END,
                reported = coalesce(reported, ?1), settled = NULL, reported_bike = ?4, reported_owner = ?5
            WHERE key = ?6
            """,
            [time.milliseconds, side.rawValue, reason, bike.blob, owner.blob, key])
        return true
    }

    /// The reported conversations that are not settled, with all messages, the earliest first.
    package func page(
        _ page: PageRequest<ConversationID>
    ) throws -> StoredPage<ReportedConversation, ConversationID> {
        let after = page.after ?? ConversationID(high: 0, low: 0)
        let sql = """
            SELECT * FROM conversation WHERE reported IS NOT NULL AND settled IS NULL AND id > ? ORDER BY id LIMIT ?
            """
        return try db.rows(sql, [after.blob, page.limit + 1])
            .map { row in
                ReportedConversation(
                    conversation: try Conversations(db).full(row, for: nil), bike: try row.id("reported_bike"),
                    owner: try row.id("reported_owner"), reportedBy: try row.choice("reported_by"),
                    reason: try row["report_reason"])
            }
            .page(limit: page.limit, cursor: \.conversation.id)
    }

    /// Takes a conversation off the list. If its bike is gone, it was kept only for the operator, and is deleted.
    ///
    /// - Throws: `notFound`.
    package func settle(_ id: ConversationID, by act: OperatorAct) throws {
        let sql = "SELECT * FROM conversation WHERE id = ? AND reported IS NOT NULL AND settled IS NULL"
        guard let row = try db.row(sql, [id.blob]) else { throw DomainError.notFound("conversation") }
        let key: Int64 = try row["key"]
        var event = act.event(.conversationSettled)
        if row.hasNonNull("bike") {
            try db.run("UPDATE conversation SET settled = ? WHERE key = ?", [act.time.milliseconds, key])
            // Owners read the entries about their own data, and must not learn that a finder has reported them.
            if row.hasNonNull("reported_by_owner") {
                event.owner = try row.id("reported_owner")
                event.bike = try row.id("reported_bike")
            }
        } else {
            try db.run("DELETE FROM conversation WHERE key = ?", [key])
        }
        event.details["conversation"] = "\(id)"
        try AuditTrail(db).append(event)
    }
}
