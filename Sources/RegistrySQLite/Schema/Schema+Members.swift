// Members of bikes: other owners with a role on a bike, and the invitations to become one.
extension Schema {
    static let members = [
        """
        CREATE TABLE bike_member (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            -- The member.
            owner INTEGER NOT NULL REFERENCES owner ON DELETE CASCADE,
            -- BikeRole's raw value.
            role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
            label TEXT NOT NULL,
            -- The member who sent the invitation; NULL if the bike's owner did.
            inviter INTEGER REFERENCES bike_member ON DELETE SET NULL,
            -- A random name for the journal of revocations. It is replaced with each change of the role.
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            since INTEGER NOT NULL,
            UNIQUE (bike, owner)
        ) STRICT
        """,
        "CREATE INDEX bike_member_owner ON bike_member (owner, bike)",
        "CREATE INDEX bike_member_inviter ON bike_member (inviter) WHERE inviter IS NOT NULL",
        """
        CREATE TABLE bike_invitation (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            bike INTEGER NOT NULL REFERENCES bike ON DELETE CASCADE,
            inviter INTEGER REFERENCES bike_member ON DELETE CASCADE,
            role INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
            label TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            created INTEGER NOT NULL,
            -- Zero if it has expired and is about to be deleted.
            expires INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX bike_invitation_bike ON bike_invitation (bike, id)",
        "CREATE INDEX bike_invitation_inviter ON bike_invitation (inviter) WHERE inviter IS NOT NULL",
        "CREATE INDEX bike_invitation_expires ON bike_invitation (expires)",
        // The label of the member who opened the report; NULL if the bike's owner did.
        "ALTER TABLE report ADD COLUMN opened_by TEXT",
        // Memberships that end with an account or a bike are in the journal of erasures.
        revoking("digest", of: "bike_member", at: "DELETE", when: "\(hasOwner) AND \(hasBike)"),
        revoking("digest", of: "bike_member", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
        revoking("digest", of: "bike_invitation", at: "DELETE", when: "OLD.expires <> 0 AND \(hasBike)"),
        revoking("digest", of: "bike_invitation", at: "UPDATE OF digest", when: "NEW.digest <> OLD.digest"),
    ]

    static let hasBike = "EXISTS (SELECT 1 FROM bike WHERE key = OLD.bike)"
}
