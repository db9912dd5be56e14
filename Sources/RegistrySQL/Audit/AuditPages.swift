import Evidence
package import Registry
package import RegistryAPI

/// Pages of the audit.
package struct AuditPages {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// - Parameter window: the number of entries to scan for one page if no index helps.
    package func page(
        _ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64
    ) throws -> StoredPage<AuditEntry, Int64> {
        var filter = filter
        // Entries about a report name its owner, and the index is by owner.
        if filter.owner == nil, let report = filter.report { filter.owner = try owner(ofReport: report) }
        let query = AuditQuery(filter, page, window: window)
        let entries = try db.rows(query.sql, query.arguments).map(AuditEntry.init)
        if entries.count > page.limit { return entries.page(limit: page.limit, cursor: \.index) }
        let end = try AuditTrail(db).end().length
        return StoredPage(items: entries, next: query.last.flatMap { $0 < end ? $0 : nil })
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
    /// The last entry to scan; nil if an index finds all entries.
    let last: Int64?

    init(_ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64) {
        let after = page.after ?? 0
        last = filter.owner == nil ? Int64(clamping: Int128(after) + Int128(window)) : nil
        let conditions: [(String, (any Bindable)?)] = [
            ("key > ?", after), ("key <= ?", last), ("owner = ?", filter.owner?.blob), ("bike = ?", filter.bike?.blob),
            ("report = ?", filter.report?.blob), ("station = ?", filter.station?.blob), ("action = ?", filter.action),
            ("time >= ?", filter.since?.milliseconds), ("time < ?", filter.until?.milliseconds),
        ]
        let used = conditions.compactMap { condition, value in value.map { (condition, $0) } }
        sql = "SELECT * FROM audit WHERE \(used.map(\.0).joined(separator: " AND ")) ORDER BY key LIMIT ?"
        arguments = Parameters(used.map(\.1) + [page.limit + 1])
    }
}
