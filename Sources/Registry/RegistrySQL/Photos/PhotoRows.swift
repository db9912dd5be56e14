package import Foundation
package import RegistryAPI
package import RegistryRules

/// The rows of bikes’ photos. Their pictures are in a ``PhotoStore``.
package struct PhotoRows {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Checks that there is room for a photo, before the file is converted. Returns the photo that an earlier call
    /// with this key has added; nil if there is none.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `ownerSuspended`, `photosFull`, `quotaReached`, `idempotencyKeyReused`.
    package func beginUpload(
        to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> StoredPhoto? {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        if let earlier = try earlier(once, of: access.key) { return earlier }
        try requireRoom(access, quotas)
        return nil
    }

    /// Adds a photo whose pictures are stored, as the bike’s last one. Returns the photo that an earlier call with
    /// this key has added, if there is one.
    ///
    /// - Throws: the same as ``beginUpload(to:by:once:_:)``.
    package func add(
        _ photo: StoredPhoto, to bike: BikeID, by act: OwnerAct, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> StoredPhoto {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        let key = access.key
        if let earlier = try earlier(once, of: key) { return earlier }
        try requireRoom(access, quotas)
        let details = photo.photo
        try db.run(
            """
            INSERT INTO photo (id, bike, position, name, width, height, bytes, created)
            VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM photo WHERE bike = ?2), ?3, ?4, ?5, ?6, ?7)
            """,
            [
                details.id.blob, key, photo.name.blob, Int64(details.width), Int64(details.height),
                Int64(details.bytes), details.created.milliseconds,
            ]
        )
        try record(.photoAdded, details.id, access, by: act)
        try IdempotencyKeys(db).remember(once, resource: details.id.blob)
        return photo
    }

    /// The photos of a bike, in the owner’s order.
    ///
    /// - Throws: `notFound`.
    package func page(of bike: BikeID, owner: OwnerID) throws -> [Photo] {
        try photos(of: try Bikes(db).access(to: bike, by: owner, needing: .see).key)
    }

    /// The same by the bike’s key, for callers whose access is checked.
    func photos(of bike: Int64) throws -> [Photo] {
        try db.rows("SELECT * FROM photo WHERE bike = ? ORDER BY position", [bike]).map { try StoredPhoto($0).photo }
    }

    /// A photo of a bike.
    ///
    /// - Throws: `notFound`.
    package func find(_ id: PhotoID, of bike: BikeID, owner: OwnerID) throws -> StoredPhoto {
        try find(id, of: try Bikes(db).access(to: bike, by: owner, needing: .see).key)
    }

    /// Puts the photos of a bike into an order, and returns them in it.
    ///
    /// - Parameter order: must name each photo once.
    /// - Throws: `notFound`, `roleNeeded`, `invalidFields`, `tooManyToday`.
    package func order(
        _ order: [PhotoID], of bike: BikeID, by act: OwnerAct, _ quotas: Quotas
    ) throws -> [Photo] {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        let key = access.key
        let before = try photos(of: key).map(\.id)
        guard before.count == order.count, Set(before) == Set(order) else {
            throw DomainError.invalidField(
                "/photos", "must name each of the bike’s \(before.count) photos once; get the list again")
        }
        if order != before {
            try OwnerLimits(db).noteUse(.photoOrders, by: access.caller, quotas, at: act.time)
            for (position, id) in order.enumerated() {
                try db.run("UPDATE photo SET position = ? WHERE id = ?", [Int64(position + 1), id.blob])
            }
            try record(.photosOrdered, nil, access, by: act)
        }
        return try photos(of: key)
    }

    /// Removes a photo. While the bike is missing, the owner is notified.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func remove(_ id: PhotoID, of bike: BikeID, by act: OwnerAct) throws {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        _ = try find(id, of: access.key)
        let seen = try Bikes(db).existing(access.key)
        try db.run("DELETE FROM photo WHERE id = ?", [id.blob])
        if seen.openReport != nil { try Notices(db).tell(.removePhoto, access, bike: seen.summary, by: act) }
        try record(.photoRemoved, id, access, by: act)
    }

    /// Lets staff see a photo, or withdraws this if the consent is nil; the same again changes nothing. While the bike
    /// is missing, the owner is notified of a withdrawal.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyToday`.
    package func setConsent(
        _ consent: StaffPhotoConsent?, to id: PhotoID, of bike: BikeID, by act: OwnerAct, _ quotas: Quotas
    ) throws -> Photo {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        var photo = try find(id, of: access.key).photo
        guard (photo.forStaff == true) != (consent != nil) else { return photo }
        try OwnerLimits(db).noteUse(.photoConsents, by: access.caller, quotas, at: act.time)
        try db.run("UPDATE photo SET staff_consent = ? WHERE id = ?", [consent?.secret.blob, id.blob])
        photo.forStaff = consent == nil ? nil : true
        let seen = try Bikes(db).existing(access.key)
        if consent == nil, seen.openReport != nil {
            try Notices(db).tell(.hidePhoto, access, bike: seen.summary, by: act)
        }
        try record(.photoConsent, id, access, by: act, ["forStaff": "\(consent != nil)"])
        return photo
    }

    /// Names of photos that were removed and whose pictures may still be stored.
    package func removed(limit: Int) throws -> [PhotoName] {
        try db.rows("SELECT name FROM photo_removed LIMIT ?", [limit]).map { try $0.photoName("name") }
    }

    /// Forgets removed photos, once their pictures are deleted.
    package func forget(_ names: [PhotoName]) throws {
        for name in names { try db.run("DELETE FROM photo_removed WHERE name = ?", [name.blob]) }
    }

    /// The names among these that belong to a photo of a bike or of a conversation.
    package func known(among names: [PhotoName]) throws -> Set<PhotoName> {
        let sql = "SELECT 1 FROM photo WHERE name = ?1 UNION ALL SELECT 1 FROM finder_photo WHERE name = ?1"
        return Set(try names.filter { try db.exists(sql, [$0.blob]) })
    }

    private func find(_ id: PhotoID, of bike: Int64) throws -> StoredPhoto {
        guard let row = try db.row("SELECT * FROM photo WHERE id = ? AND bike = ?", [id.blob, bike]) else {
            throw DomainError.notFound("photo")
        }
        return try StoredPhoto(row)
    }

    /// The photo that the first call with this key added to the bike; nil if this call is the first.
    private func earlier(_ once: IdempotencyKey?, of bike: Int64) throws -> StoredPhoto? {
        guard let resource = try IdempotencyKeys(db).resource(of: once) else { return nil }
        guard let id = PhotoID(blob: resource) else { throw CorruptRow(column: "resource") }
        return try find(id, of: bike)
    }

    /// Refuses one more photo.
    ///
    /// - Throws: `ownerSuspended`, `photosFull`, `quotaReached`.
    private func requireRoom(_ access: BikeAccess, _ quotas: Quotas) throws {
        try Owners(db).refuseSuspended(access)
        let count = try db.integer("SELECT count(*) FROM photo WHERE bike = ?", [access.key]) ?? 0
        guard count < PhotoRules.most else { throw DomainError.photosFull }
        try OwnerLimits(db).requireRoom(for: .photos, of: access.owner, quotas)
    }

    /// Counts an upload before its body arrives.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyUploads`.
    package func countUpload(to bike: BikeID, by act: OwnerAct) throws {
        let (owner, time) = (try Bikes(db).access(to: bike, by: act.owner, needing: .manage).caller, act.time)
        let limit = AttemptLimit.photoUploads
        let begin = time.advanced(by: .zero - limit.window).milliseconds
        let sql = "SELECT time FROM photo_upload WHERE owner = ? AND time > ? ORDER BY time"
        let earlier = try db.rows(sql, [owner, begin]).map { try $0.timestamp("time") }
        if let wait = limit.wait(earlier: earlier, now: time) { throw DomainError.tooManyUploads(retryAfter: wait) }
        try db.run("INSERT INTO photo_upload (owner, time) VALUES (?, ?)", [owner, time.milliseconds])
    }

    /// Takes back the count of an act’s upload, because the upload cost nothing.
    package func forgetUpload(by act: OwnerAct) throws {
        try db.run(Self.oneUpload[db.dialect], [try Owners(db).key(of: act.owner), act.time.milliseconds])
    }

    /// Deletes one upload, although several may have the same owner and time.
    private static let oneUpload = DialectText { dialect in
        """
        DELETE FROM photo_upload WHERE \(dialect.rowAddress) = (
            SELECT \(dialect.rowAddress) FROM photo_upload WHERE owner = ? AND time = ? LIMIT 1
        )
        """
    }

    /// Adds an act about a photo, or about all, to the audit.
    private func record(
        _ action: AuditAction, _ photo: PhotoID?, _ access: BikeAccess, by act: OwnerAct,
        _ details: [String: String] = [:]
    ) throws {
        let named = photo.map { ["photo": "\($0)"] } ?? [:]
        try AuditTrail(db).append(access.event(action, by: act, details: named.merging(details) { $1 }))
    }
}

extension StoredPhoto {
    /// Reads a row of `photo` or `finder_photo`.
    init(_ row: StoredRow) throws {
        self.init(
            Photo(
                id: try row.id("id"), created: try row.timestamp("created"),
                width: Int(clamping: try row["width"] as Int64), height: Int(clamping: try row["height"] as Int64),
                bytes: Int(clamping: try row["bytes"] as Int64),
                forStaff: row.hasNonNull("staff_consent") ? true : nil),
            name: try row.photoName("name"))
    }
}

extension PhotoName {
    /// The 16 bytes, most significant first.
    package var blob: Data { ResourceID<Self>(high: high, low: low).blob }

    package init?(blob: Data) {
        guard let id = ResourceID<Self>(blob: blob) else { return nil }
        self.init(high: id.high, low: id.low)
    }
}

extension StoredRow {
    fileprivate func photoName(_ column: String) throws -> PhotoName {
        guard let name = PhotoName(blob: try self[column]) else { throw CorruptRow(column: column) }
        return name
    }
}
