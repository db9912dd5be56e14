import GRDB
public import Registry
public import RegistryAPI

extension SQLiteRegistryStore {
    public func owner(_ id: OwnerID) async throws -> Owner? {
        try await read { db in try db.owner(id) }
    }

    public func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner {
        try await write { db in
            guard try db.owner(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
            try db.run(
                "UPDATE owner SET tells_appearance = ? WHERE id = ?", [changed.tellsAppearance, owner.id.blob]
            )
            try db.audit(AuditEvent(.ownerChanged, by: act.principal, at: act.time, owner: owner.id))
            return changed
        }
    }

    public func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws {
        try await write { db in
            let key = try db.key(of: owner.id)
            guard try db.owner(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
            try db.confirm(act, owner: key, if: try db.hasMissingBike(key))
            try db.erase(.owner(owner.id), at: act.time)
            try db.audit(AuditEvent(.ownerErased, by: act.principal, at: act.time))
        }
        try await recordErasures()
    }
}

extension Database {
    func owner(_ id: OwnerID) throws -> Owner? {
        let sql = """
            SELECT *, (SELECT count(*) FROM recovery_code WHERE owner = owner.key) AS codes FROM owner WHERE id = ?
            """
        return try row(sql, [id.blob]).map { row in
            Owner(
                id: id, created: row.timestamp("created"), tellsAppearance: row["tells_appearance"],
                recoveryCodes: row["codes"]
            )
        }
    }
}
