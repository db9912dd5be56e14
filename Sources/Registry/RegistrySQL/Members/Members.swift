import Foundation
package import RegistryAPI
package import RegistryRules

/// The members of bikes.
package struct Members {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Members with the members who invited them.
    private static let query = """
        SELECT member.*, inviter.id AS inviter_id FROM bike_member AS member
        LEFT JOIN bike_member AS inviter ON inviter.key = member.inviter

        """

    /// The members of a bike, in the order of their joining; for a caller who does not manage the bike, only the
    /// caller.
    ///
    /// - Throws: `notFound`.
    package func all(of bike: BikeID, by caller: OwnerID) throws -> [Member] {
        let access = try Bikes(db).access(to: bike, by: caller, needing: .see)
        let members = try all(of: access.key, seenBy: access.caller)
        return access.role < .manage ? members.filter(\.current) : members
    }

    /// The same by the bike’s key, for callers whose access is checked.
    ///
    /// - Parameter caller: the key of the owner who is marked as `current`.
    func all(of bike: Int64, seenBy caller: Int64) throws -> [Member] {
        try db.rows(Self.query + "WHERE member.bike = ? ORDER BY member.key", [bike]).map {
            try Member($0, seenBy: caller)
        }
    }

    /// The bikes of others of which an owner is a member.
    func memberships(of owner: Int64) throws -> [Membership] {
        let sql = """
            SELECT member.*, bike.id AS bike_id, bike.kind AS bike_kind, bike.make, bike.model
            FROM bike_member AS member CROSS JOIN bike
            WHERE member.owner = ? AND bike.key = member.bike ORDER BY member.key
            """
        return try db.rows(sql, [owner]).map { row in
            Membership(bike: try row.bikeSummary(), member: try Member(row, seenBy: owner))
        }
    }

    /// Makes the owner who acts a member of the invitation’s bike, and notifies the bike’s owner. A repeated call
    /// returns the bike.
    ///
    /// - Throws: `invitationUnusable`, `alreadyMember`, `membersFull`, `tooManyMemberships`, `idempotencyKeyReused`.
    package func join(_ digest: SecretDigest, by act: OwnerAct, once: IdempotencyKey?) throws -> Bike {
        let caller = try Owners(db).key(of: act.owner)
        if let earlier = try IdempotencyKeys(db).resource(of: once) {
            guard let id = BikeID(blob: earlier) else { throw CorruptRow(column: "resource") }
            return try seen(try Bikes(db).access(to: id, by: act.owner, needing: .see))
        }
        let invitation = try MemberInvitations(db).open(digest, at: act.time)
        let bike: Int64 = try invitation["bike"]
        guard try !db.exists("SELECT 1 FROM bike WHERE key = ? AND owner = ?", [bike, caller]),
            try !db.exists("SELECT 1 FROM bike_member WHERE bike = ? AND owner = ?", [bike, caller])
        else { throw DomainError.membership(.alreadyMember) }
        try requireRoom(on: bike)
        let held = try db.integer("SELECT count(*) FROM bike_member WHERE owner = ?", [caller]) ?? 0
        guard held < MemberRules.mostMemberships else { throw DomainError.membership(.tooManyMemberships) }
        try insert(invitation, caller, by: act)
        try db.run("DELETE FROM bike_invitation WHERE key = ?", [try invitation["key"] as Int64])
        let existing = try Bikes(db).existing(bike)
        let access = try Bikes(db).access(to: existing.id, by: act.owner, needing: .see)
        let notice = OwnerNotice(.memberJoined, bike: existing.summary, subject: access.member?.label)
        try Notices(db).queue(notice, toOwner: access.owner, at: act.time, using: act.entropy)
        let details = ["member": "\(access.member.map { "\($0.id)" } ?? "")", "role": "\(access.role)"]
        try AuditTrail(db).append(access.event(.memberJoined, by: act, details: details))
        try AuditTrail(db).append(
            AuditEvent(
                .memberJoined, by: act.principal, at: act.time, owner: act.owner, bike: existing.id, details: details))
        try IdempotencyKeys(db).remember(once, resource: existing.id.blob)
        return existing.shown(to: access.role)
    }

    /// Changes a member’s role, and notifies the bike’s owner.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `tooManyToday`.
    package func changeRole(
        of id: MemberID, on bike: BikeID, to role: MemberRole, by act: OwnerAct, _ quotas: Quotas
    ) throws -> Member {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        let before = try member(id, of: access)
        for role in [before.role, role] { try access.require(.needed(toGive: role)) }
        guard before.role != role else { return before }
        try OwnerLimits(db).noteUse(.roleChanges, by: access.caller, quotas, at: act.time)
        // The former membership counts as revoked, so that a restored backup does not bring a wider role back.
        try db.run(
            "UPDATE bike_member SET role = ?, digest = ? WHERE id = ?",
            [BikeRole(role).rawValue, randomDigest(act), id.blob])
        try MemberInvitations(db).cancel(madeBy: id, unless: role == .manage)
        try tell(.changeMember, of: before, access, by: act)
        try AuditTrail(db).append(
            access.event(.memberChanged, by: act, details: ["member": "\(id)", "role": role.rawValue]))
        return try member(id, of: access)
    }

    /// Removes a member, who may be the caller. Notifies the bike’s owner and the member.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func remove(_ id: MemberID, of bike: BikeID, by act: OwnerAct) throws {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .see)
        let isLeaving = access.member?.id == id
        if !isLeaving { try access.require(.manage) }
        let member = try member(id, of: access)
        if !isLeaving { try access.require(.needed(toGive: member.role)) }
        let holder = try db.integer("SELECT owner FROM bike_member WHERE id = ?", [id.blob])
        try db.run("DELETE FROM bike_member WHERE id = ?", [id.blob])
        try tell(.removeMember, of: member, access, by: act)
        if let holder, !isLeaving {
            try tellFormer([holder], of: try Bikes(db).existing(access.key).summary, by: act)
        }
        let details = ["member": "\(id)"]
        try AuditTrail(db).append(access.event(isLeaving ? .memberLeft : .memberRemoved, by: act, details: details))
        guard isLeaving else { return }
        try AuditTrail(db).append(
            AuditEvent(.memberLeft, by: act.principal, at: act.time, owner: act.owner, bike: bike, details: details))
    }

    /// Ends all memberships and invitations of a bike that gets another owner or is erased, and notifies its members.
    func endAll(of bike: Int64, _ summary: SightingAlert.BikeSummary, by act: OwnerAct) throws {
        let members: [Int64] = try db.rows("SELECT owner FROM bike_member WHERE bike = ?", [bike]).map {
            try $0["owner"]
        }
        try db.run("DELETE FROM bike_member WHERE bike = ?", [bike])
        try db.run("DELETE FROM bike_invitation WHERE bike = ?", [bike])
        try tellFormer(members, of: summary, by: act)
    }

    /// Refuses one more member of a bike.
    ///
    /// - Throws: `membersFull`.
    func requireRoom(on bike: Int64) throws {
        let count = try db.integer("SELECT count(*) FROM bike_member WHERE bike = ?", [bike]) ?? 0
        guard count < MemberRules.mostMembers else { throw DomainError.membership(.membersFull) }
    }

    /// Makes the caller a member, as an invitation says.
    ///
    /// - Parameter caller: the caller’s key.
    private func insert(_ invitation: StoredRow, _ caller: Int64, by act: OwnerAct) throws {
        var entropy = act.entropy
        try db.run(
            """
            INSERT INTO bike_member (id, bike, owner, role, label, inviter, digest, since)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                MemberID(at: act.time, using: &entropy).blob, try invitation["bike"] as Int64, caller,
                try invitation["role"] as Int64, try invitation["label"] as String,
                try invitation["inviter"] as Int64?, randomDigest(act), act.time.milliseconds,
            ]
        )
    }

    /// A digest that only the journal of revocations uses: each membership has its own.
    private func randomDigest(_ act: OwnerAct) -> Data {
        var entropy = act.entropy
        return SecretDigest(of: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &entropy) }).blob
    }

    private func member(_ id: MemberID, of access: BikeAccess) throws -> Member {
        guard let row = try db.row(Self.query + "WHERE member.id = ? AND member.bike = ?", [id.blob, access.key])
        else { throw DomainError.notFound("member") }
        return try Member(row, seenBy: access.caller)
    }

    /// The bike as the caller sees it.
    private func seen(_ access: BikeAccess) throws -> Bike { try Bikes(db).existing(access.key).shown(to: access.role) }

    /// Notifies the bike's owner of a change of a member.
    private func tell(
        _ weakening: SearchWeakening, of member: Member, _ access: BikeAccess, by act: OwnerAct
    ) throws {
        let summary = try Bikes(db).existing(access.key).summary
        // A member who leaves is already named as the subject.
        let by = access.member?.id == member.id ? nil : access.member?.label
        try Notices(db).tell(weakening, to: access.owner, bike: summary, subject: member.label, member: by, by: act)
    }

    /// Notifies former members that they no longer have access to a bike.
    private func tellFormer(_ members: [Int64], of bike: SightingAlert.BikeSummary, by act: OwnerAct) throws {
        let notice = OwnerNotice(.membershipEnded, bike: bike).shared
        for member in members {
            try Notices(db).queue(notice, toOwner: member, at: act.time, using: act.entropy)
        }
    }
}

extension Member {
    /// From a row of `bike_member`, with `inviter_id` if it is known.
    fileprivate init(_ row: StoredRow, seenBy caller: Int64) throws {
        self.init(
            id: try row.id("id"), label: try row["label"], role: try row.memberRole(),
            since: try row.timestamp("since"),
            invitedBy: row.hasNonNull("inviter_id") ? try row.id("inviter_id") : nil,
            current: try row["owner"] == caller)
    }
}
