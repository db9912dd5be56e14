extension Schema {
    /// Other owners with a role on a bike, and the invitations to become one.
    static let members: [Table] = [
        Table(
            "bike_member",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            -- The member.
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE
            -- BikeRole's raw value.
            role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3)
            label TEXT NOT NULL
            -- The member who sent the invitation; NULL if the bike's owner did.
            inviter INTEGER REFERENCES bike_member ON DELETE SET NULL
            -- A random name for the journal of revocations. It is replaced with each change of the role.
            digest BLOB(32) NOT NULL UNIQUE
            since INTEGER NOT NULL
            UNIQUE (bike, owner)
            INDEX bike_member_owner (owner, bike)
            INDEX bike_member_inviter (inviter) WHERE inviter IS NOT NULL
            """),
        Table(
            "bike_invitation",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE
            inviter INTEGER REFERENCES bike_member ON DELETE CASCADE
            role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3)
            label TEXT NOT NULL
            digest BLOB(32) NOT NULL UNIQUE
            created INTEGER NOT NULL
            -- Zero if it has expired and is about to be deleted.
            expires INTEGER NOT NULL
            INDEX bike_invitation_bike (bike, id)
            INDEX bike_invitation_inviter (inviter) WHERE inviter IS NOT NULL
            INDEX bike_invitation_expires (expires)
            """),
    ]

    /// Note memberships and invitations that have ended, for restored backups.
    static let memberTriggers: [Trigger] = [
        // Memberships that end with an account or a bike are in the journal of erasures.
        .revoking("digest", of: "bike_member", at: "DELETE", when: "\(Trigger.hasOwner) AND \(Trigger.hasBike)"),
        .revoking("digest", of: "bike_member", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
        .revoking("digest", of: "bike_invitation", at: "DELETE", when: "OLD.expires <> 0 AND \(Trigger.hasBike)"),
        .revoking("digest", of: "bike_invitation", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
    ]
}
