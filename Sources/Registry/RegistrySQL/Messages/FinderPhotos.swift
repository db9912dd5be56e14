import Foundation
package import RegistryAPI
package import RegistryRules

/// Photos that finders add to their conversations. The outcome must not depend on whether the bike exists.
///
/// Anyone can be a finder, so the number of photos is limited: for each conversation, for each network in a day, and in
/// the registry.
package struct FinderPhotos {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Refuses a photo before its file is converted.
    ///
    /// - Returns: the conversation's row.
    /// - Throws: `notFound`, `message`.
    @discardableResult
    package func refuseTooMany(
        in secret: SecretDigest, from network: FinderNetwork, at time: Timestamp
    ) throws -> StoredRow {
        guard let row = try Conversations(db).row(secret) else { throw DomainError.notFound("conversation") }
        guard !row.hasNonNull("closed") else { throw DomainError.message(.ended) }
        let day = time.advanced(by: .days(-1)).milliseconds
        let own = try db.integer(
            "SELECT count(*) FROM finder_photo WHERE conversation = ?", [try row["key"] as Int64])
        let today = try db.integer(
            "SELECT count(*) FROM finder_photo WHERE subscriber = ? AND created > ?", [network.subscriber, day])
        guard own ?? 0 < MessageRules.photos, today ?? 0 < MessageRules.photosPerNetwork else {
            throw DomainError.message(.tooManyPhotos)
        }
        return row
    }

    /// Adds a photo whose pictures are stored. If the owner has blocked the finder's network today, the conversation ends
    /// instead, as with a message.
    ///
    /// - Throws: `notFound`, `message`.
    package func add(
        _ photo: StoredPhoto, in secret: SecretDigest, from network: FinderNetwork, at time: Timestamp
    ) throws {
        let row = try refuseTooMany(in: secret, from: network, at: time)
        let key: Int64 = try row["key"]
        let bike: Int64? = try row["bike"]
        let details = photo.photo
        try db.run(
            """
            INSERT INTO finder_photo (id, conversation, name, width, height, bytes, created, subscriber, area)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                details.id.blob, key, photo.name.blob, Int64(details.width), Int64(details.height),
                Int64(details.bytes), time.milliseconds, network.subscriber, network.area,
            ]
        )
        try makeRoom()
        guard try db.exists("SELECT 1 FROM finder_photo WHERE id = ?", [details.id.blob]) else {
            throw DomainError.message(.tooManyPhotos)
        }
        if try FinderBlocks(db).contains(network.subscriber, about: bike, at: time) {
            try db.run("DELETE FROM finder_photo WHERE id = ?", [details.id.blob])
            return try Conversations(db).close(key, by: .owner, at: time)
        }
        try db.run(
            "UPDATE conversation SET changed = ?, writer = ? WHERE key = ?",
            [
                time.milliseconds, network.subscriber, key,
            ])
        guard bike != nil else { return }
        try db.run("UPDATE conversation SET untold = 1 WHERE key = ?", [key])
        db.news.finds = true
    }

    /// If the registry has too many photos, or too many bytes of them, the wider network that has the most loses its
    /// newest: so it displaces only its own.
    private func makeRoom() throws {
        let totals = """
            SELECT count(*) AS photos, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM finder_photo
            """
        while let row = try db.row(totals, []),
            try row["photos"] as Int64 > MessageRules.mostPhotos || row["bytes"] as Int64 > MessageRules.mostPhotoBytes
        {
            try db.run(
                """
                DELETE FROM finder_photo WHERE key = (
                    SELECT max(key) FROM finder_photo GROUP BY area ORDER BY count(*) DESC, max(key) DESC LIMIT 1
                )
                """, [])
        }
    }

    /// The photos of a conversation, in the order in which they were added; nil if there are none.
    func all(of conversation: Int64) throws -> [ConversationPhoto]? {
        let sql = "SELECT * FROM finder_photo WHERE conversation = ? ORDER BY key"
        let photos = try db.rows(sql, [conversation]).map { ConversationPhoto(try StoredPhoto($0).photo) }
        return photos.isEmpty ? nil : photos
    }

    /// A photo for its finder.
    ///
    /// - Throws: `notFound`.
    package func find(_ id: PhotoID, in secret: SecretDigest) throws -> StoredPhoto {
        try find(id, of: try Conversations(db).row(secret))
    }

    /// A photo for the owner, and members who read conversations.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func find(
        _ id: PhotoID, in conversation: ConversationID, of bike: BikeID, by caller: OwnerID
    ) throws -> StoredPhoto {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .report)
        return try find(id, of: try Conversations(db).row(conversation, of: access.key))
    }

    /// A photo for the operator, who reads only reported conversations.
    ///
    /// - Throws: `notFound`.
    package func findReported(_ id: PhotoID, in conversation: ConversationID) throws -> StoredPhoto {
        let sql = "SELECT * FROM conversation WHERE id = ? AND reported IS NOT NULL AND settled IS NULL"
        return try find(id, of: try db.row(sql, [conversation.blob]))
    }

    private func find(_ id: PhotoID, of conversation: StoredRow?) throws -> StoredPhoto {
        guard let key: Int64 = try conversation?["key"],
            let row = try db.row("SELECT * FROM finder_photo WHERE id = ? AND conversation = ?", [id.blob, key])
        else { throw DomainError.notFound("photo") }
        return try StoredPhoto(row)
    }
}
