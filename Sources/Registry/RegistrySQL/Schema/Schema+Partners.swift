import RegistryAPI
import RegistryRules
import Syntax

extension Schema {
    /// Other registries, their missing lists, and the visits that wait for them.
    static let partners: [Table] = [
        // A row stays after the partnership: sightings refer to the partner's stations.
        Table(
            "partner",
            """
            key IDENTITY
            id BLOB(16) NOT NULL UNIQUE
            name TEXT NOT NULL
            -- Of an invitation. It stays until the end of the code, so that an attempt whose response was lost can be
            -- repeated.
            code BLOB(32) UNIQUE
            expires INTEGER
            -- NULL until the invitation is accepted.
            url TEXT
            -- The digest of the token with which the partner calls, and the token with which it is called.
            token BLOB(32) UNIQUE
            secret TEXT
            -- The pinned signing keys in PEM, one after the other.
            public_keys TEXT NOT NULL
            -- The key of the pseudonyms under which it knows this registry's stations.
            pseudonyms BLOB(32) NOT NULL
            most_listed INTEGER NOT NULL
            most_visits INTEGER NOT NULL
            created INTEGER NOT NULL
            accepted INTEGER
            -- When the partner first used its token.
            used INTEGER
            suspended INTEGER
            removed INTEGER
            -- The hour (of the Unix time) of the last visits, and their number.
            hour INTEGER NOT NULL DEFAULT 0
            visits INTEGER NOT NULL DEFAULT 0
            -- What became of the visits that were sent.
            stored INTEGER NOT NULL DEFAULT 0
            ignored INTEGER NOT NULL DEFAULT 0
            refused INTEGER NOT NULL DEFAULT 0
            failure TEXT
            list_failure TEXT
            -- The process that reads the partner's list, and the end of its lease.
            reader INTEGER
            leased INTEGER
            CHECK ((url IS NULL) = (accepted IS NULL))
            """),
        Table(
            "partner_list",
            """
            partner INTEGER PRIMARY KEY REFERENCES partner
            -- The partner's version: 64 bits each, as signed integers.
            number INTEGER NOT NULL
            mark INTEGER NOT NULL
            entries INTEGER NOT NULL
            -- The whole list in the form of docs/missing-list.md.
            body BLOB NOT NULL
            checked INTEGER
            """),
        // What left and joined the lists of partners with a version of this registry's list: five bytes for each hash.
        Table(
            "partner_list_change",
            """
            version INTEGER NOT NULL
            partner INTEGER NOT NULL REFERENCES partner
            removed BLOB NOT NULL
            added BLOB NOT NULL
            PRIMARY KEY (version, partner)
            """),
        Table(
            "partner_outbox",
            """
            key IDENTITY AUTOINCREMENT
            partner INTEGER NOT NULL REFERENCES partner
            station INTEGER NOT NULL REFERENCES station
            visit BLOB(16) NOT NULL
            -- The visit as JSON, as the station last reported it.
            body BLOB NOT NULL
            received INTEGER NOT NULL
            -- The number of reports of the visit that it stands for.
            revision INTEGER NOT NULL DEFAULT 1
            created INTEGER NOT NULL
            due INTEGER NOT NULL
            UNIQUE (partner, station, visit)
            INDEX partner_outbox_due (partner, due, key)
            """),
    ]

    /// The partner to which a station belongs, and its identifier there; NULL for a station of this registry. The table
    /// of stations is older than that of partners, so the column cannot refer to it.
    static let partnerStations = Table(
        "station",
        """
        partner INTEGER
        pseudonym BLOB
        UNIQUE INDEX station_pseudonym (partner, pseudonym) WHERE partner IS NOT NULL AND revoked IS NULL
        """)

    /// Finds the last stations of this registry (0), or of a partner: see Neighbours.
    static let stationsByPartner = Table("station", "INDEX station_partner (coalesce(partner, 0), key)")

    /// Whether only this registry's stations search.
    static let sharedReports = Table(
        "report",
        """
        only_here INTEGER NOT NULL DEFAULT 0
        INDEX report_only_here (bike) WHERE closed IS NULL AND only_here = 1
        """)

