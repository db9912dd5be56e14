import Foundation
package import RegistryAPI
package import RegistryRules

/// Displays, as the operator and their station manage them, and as screens are paired.
package struct Displays {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Adds a display that waits for its code to be used. It replaces one of the same station that still waits.
    ///
    /// - Throws: `notFound` for a station that is unknown or revoked, `displaysFull`.
    package func add(_ display: NewDisplay, by principal: Principal) throws {
        let station = try activeStation(display.station)
        // An unused code makes room for the new one.
        try db.run("DELETE FROM display WHERE station = ? AND digest IS NULL", [station])
        let sql = "SELECT count(*) FROM display WHERE station = ? AND expires > ?"
        let count = try db.integer(sql, [station, display.created.milliseconds]) ?? 0
        guard count < DisplayRules.most else { throw DomainError.displaysFull }
        try db.run(
            "INSERT INTO display (id, station, name, code, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
            [
                display.id.blob, station, display.name, display.code.blob, display.created.milliseconds,
                display.created.advanced(by: DisplayRules.codeLifetime).milliseconds,
            ]
        )
        try record(
            .displayCreated, display.id, of: display.station, by: principal, at: display.created,
            ["name": display.name])
    }

    /// The displays of a station, in the order of their creation, without those that have expired.
    ///
    /// - Throws: `notFound`.
    package func all(of station: StationID, at time: Timestamp) throws -> [VenueDisplay] {
        let sql = "SELECT * FROM display WHERE station = ? AND expires > ? ORDER BY id"
        return try db.rows(sql, [try Stations(db).key(of: station), time.milliseconds]).map(VenueDisplay.init)
    }

    /// Renames a display; the same name again changes nothing.
    ///
    /// - Throws: `notFound`.
    package func rename(
        _ id: DisplayID, of station: StationID, to name: String, by principal: Principal, at time: Timestamp
    ) throws -> VenueDisplay {
        let key = try Stations(db).key(of: station)
        let sql = "SELECT * FROM display WHERE id = ? AND station = ? AND expires > ?"
        guard let row = try db.row(sql, [id.blob, key, time.milliseconds]) else {
            throw DomainError.notFound("display")
        }
        var display = try VenueDisplay(row)
        guard display.name != name else { return display }
        try db.run("UPDATE display SET name = ? WHERE id = ?", [name, id.blob])
        try record(
            .displayRenamed, id, of: station, by: principal, at: time, ["name": name, "before": display.name])
        display.name = name
        return display
    }

    /// Deletes a display.
    ///
    /// - Throws: `notFound`.
    package func revoke(
        _ id: DisplayID, of station: StationID, by principal: Principal, at time: Timestamp
    ) throws {
        let key = try Stations(db).key(of: station)
        guard let row = try db.row("SELECT name FROM display WHERE id = ? AND station = ?", [id.blob, key]) else {
            throw DomainError.notFound("display")
        }
        try db.run("DELETE FROM display WHERE id = ?", [id.blob])
        try record(.displayRevoked, id, of: station, by: principal, at: time, ["name": try row["name"]])
    }

    /// Exchanges a code that is younger than ``DisplayRules/codeLifetime`` for a secret. An attempt may be repeated
    /// until the display is used.
    ///
    /// - Throws: `codeUnusable`.
    package func pair(_ pairing: PairingAttempt) throws -> DisplayID {
        let sql = """
            SELECT display.*, station.id AS station_id FROM display JOIN station ON station.key = display.station
            WHERE code = ? AND display.created > ? AND station.revoked IS NULL
            """
        let begin = pairing.time.advanced(by: .zero - DisplayRules.codeLifetime)
        guard let row = try db.row(sql, [pairing.code.blob, begin.milliseconds]) else {
            throw DomainError.codeUnusable
        }
        if row.hasNonNull("digest") {
            // A repeated attempt, unless the display has been used since.
            guard let attempt = pairing.attempt, try row["attempt"] == attempt.blob, !row.hasNonNull("last_used")
            else { throw DomainError.codeUnusable }
        }
        let id: DisplayID = try row.id("id")
        try db.run(
            "UPDATE display SET digest = ?, attempt = ?, paired = ?, expires = ? WHERE id = ?",
            [
                pairing.secret.blob, pairing.attempt?.blob, pairing.time.milliseconds,
                pairing.time.advanced(by: DisplayRules.lifetime).milliseconds, id.blob,
            ]
        )
        try endFormer(pairing, except: id)
        try record(.displayPaired, id, of: try row.id("station_id"), by: nil, at: pairing.time, [:])
        return id
    }

    /// Records a use, which prolongs the display; nothing happens if it has ended.
    package func noteUse(of display: DisplayID, at time: Timestamp) throws {
        try db.run(
            "UPDATE display SET last_used = ?, expires = ? WHERE id = ? AND digest IS NOT NULL",
            [time.milliseconds, time.advanced(by: DisplayRules.lifetime).milliseconds, display.blob])
    }

    /// Deletes displays that ended. Restoring a backup does not bring them back, so they need no entry in the journal
    /// of revocations, whose trigger skips those that ended at zero.
    func deleteExpired(at time: Timestamp) throws {
        try db.run("UPDATE display SET expires = 0 WHERE expires <= ?", [time.milliseconds])
        try db.run("DELETE FROM display WHERE expires = 0", [])
    }

    /// Ends the display that a screen was before it is paired again.
    private func endFormer(_ pairing: PairingAttempt, except id: DisplayID) throws {
        guard let former = pairing.former else { return }
        let sql = """
            SELECT display.id, display.name, station.id AS station_id FROM display
            JOIN station ON station.key = display.station WHERE digest = ? AND display.id <> ?
            """
        guard let row = try db.row(sql, [former.blob, id.blob]) else { return }
        try db.run("DELETE FROM display WHERE digest = ?", [former.blob])
        try record(
            .displayRevoked, try row.id("id"), of: try row.id("station_id"), by: nil, at: pairing.time,
            ["name": try row["name"]])
    }

    /// The key of a station that is not revoked.
    private func activeStation(_ station: StationID) throws -> Int64 {
        let sql = "SELECT key FROM station WHERE id = ? AND revoked IS NULL"
        guard let key = try db.integer(sql, [station.blob]) else { throw DomainError.notFound("station") }
        return key
    }

    /// Adds an entry about a display to the audit.
    ///
    /// - Parameter principal: who acted; nil for a screen that was paired.
    private func record(
        _ action: AuditAction, _ display: DisplayID, of station: StationID, by principal: Principal?,
        at time: Timestamp, _ details: [String: String]
    ) throws {
        try AuditTrail(db).append(
            AuditEvent(
                action, by: principal, at: time, station: station,
                details: ["display": "\(display)"].merging(details) { $1 }))
    }
}

extension VenueDisplay {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), name: try row["name"], created: try row.timestamp("created"),
            paired: try row.optionalTimestamp("paired"), lastUsed: try row.optionalTimestamp("last_used"),
            expires: try row.timestamp("expires"))
    }
}
