import Foundation
import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func offerTransfer(
        of bike: BikeID, code: SecretDigest, expires: Timestamp, by act: OwnerAct
    ) async throws {
        try await write { db in
            let key = try db.key(ofBike: bike, owner: act.owner)
            let owner = try db.key(of: act.owner)
            try db.refuseSuspended(owner)
            try db.refuseHandingOver(key, at: act.time)
            try db.confirm(act, owner: owner, against: .offerTransfer)
            try db.run(
                "INSERT OR REPLACE INTO transfer (bike, code, expires) VALUES (?, ?, ?)",
                [key, code.blob, expires.milliseconds]
            )
            try db.audit(AuditEvent(.transferOffered, by: act.principal, at: act.time, owner: act.owner, bike: bike))
        }
    }

    public func acceptTransfer(code: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) async throws -> Bike {
        try await write { [quotas] db in
            let taker = try db.key(of: act.owner)
            if let earlier = try db.resource(of: once) {
                guard let id = BikeID(blob: earlier) else { throw CorruptRow(column: "resource") }
                return try db.bike(try db.key(ofBike: id, owner: act.owner))
            }
            let sql = """
                SELECT bike.key, bike.owner FROM transfer JOIN bike ON bike.key = transfer.bike
                WHERE code = ? AND expires > ? AND bike.owner <> ?
                """
            guard let row = try db.row(sql, [code.blob, act.time.milliseconds, taker]) else {
                throw DomainError.codeUnusable
            }
            let bike: Int64 = try row["key"]
            for owner in [taker, try row["owner"]] { try db.refuseSuspended(owner) }
            try db.refuseHandingOver(bike, at: act.time)
            try db.requireRoom(for: .bikes, of: taker, quotas)
            try db.handOver(bike, from: try row["owner"], to: taker, by: act)
            let handed = try db.bike(bike)
            try db.remember(once, resource: handed.id.blob)
            return handed
        }
    }
}

extension Database {
    /// A bike that is missing, or was within the last 7 days, changes no hands: a thief would sell it.
    fileprivate func refuseHandingOver(_ bike: Int64, at time: Timestamp) throws {
        try refuseMissing(bike)
        try refuseUnproved(bike)
        let closed = try integer("SELECT max(closed) FROM report WHERE bike = ?", [bike])
        guard let until = closed.map({ Timestamp(milliseconds: $0).advanced(by: TransferRules.waitAfterMissing) }),
            time < until
        else { return }
        throw DomainError.missingRecently(until: until)
    }

    fileprivate func handOver(_ bike: Int64, from giver: Int64, to taker: Int64, by act: OwnerAct) throws {
        let summary = try self.bike(bike).summary
        try setReportsAside(of: bike, by: act)
        try run("UPDATE bike SET owner = ?, notes = NULL, plate = NULL, upkeep = NULL WHERE key = ?", [taker, bike])
        try run("DELETE FROM reminder WHERE bike = ?", [bike])
        try run("DELETE FROM transfer WHERE bike = ?", [bike])
        // A stranger's words were for the owner before.
        try run("DELETE FROM bike_event WHERE bike = ? AND event = ?", [bike, BikeEvent.Kind.found.rawValue])
        try record(BikeEvent(.transferred, at: act.time), of: bike)
        try tell(.handOver, to: giver, bike: summary, by: act)
        let giverID: OwnerID? = try row("SELECT id FROM owner WHERE key = ?", [giver]).map { try $0.id("id") }
        for owner in [giverID, act.owner] {
            try audit(AuditEvent(.bikeTransferred, by: act.principal, at: act.time, owner: owner, bike: summary.id))
        }
    }

    /// Moves a bike's reports to a row without beacon, which stays with the owner before.
    private func setReportsAside(of bike: Int64, by act: OwnerAct) throws {
        guard try exists("SELECT 1 FROM report WHERE bike = ?", [bike]) else { return }
        var entropy = act.entropy
        try run(
            """
            INSERT INTO bike (id, owner, kind, make, model, colours, year, serial, vin, plate, notes, created)
            SELECT ?, owner, kind, make, model, colours, year, serial, vin, plate, notes, created FROM bike
            WHERE key = ?
            """,
            [BikeID(at: act.time, using: &entropy).blob, bike]
        )
        try run("UPDATE report SET bike = ? WHERE bike = ?", [lastInsertedRowID, bike])
    }
}