    /// What partners signed of sightings, and the audit's entries that record the pinning of their keys.
    static let partnerSignatures: [Table] = [
        Table(
            "partner_key",
            """
            partner INTEGER NOT NULL REFERENCES partner ON DELETE CASCADE
            fingerprint TEXT NOT NULL
            entry INTEGER NOT NULL
            PRIMARY KEY (partner, fingerprint)
            """),
        Table(
            "partner_statement",
            """
            sighting INTEGER PRIMARY KEY REFERENCES sighting ON DELETE CASCADE
            -- The text that was signed, the signature in hexadecimal digits, and the key's fingerprint.
            statement TEXT NOT NULL
            signature TEXT NOT NULL
            fingerprint TEXT NOT NULL
            """),
    ]

    /// The name of the time since which a partner has been active, 32 bytes; NULL unless it is.
    static let partnerActivity = Table("partner", "active BLOB(32)")

    /// A restored backup must not make a partner active that was suspended since.
    static let partnerActivityTrigger = Trigger.revoking(
        "active", of: "partner", at: "UPDATE OF active",
        when: "OLD.active IS NOT NULL AND NEW.active IS DISTINCT FROM OLD.active", named: "partner_suspended")

    /// How often an operator has distrusted the partner's sightings: see PartnerQuarantine.
    static let partnerQuarantines = Table("partner", "quarantines INTEGER NOT NULL DEFAULT 0")

    /// Names the time of partners that are active already.
    @Sendable static func nameActivity(_ db: any Transaction) throws {
        let active = "SELECT key FROM partner WHERE accepted IS NOT NULL AND suspended IS NULL AND removed IS NULL"
        for row in try db.rows(active, []) {
            try Partners(db).nameActivity(of: try row["key"], at: Timestamp(milliseconds: 0))
        }
    }

    /// Looks for the entries that record the pinning of keys of partners that there are already.
    @Sendable static func findPinnings(_ db: any Transaction) throws {
        let partners = Dictionary(
            try db.rows("SELECT key, id FROM partner WHERE accepted IS NOT NULL", []).map { row in
                let id: PartnerID = try row.id("id")
                return ("\(id)", try row["key"] as Int64)
            }
        ) { $1 }
        guard !partners.isEmpty else { return }
        let actions = [AuditAction.partnerJoined, .partnerChanged].map(\.rawValue)
        for row in try db.rows("SELECT * FROM audit WHERE action IN (?, ?) ORDER BY key", [actions[0], actions[1]]) {
            let entry = try AuditEntry(row)
            let details = entry.event?.details ?? [:]
            guard let partner = details["partner"].flatMap({ partners[$0] }) else { continue }
            // A partnership begins with several keys, and a change adds one.
            var keys: [String] = []
            if let all = details["keys"] {
                keys = all.split(at: " ").map(String.init)
            } else if let added = details["key"] {
                keys = [added]
            }
            try PartnerStatements(db).note(keys, of: partner, entry: entry.index)
        }
    }

    /// Writes partners' addresses in their one form: earlier programs stored them as they were typed.
    @Sendable static func rewriteAddresses(_ db: any Transaction) throws {
        for row in try db.rows("SELECT key, url FROM partner WHERE url IS NOT NULL", []) {
            let url: String = try row["url"]
            guard let address = PartnerAddress(url), address.url != url else { continue }
            try db.run("UPDATE partner SET url = ? WHERE key = ?", [address.url, try row["key"] as Int64])
        }
    }

    /// Adds the partners that were removed to the journal of revocations, which had only their tokens.
    @Sendable static func noteRemovals(_ db: any Transaction) throws {
        for row in try db.rows("SELECT id, removed FROM partner WHERE removed IS NOT NULL ORDER BY key", []) {
            try Partners(db).noteRemoval(of: try row.id("id"), at: try row.timestamp("removed"))
        }
    }

    /// Note tokens and codes of partners that no longer work.
    static let partnerTriggers: [Trigger] = [
        .revoking(
            "token", of: "partner", at: "UPDATE OF token",
            when: "OLD.token IS NOT NULL AND NEW.token IS DISTINCT FROM OLD.token"),
        .revoking("code", of: "partner", at: "DELETE", when: "OLD.code IS NOT NULL"),
    ]

    /// In a restored backup, the code of a partner that was removed since then must not work again.
    static let usedPartnerCode = Trigger.revoking(
        "code", of: "partner", at: "UPDATE OF accepted", when: "OLD.accepted IS NULL AND OLD.code IS NOT NULL",
        named: "partner_code_used")
}
