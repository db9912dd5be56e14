package import Evidence
import Foundation
import Glibc
package import RegistryAPI
import RegistryRules

/// The audit: entries in a chain of salted commitments.
package struct AuditTrail {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Appends an entry to the audit, in the transaction of the change that it records.
    func append(_ event: AuditEvent) throws { try append([event]) }

    /// Appends entries in their order.
    ///
    /// The chain's end is read each time, because the transaction or a savepoint in it may still be rolled back.
    func append(_ events: [AuditEvent]) throws {
        guard !events.isEmpty else { return }
        try append(events, after: try end())
    }

    /// Appends entries whose indices are already assigned.
    func append(_ entries: PendingEntries) throws {
        guard !entries.events.isEmpty else { return }
        try append(entries.events, after: entries.end)
    }

    /// Appends entries after the chain’s end. Each entry’s hash covers the one before it and a shortcut to an earlier
    /// one.
    private func append(_ events: [AuditEvent], after end: (length: Int64, hash: HashValue)) throws {
        let indices = end.length + 1...end.length + Int64(events.count)
        let earlier = try chainHashes(indices.map(AuditChain.shortcut).filter { $0 < end.length })
        // The previous end, followed by the hashes of the new entries.
        var hashes = [end.hash]
        var rows: Parameters = []
        rows.reserve(rows: events.count, columns: Self.columns.count, bytes: 384)
        for (index, (event, salt)) in zip(indices, zip(events, Self.newSalts(events.count))) {
            let shortcut = AuditChain.shortcut(from: index)
            let linked = shortcut < end.length ? earlier[shortcut] : hashes[Int(shortcut - end.length)]
            guard let linked else { throw ChainWalk.Fault.missing(index: shortcut) }
            let event = event.wire
            let (content, details) = event.canonicalParts
            let commitment = AuditChain.commitment(to: content, salt: salt)
            let chain = AuditChain.hash(
                index: index, previous: hashes[hashes.count - 1], shortcut: linked, commitment: commitment)
            rows.append(
                index, event.time.milliseconds, event.action, event.principal, event.owner, event.bike, event.report,
                event.station, event.details.isEmpty ? nil : details, salt, commitment, chain
            )
            hashes.append(chain)
        }
        try db.run(Self.insertion, rows)
    }

    private static let insertion = SetStatement(
        given: columns, "INSERT INTO audit (\(columns.map(\.name).joined(separator: ", "))) SELECT * FROM given")

    private static let columns: SetStatement.Columns = [
        ("key", .integer), ("time", .integer), ("action", .text), ("principal", .text), ("owner", .blob),
        ("bike", .blob), ("report", .blob), ("station", .blob), ("details", .blob), ("salt", .blob),
        ("commitment", .blob), ("chain", .blob),
    ]

    /// Erases actor, action and time from all entries that name this owner, or, if a bike is given, only from those
    /// that also name this bike. The commitments stay, and the chain still verifies; a new entry without names lists
    /// the erased entries (``ErasureProof``).
    func erase(ofOwner owner: OwnerID, bike: BikeID? = nil, at time: Timestamp) throws {
        guard let bike else { return try erase("owner = ?1", [owner.blob], at: time) }
        try erase("owner = ?1 AND bike = ?2", [owner.blob, bike.blob], at: time)
    }

    /// Erases the entries about this owner's sightings that have been deleted together with the other sightings of
    /// their reports.
    ///
    /// An entry that does not match its commitment stays, so that `audit verify` finds it: otherwise anyone who can
    /// change the database could make any entry look like one about a deleted sighting, and the registry would then
    /// empty it.
    package func eraseDeletedSightings(ofOwner owner: OwnerID, at time: Timestamp) throws {
        let sql = """
            SELECT * FROM audit WHERE owner = ?1 AND action IN (?2, ?3)
                AND EXISTS (SELECT 1 FROM report WHERE report.id = audit.report AND sightings_deleted IS NOT NULL)
            ORDER BY key
            """
        let actions = [AuditAction.sightingStored, .sightingChanged].map(\.rawValue)
        var proof = ErasureProof()
        var rows: Parameters = []
        let erasure = try nextIndex()
        try db.eachRow(sql, [owner.blob, actions[0], actions[1]]) { row in
            let (entry, commitment) = (try AuditEntry(row), try row.hash("commitment"))
            guard entry.computedCommitment == commitment else { return }
            proof.add(index: entry.index, commitment: commitment)
            rows.append(entry.index, erasure)
        }
        guard proof.count > 0 else { return }
        try db.run(Self.emptying, rows)
        let details = proof.details.merging([Self.cause: Self.retention]) { $1 }
        try append(AuditEvent(.entriesErased, by: nil, at: time, details: details))
    }

    /// Empties entries, and names the entry that lists them.
    private static let emptying = SetStatement(
        given: [("key", .integer), ("erasure", .integer)],
        """
        UPDATE audit SET \(emptied), erasure = (SELECT max(given.erasure) FROM given)
        WHERE key IN (SELECT given.key FROM given)
        """)

    /// Removes everything but the commitment and the chain’s hash.
    private static let emptied = """
        time = NULL, action = NULL, principal = NULL, owner = NULL, bike = NULL, report = NULL, station = NULL,
        details = NULL, salt = NULL
        """

    /// Empties the entries that meet a condition, and appends the entry that lists them.
    private func erase(_ condition: String, _ arguments: Parameters, at time: Timestamp) throws {
        var keys: [Int64] = []
        let proof = try erasureProof("WHERE \(condition)", arguments) { keys.append($0) }
        guard proof.count > 0 else { return }
        let count = arguments.values.count
        let sql = """
            UPDATE audit SET \(Self.emptied), erasure = ?\(count + 1)
            WHERE \(condition) AND key BETWEEN ?\(count + 2) AND ?\(count + 3)
            """
        let erasure = try nextIndex()
        // In parts, since a statement has a deadline.
        for start in stride(from: 0, to: keys.count, by: Self.part) {
            let end = min(start + Self.part, keys.count) - 1
            try db.run(sql, [arguments, erasure, keys[start], keys[end]])
        }
        try append(AuditEvent(.entriesErased, by: nil, at: time, details: proof.details))
    }

    /// The number of entries that one statement empties.
    private static let part = 5000

    /// What an erasure of entries commits to: their indices and commitments.
    ///
    /// - Parameters:
    ///   - condition: the rest of the statement, which begins with `WHERE`.
    ///   - visit: gets the index of each entry.
    func erasureProof(
        _ condition: String, _ arguments: Parameters, _ visit: (Int64) -> Void = { _ in }
    ) throws -> ErasureProof {
        var proof = ErasureProof()
        try db.eachColumns("SELECT key, commitment FROM audit \(condition) ORDER BY key", arguments) { columns in
            let index = columns.integer()
            proof.add(index: index, commitment: try columns.hash())
            visit(index)
        }
        return proof
    }

    /// The detail of an erasure that was not requested, and its value.
    static let cause = "cause"
    static let retention = "retention"

    /// The index of the next entry.
    func nextIndex() throws -> Int64 { try end().length + 1 }

    /// The index and the chain’s hash of the last entry; 0 and zero if there is none.
    package func end() throws -> (length: Int64, hash: HashValue) {
        let sql = "SELECT key, chain FROM audit ORDER BY key DESC LIMIT 1"
        return try db.firstColumns(sql, []) { ($0.integer(), try $0.hash()) } ?? (0, .zero)
    }

    /// The number of entries ever appended. The database counts them apart from the table, so that missing last rows
    /// are detected.
    func length() throws -> Int64 { try db.integer(db.dialect.lastKey(of: .audit), []) ?? 0 }

    /// The chain hash of an entry that must exist; 0 precedes the first entry.
    func chainHash(_ index: Int64) throws -> HashValue {
        guard index > 0 else { return .zero }
        let hash = try db.firstColumns("SELECT chain FROM audit WHERE key = ?", [index]) { try $0.hash() }
        guard let hash else { throw ChainWalk.Fault.missing(index: index) }
        return hash
    }

    /// The chain hashes of earlier entries; 0 precedes the first entry.
    private func chainHashes(_ indices: [Int64]) throws -> [Int64: HashValue] {
        var hashes: [Int64: HashValue] = [0: .zero]
        try db.eachColumns(Self.chains, Parameters(Set(indices).subtracting([0]).map { $0 })) { columns in
            hashes[columns.integer()] = try columns.hash()
        }
        return hashes
    }

    private static let chains = SetStatement(
        given: [("key", .integer)], "SELECT audit.key, chain FROM given CROSS JOIN audit WHERE audit.key = given.key")

    /// New salts, from the system's random numbers in one call. They need not be reproducible in tests.
    static func newSalts(_ count: Int) -> [[UInt8]] {
        let length = AuditChain.saltLength
        return withUnsafeTemporaryAllocation(byteCount: count * length, alignment: 1) { bytes in
            if let start = bytes.baseAddress { arc4random_buf(start, bytes.count) }
            return (0..<count).map { Array(bytes[$0 * length..<($0 + 1) * length]) }
        }
    }
}

