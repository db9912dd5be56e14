import Foundation
import GRDB
import Registry
import RegistryAPI

extension Database {
    /// Appends an entry to the audit, in the transaction of the change that it tells of.
    func audit(_ event: AuditEvent) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try run(
            """
            INSERT INTO audit (time, action, principal, owner, bike, report, station, details)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                event.time.milliseconds, event.action.rawValue, event.principal?.blob, event.owner?.blob,
                event.bike?.blob, event.report?.blob, event.station?.blob, try encoder.encode(event.details),
            ]
        )
    }
}

extension Database {
    /// Deletes what entries say about an owner; that something happened at its time stays.
    func eraseAudit(of owner: OwnerID) throws {
        try run(
            """
            UPDATE audit SET principal = NULL, owner = NULL, bike = NULL, report = NULL, details = CAST('{}' AS BLOB)
            WHERE owner = ?
            """,
            [owner.blob]
        )
    }
}
