import Foundation
package import RegistryAPI
package import RegistryRules

/// Invitations to become a member of a bike.
package struct MemberInvitations {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Invitations with the members who made them.
    private static let query = """
        SELECT invitation.*, inviter.id AS inviter_id FROM bike_invitation AS invitation
        LEFT JOIN bike_member AS inviter ON inviter.key = invitation.inviter

        """

    /// Adds an invitation, and notifies the bike’s owner. A repeated call gives the first call’s invitation this
    /// secret.
    ///
    /// - Throws: `notFound`, `roleNeeded`, `membersFull`, `invitationsFull`, `tooManyToday`, `ownerSuspended`,
    ///   `idempotencyKeyReused`; `invitationUnusable` if the first call’s invitation is no longer open.
    package func add(
        _ invitation: NewMemberInvitation, by act: OwnerAct, once: IdempotencyKey?, _ quotas: Quotas
    ) throws -> MemberInvitation {
        let access = try Bikes(db).access(to: invitation.bike, by: act.owner, needing: .manage)
        var details = invitation.details
        try access.require(.needed(toGive: details.role))
        if let earlier = try IdempotencyKeys(db).resource(of: once) { return try renew(earlier, invitation, access) }
        try Owners(db).refuseSuspended(access)
        try Members(db).requireRoom(on: access.key)
        let open = try db.integer(
            "SELECT count(*) FROM bike_invitation WHERE bike = ? AND expires > ?",
            [access.key, act.time.milliseconds])
        guard open ?? 0 < MemberRules.mostInvitations else { throw DomainError.membership(.invitationsFull) }
        try OwnerLimits(db).noteUse(.invitations, by: access.caller, quotas, at: act.time)
        try db.run(
            """
            INSERT INTO bike_invitation (id, bike, inviter, role, label, digest, created, expires)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                details.id.blob, access.key, access.member?.key, BikeRole(details.role).rawValue, details.label,
                invitation.digest.blob, details.created.milliseconds, details.expires.milliseconds,
            ]
        )
        details.invitedBy = access.member?.id
        try Notices(db).tell(
            .inviteMember, to: access.owner, bike: try Bikes(db).existing(access.key).summary, subject: details.label,
            member: access.member?.label, by: act)
        try AuditTrail(db).append(
            access.event(
                .memberInvited, by: act, details: ["invitation": "\(details.id)", "role": details.role.rawValue]))
        try IdempotencyKeys(db).remember(once, resource: details.id.blob)
        return details
    }

    /// The open invitations of a bike, in the order of their creation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func all(of bike: BikeID, by caller: OwnerID, at time: Timestamp) throws -> [MemberInvitation] {
        try all(of: try Bikes(db).access(to: bike, by: caller, needing: .manage).key, at: time)
    }

    /// The same by the bike’s key, for callers whose access is checked.
    func all(of bike: Int64, at time: Timestamp) throws -> [MemberInvitation] {
        let condition = "WHERE invitation.bike = ? AND invitation.expires > ? ORDER BY invitation.id"
        return try db.rows(Self.query + condition, [bike, time.milliseconds]).map(MemberInvitation.init)
    }

    /// Deletes an invitation.
    ///
    /// - Throws: `notFound`, `roleNeeded`.
    package func cancel(_ id: InvitationID, of bike: BikeID, by act: OwnerAct) throws {
        let access = try Bikes(db).access(to: bike, by: act.owner, needing: .manage)
        let sql = Self.query + "WHERE invitation.id = ? AND invitation.bike = ?"
        guard let row = try db.row(sql, [id.blob, access.key]) else { throw DomainError.notFound("invitation") }
        try access.require(.needed(toGive: try row.memberRole()))
        try db.run("DELETE FROM bike_invitation WHERE id = ?", [id.blob])
        try AuditTrail(db).append(
            access.event(.memberInvitationCancelled, by: act, details: ["invitation": "\(id)"]))
    }

    /// Cancels the invitations of a member who may no longer invite.
    func cancel(madeBy member: MemberID, unless mayInvite: Bool) throws {
        guard !mayInvite else { return }
        let sql = "DELETE FROM bike_invitation WHERE inviter = (SELECT key FROM bike_member WHERE id = ?)"
        try db.run(sql, [member.blob])
    }

    /// What an invitation offers.
    ///
    /// - Throws: `invitationUnusable`.
    package func offer(_ digest: SecretDigest, at time: Timestamp) throws -> MembershipOffer {
        let invitation = try open(digest, at: time)
        let bike = try Bikes(db).existing(try invitation["bike"])
        return MembershipOffer(
            kind: bike.kind, make: bike.make, model: bike.model, colours: bike.colours,
            label: try invitation["label"], role: try invitation.memberRole(),
            expires: try invitation.timestamp("expires"))
    }

    /// The row of an open invitation.
    ///
    /// - Throws: `invitationUnusable`.
    func open(_ digest: SecretDigest, at time: Timestamp) throws -> StoredRow {
        let sql = "SELECT * FROM bike_invitation WHERE digest = ? AND expires > ?"
        guard let row = try db.row(sql, [digest.blob, time.milliseconds]) else {
            throw DomainError.membership(.invitationUnusable)
        }
        return row
    }

    /// Deletes invitations that have expired. A restored backup does not make them valid again, so they need no entry in
    /// the journal of revocations, whose trigger skips those that ended at zero.
    func deleteExpired(at time: Timestamp) throws {
        try db.run("UPDATE bike_invitation SET expires = 0 WHERE expires <= ?", [time.milliseconds])
        try db.run("DELETE FROM bike_invitation WHERE expires = 0", [])
    }

    /// Replaces the secret of an invitation that has not been accepted yet.
    ///
    /// - Throws: `invitationUnusable`.
    private func renew(
        _ id: Data, _ invitation: NewMemberInvitation, _ access: BikeAccess
    ) throws -> MemberInvitation {
        let condition = "WHERE invitation.id = ? AND invitation.bike = ? AND invitation.expires > ?"
        let now = invitation.details.created.milliseconds
        guard let row = try db.row(Self.query + condition, [id, access.key, now]) else {
            throw DomainError.membership(.invitationUnusable)
        }
        try db.run("UPDATE bike_invitation SET digest = ? WHERE id = ?", [invitation.digest.blob, id])
        return try MemberInvitation(row)
    }
}

extension MemberInvitation {
    fileprivate init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), label: try row["label"], role: try row.memberRole(),
            created: try row.timestamp("created"), expires: try row.timestamp("expires"),
            invitedBy: row.hasNonNull("inviter_id") ? try row.id("inviter_id") : nil)
    }
}
