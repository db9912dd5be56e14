import Evidence
package import RegistryAPI
package import RegistryRules

/// Pages of the audit.
package struct AuditPages {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// A page of the entries that match a filter. It may hold fewer entries than its limit and still not be the last.
    ///
    /// - Parameter window: the number of entries to scan for one page if no index helps.
    package func page(
        _ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64
    ) throws -> StoredPage<AuditEntry, Int64> {
        var filter = filter
        // Entries about a report name its owner, and the index is by owner.
        if filter.owner == nil, let report = filter.report { filter.owner = try owner(ofReport: report) }
        let query = AuditQuery(filter, page, end: try AuditTrail(db).end().length, window: window)
        let entries = try db.rows(query.sql, query.arguments).map(AuditEntry.init)
        if entries.count > page.limit { return entries.page(limit: page.limit, cursor: \.index) }
        return StoredPage(items: entries, next: query.next)
    }

    /// The owner of a report; nil if the report no longer exists.
    private func owner(ofReport id: ReportID) throws -> OwnerID? {
        let sql = """
            SELECT owner.id FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            WHERE report.id = ?
            """
        return try db.row(sql, [id])?.id("id")
    }
}

/// A page of the audit by a filter.
private struct AuditQuery {
    let sql: String
    let arguments: Parameters
    /// The cursor behind the entries that are scanned; nil if no entries are left.
    let next: Int64?

    /// Chooses the entries to scan, and the conditions of the filter.
    ///
    /// - Parameters:
    ///   - end: the index of the last entry.
    ///   - window: the number of entries to scan if no index helps.
    init(_ filter: AuditFilter, _ page: PageRequest<Int64>, end: Int64, window: Int64) {
        // An index finds all entries about an owner; for others, a part of the audit is searched.
        let length = filter.owner == nil ? window : end
        let scanned: Range<Int64>
        switch filter.order {
        case .oldest:
            let after = min(max(page.after ?? 0, 0), end)
            scanned = after + 1..<min(after + length, end) + 1
            next = scanned.upperBound <= end ? scanned.upperBound - 1 : nil
        case .newest:
            let before = min(max(page.after ?? end + 1, 1), end + 1)
            scanned = max(1, before - length)..<before
            next = scanned.lowerBound > 1 ? scanned.lowerBound : nil
        }
        let conditions: [(String, (any Bindable)?)] = [
            ("key >= ?", scanned.lowerBound), ("key < ?", scanned.upperBound), ("owner = ?", filter.owner?.blob),
            ("bike = ?", filter.bike?.blob), ("report = ?", filter.report?.blob), ("station = ?", filter.station?.blob),
            ("action = ?", filter.action),
            ("time >= ?", filter.since?.milliseconds), ("time < ?", filter.until?.milliseconds),
        ]
        let given = conditions.compactMap { condition, value in value.map { (condition, $0) } }
        let direction = filter.order == .newest ? "DESC" : "ASC"
        sql = "SELECT * FROM audit WHERE \(given.map(\.0).joined(separator: " AND ")) ORDER BY key \(direction) LIMIT ?"
        arguments = Parameters(given.map(\.1) + [page.limit + 1])
    }
}
