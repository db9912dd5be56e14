package import RegistryAPI
package import RegistryRules

/// The codes on bikes' stickers, of which a bike has at most one.
package struct Stickers {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Gives a bike’s sticker another code; the previous one no longer works.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `tooManyToday`.
    package func set(_ code: SecretDigest, on bike: BikeID, by act: OwnerAct, _ quotas: Quotas) throws -> Sticker {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        try Owners(db).refuseSuspended(access)
        try OwnerLimits(db).noteUse(.codes, by: access.caller, quotas, at: act.time)
        let hadOne = try find(of: access.key) != nil
        try db.run(
            """
            INSERT INTO sticker (bike, digest, created) VALUES (?1, ?2, ?3)
            ON CONFLICT (bike) DO UPDATE SET digest = ?2, created = ?3
            """,
            [access.key, code.blob, act.time.milliseconds])
        if hadOne { try tell(access, by: act) }
        try AuditTrail(db).append(access.event(.stickerChanged, by: act))
        return Sticker(created: act.time)
    }

    /// A bike’s sticker.
    ///
    /// - Throws: `notFound` if the caller does not see the bike, or if it has none.
    package func find(of bike: BikeID, by caller: OwnerID) throws -> Sticker {
        guard let sticker = try find(of: try Bikes(db).access(to: bike, by: caller, needing: .see).key) else {
            throw DomainError.notFound("sticker")
        }
        return sticker
    }

    /// A bike’s sticker, by the bike’s key; nil if it has none.
    func find(of bike: Int64) throws -> Sticker? {
        try db.row("SELECT created FROM sticker WHERE bike = ?", [bike])
            .map { Sticker(created: try $0.timestamp("created")) }
    }

    /// Makes a sticker’s code invalid.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func revoke(of bike: BikeID, by act: OwnerAct) throws {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        try delete(of: access.key)
        guard db.changesCount == 1 else { throw DomainError.notFound("sticker") }
        try tell(access, by: act)
        try AuditTrail(db).append(access.event(.stickerRevoked, by: act))
    }

    /// Deletes a bike’s sticker, if it has one, by the bike’s key.
    func delete(of bike: Int64) throws { try db.run("DELETE FROM sticker WHERE bike = ?", [bike]) }

    /// Notifies the owner that the code has changed.
    private func tell(_ access: BikeAccess, by act: OwnerAct) throws {
        try Notices(db).tell(.changeSticker, access, bike: try Bikes(db).existing(access.key).summary, by: act)
    }
}
