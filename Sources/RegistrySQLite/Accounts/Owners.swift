import GRDB
public import Registry
public import RegistryAPI
import RegistrySQL

extension SQLiteRegistryStore {
    public func owner(_ id: OwnerID) async throws -> Owner? {
        try await read { db in try db.owner(id) }
    }

    public func changeOwner(_ owner: Owner, to changed: Owner, by act: OwnerAct) async throws -> Owner {
        try await write { db in
            guard try db.owner(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
            let weakening = SearchWeakening.of(owner, to: changed)
            let key = try db.key(of: owner.id)
            try db.confirm(act, owner: key, against: weakening)
            try db.run(
                """
                UPDATE owner SET tells_appearance = ?, language = ?, zone = ?, quiet_from = ?, quiet_to = ? WHERE key = ?
                """,
                [
                    changed.tellsAppearance, changed.language.rawValue, changed.zone, changed.quietHours?.from.minute,
                    changed.quietHours?.to.minute, key,
                ]
            )
            try db.tell(weakening, to: key, by: act)
            try db.audit(AuditEvent(.ownerChanged, by: act.principal, at: act.time, owner: owner.id))
            return changed
        }
    }

    public func eraseOwner(_ owner: Owner, by act: OwnerAct) async throws {
        try await write { db in
            let key = try db.key(of: owner.id)
            guard try db.owner(owner.id) == owner else { throw DomainError.changedMeanwhile("owner") }
            try db.confirm(act, owner: key, against: .eraseAccount)
            try db.erase(.owner(owner.id), at: act.time)
            try db.audit(AuditEvent(.ownerErased, by: act.principal, at: act.time))
        }
        try await recordErasures()
    }
}

extension Database {
    /// The integer key of an owner, which its token has shown to exist.
    func key(of owner: OwnerID) throws -> Int64 {
        guard let key = try integer("SELECT key FROM owner WHERE id = ?", [owner.blob]) else {
            throw DomainError.notFound("owner")
        }
        return key
    }

    func owner(_ id: OwnerID) throws -> Owner? {
        let sql = """
            SELECT *, (SELECT count(*) FROM recovery_code WHERE owner = owner.key) AS codes FROM owner WHERE id = ?
            """
        return try row(sql, [id.blob]).map { row in
            Owner(
                id: id, created: try row.timestamp("created"), tellsAppearance: try row["tells_appearance"],
                language: try row.choice("language"), zone: try row["zone"], quietHours: try row.quietHours(),
                recoveryCodes: try row["codes"]
            )
        }
    }
}

extension StoredRow {
    /// An owner's, in the columns quiet_from and quiet_to.
    func quietHours() throws -> QuietHours? {
        QuietHours(from: try self["quiet_from"], to: try self["quiet_to"])
    }
}

extension QuietHours {
    /// From minutes of the day; nil where there are none.
    init?(from: Int64?, to: Int64?) {
        guard let from, let to else { return nil }
        self.init(from: TimeOfDay(minute: Int(from)), to: TimeOfDay(minute: Int(to)))
    }
}