/// Entries that are appended together at the end of a change. No other entries may be appended in between: theirs would
/// have the same indices, which the database refuses.
struct PendingEntries {
    /// The chain's end, after which they are appended.
    let end: (length: Int64, hash: HashValue)
    private(set) var events: [AuditEvent] = []

    /// Adds an entry and returns its index.
    mutating func append(_ event: AuditEvent) -> Int64 {
        events.append(event)
        return end.length + Int64(events.count)
    }
}

extension AuditEntry {
    /// Reads a row of `audit`.
    init(_ row: StoredRow) throws {
        let salt: Data? = try row["salt"]
        self.init(
            index: try row["key"], event: try Event(row), salt: salt.map { Hexadecimal.text($0) },
            commitment: try row.hash("commitment").description, chain: try row.hash("chain").description,
            erasedBy: try row["erasure"]
        )
    }
}

extension AuditEntry.Event {
    /// An entry from a row; nil if it was erased.
    fileprivate init?(_ row: StoredRow) throws {
        guard let action: String = try row["action"], let time = try row.optionalTimestamp("time") else { return nil }
        let details: Data? = try row["details"]
        self.init(
            action: action, time: time, principal: try row["principal"], owner: try row.optionalID("owner"),
            bike: try row.optionalID("bike"), report: try row.optionalID("report"),
            station: try row.optionalID("station"),
            details: try details.map { try JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        )
    }
}

extension ColumnReader {
    fileprivate mutating func hash() throws -> HashValue {
        guard let hash = HashValue(bytes: blob()) else { throw CorruptRow(column: "chain") }
        return hash
    }
}

extension StoredRow {
    /// The 32 bytes of a hash.
    func hash(_ column: String) throws -> HashValue {
        guard let hash = HashValue(bytes: try self[column] as Data) else { throw CorruptRow(column: column) }
        return hash
    }

    fileprivate func optionalID<Resource>(_ column: String) throws -> ResourceID<Resource>? {
        (try self[column] as Data?) == nil ? nil : try id(column)
    }
}
