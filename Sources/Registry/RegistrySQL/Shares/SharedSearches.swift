import Foundation
package import RegistryAPI
package import RegistryRules

/// Searches as anyone who has a link reads them. Nothing else accepts the secret of a share.
package struct SharedSearches {
    let db: any Transaction
    private let row: StoredRow
    private let owner: OwnerID
    private let bike: BikeID
    private let report: ReportID

    /// A share, by its secret, with its report, bike and owner.
    private static let query = """
        SELECT share.id, share.ends, report.id AS report_id, missing_since, closed, outcome, bike.key AS bike_key,
            bike.id AS bike_id, kind, make, model, colours, owner.id AS owner_id, owner.suspended
        FROM share JOIN report ON report.key = share.report JOIN bike ON bike.key = report.bike
        JOIN owner ON owner.key = bike.owner
        WHERE share.digest = ?
        """

    /// Finds the share with a secret.
    ///
    /// - Throws: `shareUnknown`, `shareEnded`.
    package init(_ db: any Transaction, _ secret: SecretDigest, at time: Timestamp) throws {
        guard let row = try db.row(Self.query, [secret.blob]) else { throw DomainError.shareUnknown }
        // Shares of a suspended owner show nothing.
        guard try time < row.timestamp("ends"), !row.hasNonNull("suspended") else { throw DomainError.shareEnded }
        self.db = db
        self.row = row
        owner = try row.id("owner_id")
        bike = try row.id("bike_id")
        report = try row.id("report_id")
    }

    /// What the share shows, also after the search is over.
    package func open() throws -> OpenedShare {
        let closed = try row.optionalTimestamp("closed")
        let photos = closed == nil ? try PhotoRows(db).photos(of: try row["bike_key"]) : []
        let search = SharedSearch(
            bike: BikeAppearance(
                kind: try row.choice("kind"), make: try row["make"], model: try row["model"],
                colours: try row.colours()),
            photos: photos.map(SharedPhoto.init), missingSince: try row.timestamp("missing_since"),
            ends: try row.timestamp("ends"), closed: closed, outcome: closed == nil ? nil : try row.choice("outcome"))
        return OpenedShare(id: try row.id("id"), report: report, owner: owner, search: search)
    }

    /// The sightings of the search in the order in which they were stored.
    ///
    /// - Throws: `searchOver`.
    package func sightings(_ page: PageRequest<Int64>) throws -> StoredPage<Sighting, Int64> {
        try Sightings(db).page(of: try running(), page)
    }

    /// The sightings in the order of their latest change, after a revision (``Sightings/changes(of:after:limit:)``).
    ///
    /// - Throws: `searchOver`.
    package func changes(after revision: Int64, limit: Int) throws -> [SightingChange] {
        try Sightings(db).changes(of: try running(), after: revision, limit: limit)
    }

    /// A photo of the bike.
    ///
    /// - Throws: `searchOver`, `notFound`.
    package func photo(_ id: PhotoID) throws -> StoredPhoto {
        _ = try running()
        return try PhotoRows(db).find(id, of: bike, owner: owner)
    }

    /// Begins a conversation with the owner, or finds the one that began with the same message, which may be sent
    /// twice. Conversations are counted by link, so a link that has become widely known does not circumvent other
    /// limits.
    ///
    /// - Returns: false if another conversation has the secret.
    /// - Throws: `searchOver`, `message(.tooManyConversations)`.
    package func beginConversation(_ new: NewSharedConversation) throws -> Bool {
        _ = try running()
        let conversations = FinderConversations(db)
        if let isRepeated = try conversations.isRepeated(new.secret, about: new.share, new.text) { return isRepeated }
        try conversations.refuseTooMany(about: new.share, from: new.network, at: new.time)
        try conversations.add(
            FinderConversations.Beginning(
                id: new.id, secret: new.secret, origin: .share, network: new.network, text: new.text, time: new.time),
            to: try row["bike_key"], about: new.share)
        return true
    }

    /// The report, unless it is closed: after that, the place of the bike must not be shown.
    ///
    /// - Throws: `searchOver`.
    private func running() throws -> ReportPath {
        guard !row.hasNonNull("closed") else { throw DomainError.searchOver }
        return ReportPath(report, on: bike, of: owner)
    }
}
