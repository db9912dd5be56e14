public import Evidence
import GRDB
public import Registry
public import RegistryAPI

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
        try await read { db in
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

    public func verifyAudit(
        _ range: ClosedRange<Int64>?, against checkpoint: Checkpoint?
    ) async throws -> AuditVerification {
        try await readAtLength { db in try db.verifyAudit(range, against: checkpoint) }
    }

    /// Verifies the audit of a database that a registry may be serving meanwhile, without changing anything.
    ///
    /// - Throws: ``ChainWalk/Fault``, ``StoreOpenError``.
    public static func verifyAudit(
        inDatabaseAt path: String, _ range: ClosedRange<Int64>? = nil, against checkpoint: Checkpoint?
    ) throws -> AuditVerification {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            return try DatabaseQueue(path: path, configuration: configuration).read { db in
                try db.verifyAudit(range, against: checkpoint)
            }
        } catch let error as DatabaseError {
            throw StoreOpenError.unreadable(path: path, message: "\(error)")
        }
    }
}

/// A page of the audit by a filter.
private struct AuditQuery {
    let sql: String
    let arguments: StatementArguments
    /// The last entry that is looked through; nil where an index finds all.
    let last: Int64?

    init(_ filter: AuditFilter, _ page: PageRequest<Int64>, window: Int64) {
        let after = page.after ?? 0
        last = filter.owner == nil ? after + window : nil
        let conditions: [(String, (any Bindable)?)] = [
            ("key > ?", after), ("key <= ?", last), ("owner = ?", filter.owner?.blob), ("bike = ?", filter.bike?.blob),
            ("report = ?", filter.report?.blob), ("station = ?", filter.station?.blob), ("action = ?", filter.action),
            ("time >= ?", filter.since?.milliseconds), ("time < ?", filter.until?.milliseconds),
        ]
        let used = conditions.compactMap { condition, value in value.map { (condition, $0) } }
        sql = "SELECT * FROM audit WHERE \(used.map(\.0).joined(separator: " AND ")) ORDER BY key LIMIT ?"
        arguments = StatementArguments(used.map(\.1) + [page.limit + 1])
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

    fileprivate func verifyAudit(
        _ range: ClosedRange<Int64>?, against checkpoint: Checkpoint?
    ) throws -> AuditVerification {
        let length = try auditLength()
        let range = (range ?? 1...max(1, length)).clamped(to: 1...max(1, length))
        var walk = ChainWalk(after: range.lowerBound - 1, try chainHash(range.lowerBound - 1))
        try eachRow(
            "SELECT * FROM audit WHERE key BETWEEN ? AND ? ORDER BY key", [range.lowerBound, range.upperBound]
        ) { try walk.follow(try AuditEntry($0), hashes: chainHash) }
        guard walk.index >= min(range.upperBound, length) else {
            throw ChainWalk.Fault.truncated(after: walk.index, length: length)
        }
        if let checkpoint { try check(checkpoint, length: length) }
        return AuditVerification(
            entries: walk.index - range.lowerBound + 1, erased: Int64(walk.erased), length: length, end: walk.hash
        )
    }

    /// That the chain had this end when it was this long.
    private func check(_ checkpoint: Checkpoint, length: Int64) throws {
        guard checkpoint.length <= length else {
            throw ChainWalk.Fault.truncated(after: length, length: checkpoint.length)
        }
        guard try chainHash(checkpoint.length) == checkpoint.chain else {
            throw ChainWalk.Fault.contradictsCheckpoint(length: checkpoint.length)
        }
    }
}
