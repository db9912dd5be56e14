import Evidence
import Foundation
import GRDB
import Registry
import RegistryAPI

extension Database {
    /// Appends an entry to the audit, in the transaction of the change that it tells of.
    ///
    /// The chain's end is read, not remembered: the transaction or a savepoint in it may still be rolled back.
    func audit(_ event: AuditEvent) throws {
        let wire = event.wire
        let end = try auditEnd()
        let index = end.length + 1
        let salt = Self.newSalt()
        let commitment = AuditChain.commitment(to: wire.canonical, salt: salt)
        let chain = AuditChain.hash(
            index: index, previous: end.hash, shortcut: try chainHash(AuditChain.shortcut(from: index), end: end),
            commitment: commitment
        )
        try run(
            """
            INSERT INTO audit
                (key, time, action, principal, owner, bike, report, station, details, salt, commitment, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                index, wire.time.milliseconds, wire.action, wire.principal, wire.owner?.blob, wire.bike?.blob,
                wire.report?.blob, wire.station?.blob, wire.details.isEmpty ? nil : Data(wire.canonicalDetails),
                Data(salt), Data(commitment.bytes), Data(chain.bytes),
            ]
        )
    }

    /// Erases who did what and when from all entries that name this owner, and from those alone that name a bike of
    /// theirs where one is given. Their commitments stay, and the chain verifies as before.
    func eraseAudit(ofOwner owner: OwnerID, bike: BikeID? = nil) throws {
        try run(
            """
            UPDATE audit SET time = NULL, action = NULL, principal = NULL, owner = NULL, bike = NULL, report = NULL,
                station = NULL, details = NULL, salt = NULL
            WHERE owner = ?1 AND (?2 IS NULL OR bike = ?2)
            """,
            [owner.blob, bike?.blob]
        )
    }

    /// The last entry and its chain hash.
    func auditEnd() throws -> (length: Int64, hash: HashValue) {
        guard let row = try row("SELECT key, chain FROM audit ORDER BY key DESC LIMIT 1", []) else { return (0, .zero) }
        return (row["key"], try row.hash("chain"))
    }

    /// How many entries there ever were: SQLite counts them apart from the table, so that one that lost its last rows
    /// shows.
    func auditLength() throws -> Int64 {
        try integer("SELECT seq FROM sqlite_sequence WHERE name = 'audit'", []) ?? 0
    }

    /// The chain hash of an entry that must be there; 0 stands before the first.
    func chainHash(_ index: Int64) throws -> HashValue {
        guard index > 0 else { return .zero }
        guard let row = try row("SELECT chain FROM audit WHERE key = ?", [index]) else {
            throw ChainWalk.Fault.missing(index: index)
        }
        return try row.hash("chain")
    }

    private func chainHash(_ index: Int64, end: (length: Int64, hash: HashValue)) throws -> HashValue {
        index == end.length ? end.hash : try chainHash(index)
    }

    /// From the system: nothing that a test could want to repeat follows from it.
    private static func newSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<AuditChain.saltLength / 8).flatMap { _ in
            withUnsafeBytes(of: generator.next()) { Array($0) }
        }
    }
}

extension AuditEntry {
    init(_ row: Row) throws {
        let salt: Data? = row["salt"]
        self.init(
            index: row["key"], event: try Event(row), salt: salt.map { Hexadecimal.text($0) },
            commitment: try row.hash("commitment").description, chain: try row.hash("chain").description
        )
    }
}

extension AuditEntry.Event {
    /// Nil for an erased entry.
    fileprivate init?(_ row: Row) throws {
        guard let action: String = row["action"], let time = row.optionalTimestamp("time") else { return nil }
        let details: Data? = row["details"]
        self.init(
            action: action, time: time, principal: row["principal"], owner: try row.optionalID("owner"),
            bike: try row.optionalID("bike"), report: try row.optionalID("report"),
            station: try row.optionalID("station"),
            details: try details.map { try JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
        )
    }
}

extension Row {
    func hash(_ column: String) throws -> HashValue {
        guard let hash = HashValue(bytes: self[column] as Data) else { throw CorruptRow(column: column) }
        return hash
    }

    fileprivate func optionalID<Resource>(_ column: String) throws -> ResourceID<Resource>? {
        (self[column] as Data?) == nil ? nil : try id(column)
    }
}
