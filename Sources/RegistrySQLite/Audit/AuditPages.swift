public import Evidence
import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await auditEntries(filter, page, window: 50_000)
    }

    /// - Parameter window: entries that are looked through for one page where no index helps.
    func auditEntries(
        _ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64
    ) async throws -> StoredPage<AuditEntry, Int64> {
        try await readAtLength { db in
            var filter = filter
            // What names a report names its owner, by whom entries are found.
            if filter.owner == nil, let report = filter.report { filter.owner = try db.owner(ofReport: report) }
            let query = AuditQuery(filter, page, window: window)
            let entries = try db.rows(query.sql, query.arguments).map(AuditEntry.init)
            if entries.count > page.limit { return entries.page(limit: page.limit, cursor: \.index) }
            let end = try db.auditEnd().length
            return StoredPage(items: entries, next: query.last.flatMap { $0 < end ? $0 : nil })
        }
    }

    public func auditEnd() async throws -> (length: Int64, hash: HashValue) {
        try await read { db in try db.auditEnd() }
    }
}

/// A page of the audit by a filter.
private struct AuditQuery {
    let sql: String
    let arguments: Parameters
    /// The last entry that is looked through; nil where an index finds all.
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

extension Database {
    /// Nil where there is no such report any more.
    fileprivate func owner(ofReport id: ReportID) throws -> OwnerID? {
        let sql = """
            SELECT owner.id FROM report JOIN bike ON bike.key = report.bike JOIN owner ON owner.key = bike.owner
            WHERE report.id = ?
            """
        return try row(sql, [id])?.id("id")
    }
}
