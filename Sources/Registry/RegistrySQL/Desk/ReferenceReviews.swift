package import RegistryAPI
package import RegistryRules

/// Open reports with a police reference that no operator has confirmed.
package struct ReferenceReviews {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The condition that a report's reference waits.
    static let isWaiting = "closed IS NULL AND confirmed IS NULL AND police_reference IS NOT NULL"

    static let query = ReportReview.query + "WHERE \(isWaiting) AND report.id > ? ORDER BY report.id LIMIT ?"

    /// The reports whose references wait, in the order of their opening.
    package func page(_ page: PageRequest<ReportID>) throws -> StoredPage<ReferenceReview, ReportID> {
        let after = page.after ?? ReportID(high: 0, low: 0)
        return try db.rows(Self.query, [after.blob, page.limit + 1])
            .map { ReferenceReview(owner: try $0.id("owner_id"), report: try ReportReview($0)) }
            .page(limit: page.limit, cursor: \.report.id)
    }
}
