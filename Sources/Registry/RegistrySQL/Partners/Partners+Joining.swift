package import RegistryAPI
package import RegistryRules

// How a registry becomes a partner: an invitation from either side, and what both exchange.
extension Partners {
    /// Adds an invitation that another registry can accept.
    ///
    /// - Throws: `partnersFull`.
    package func invite(_ invitation: NewPartnerInvitation) throws {
        try requireRoom(at: invitation.created)
        let limits = PartnerLimits()
        try db.run(
            """
            INSERT INTO partner (id, name, code, expires, public_keys, pseudonyms, most_listed, most_visits, created)
            VALUES (?, ?, ?, ?, '', ?, ?, ?, ?)
            """,
            [
                invitation.id.blob, invitation.name, invitation.code.blob, invitation.expires.milliseconds,
                invitation.pseudonyms, limits.listed, limits.visits, invitation.created.milliseconds,
            ])
        try note(.partnerInvited, invitation.id, invitation.name, by: invitation.by, at: invitation.created)
    }

    /// Makes an invitation a partnership, or renews the one that the code was made for (``askToRenew(_:)``). After an
    /// invitation, the registry with the same signing key may repeat this until it has used its token, because the
    /// response may be lost. Only the holder of the key can: the offer was proved by it. A code for renewal works once.
    ///
    /// By another code, a registry that is a partner already is refused: as two partners it would report each visit
    /// twice, and confirm itself. Its partnership is not renewed, because somebody between the two registries may have
    /// relayed its offer with a code that was meant for them.
    ///
    /// - Throws: `codeUnusable`, `invalidFields`.
    package func join(code: SecretDigest, _ terms: PartnerTerms, at time: Timestamp) throws {
        let sql = "SELECT * FROM partner WHERE code = ? AND expires > ? AND removed IS NULL"
        guard let row = try db.row(sql, [code.blob, time.milliseconds]) else { throw DomainError.codeUnusable }
        let key: Int64 = try row["key"]
        if row.hasNonNull("accepted") {
            let pinned = Set(Self.keys(try row["public_keys"]))
            guard !row.hasNonNull("used"), pinned.isSuperset(of: terms.publicKeys) else {
                throw DomainError.codeUnusable
            }
            // Operators have compared the address only once, and a former partner is known by it (PartnerStations).
            let url: String = try row["url"]
            guard url == terms.url else {
                throw DomainError.invalidField(
                    "/url", "must be the address that this registry knows: put it back, or remove this partner first")
            }
            // It has no token since ``askToRenew(_:)``.
            if !row.hasNonNull("token") { try db.run("UPDATE partner SET code = NULL WHERE key = ?", [key]) }
            return try renew(row, terms, by: nil, at: time)
        }
        guard try holder(of: terms.publicKeys, except: key) == nil else {
            throw DomainError.invalidField(
                "/publicKey", "must not be the key of a partner: renew that partnership, or remove it first")
        }
        try requireFree(terms.url, except: key)
        try join(key, try row.id("id"), try row["name"], terms, by: nil, at: time)
    }

    /// Ends a partner's token, and lets the partner get a new one by a code. Only the holder of a pinned key can use it,
    /// so a code for renewal is of no use to anybody else.
    ///
    /// - Throws: `notFound`.
    package func askToRenew(_ renewal: PartnerRenewal) throws {
        let sql = "SELECT key, name FROM partner WHERE id = ? AND accepted IS NOT NULL AND removed IS NULL"
        guard let row = try db.row(sql, [renewal.partner.blob]) else { throw DomainError.notFound("partner") }
        let key: Int64 = try row["key"]
        try db.run(
            "UPDATE partner SET token = NULL, used = NULL, code = ?, expires = ? WHERE key = ?",
            [renewal.code.blob, renewal.expires.milliseconds, key])
        try note(
            .partnerInvited, renewal.partner, try row["name"], by: renewal.by, at: renewal.created,
            ["token": "revoked"])
    }

    /// Adds the registry whose invitation was accepted, or gives the partnership with it new tokens.
    ///
    /// - Returns: the partner's identifier, which is that of the invitation if the registry was no partner before.
    /// - Throws: `partnersFull`, `invalidFields`.
    package func add(_ invitation: NewPartnerInvitation, _ terms: PartnerTerms) throws -> PartnerID {
        if let partner = try holder(of: terms.publicKeys) {
            // A registry that only relays its answer must not get its visits.
            var terms = terms
            terms.url = try partner["url"]
            // An unexpired code of this registry would work again, because the new token is not used yet.
            try db.run("UPDATE partner SET code = NULL WHERE key = ?", [try partner["key"] as Int64])
            try renew(partner, terms, by: invitation.by, at: invitation.created)
            return try partner.id("id")
        }
        try requireFree(terms.url)
        try requireRoom(at: invitation.created)
        let limits = PartnerLimits()
        let key = try db.insert(
            """
            INSERT INTO partner (id, name, public_keys, pseudonyms, most_listed, most_visits, created)
            VALUES (?, ?, '', ?, ?, ?, ?)
            """,
            [
                invitation.id.blob, invitation.name, invitation.pseudonyms, limits.listed, limits.visits,
                invitation.created.milliseconds,
            ])
        try join(key, invitation.id, invitation.name, terms, by: invitation.by, at: invitation.created)
        return invitation.id
    }

    /// Replaces the tokens of a partner, which keeps its address, name, limits, pinned keys and stations. Visits are
    /// addressed to the key that it has proved.
    private func renew(
        _ partner: StoredRow, _ terms: PartnerTerms, by principal: Principal?, at time: Timestamp
    ) throws {
        var terms = terms
        let proved = terms.publicKeys
        terms.publicKeys = Self.keys(try partner["public_keys"]).filter { !proved.contains($0) } + proved
        try join(try partner["key"], try partner.id("id"), try partner["name"], terms, by: principal, at: time)
    }

    /// Refuses an address that another partner has.
    private func requireFree(_ url: String, except other: Int64 = 0) throws {
        guard try !isPartner(url, except: other) else {
            throw DomainError.invalidField(
                "/url", "must not be the address of a partner with another key: remove that partner first")
        }
    }

    /// Whether an address is that of a partner.
    ///
    /// - Parameter other: the key of a partner that does not count.
    private func isPartner(_ url: String, except other: Int64 = 0) throws -> Bool {
        let sql = "SELECT 1 FROM partner WHERE url = ? AND accepted IS NOT NULL AND removed IS NULL AND key <> ?"
        return try db.exists(sql, [url, other])
    }

    /// Stores what was exchanged, and notes it in the audit.
    private func join(
        _ key: Int64, _ id: PartnerID, _ name: String, _ terms: PartnerTerms, by principal: Principal?,
        at time: Timestamp
    ) throws {
        try db.run(
            """
            UPDATE partner SET url = ?, token = ?, secret = ?, public_keys = ?, accepted = ?, used = NULL WHERE key = ?
            """,
            [terms.url, terms.token.blob, terms.secret, terms.publicKeys.joined(), time.milliseconds, key])
        try nameActivity(of: key, at: time)
        let keys = Self.fingerprints(terms.publicKeys)
        try PartnerStatements(db).note(keys, of: key, entry: try AuditTrail(db).nextIndex())
        try note(
            .partnerJoined, id, name, by: principal, at: time,
            ["url": terms.url, "keys": keys.joined(separator: " ")])
    }

    /// Refuses the registry at an address if it would be one partner too many. Before the registry is asked: it would then
    /// have a partner that does not know it.
    ///
    /// - Throws: `partnersFull`.
    package func requireRoom(for url: String, at time: Timestamp) throws {
        if try !isPartner(url) { try requireRoom(at: time) }
    }

    /// Refuses one more partner, and deletes invitations that have expired.
    ///
    /// - Throws: `partnersFull`.
    private func requireRoom(at time: Timestamp) throws {
        try db.run("DELETE FROM partner WHERE accepted IS NULL AND expires <= ?", [time.milliseconds])
        let count = try db.integer("SELECT count(*) FROM partner WHERE removed IS NULL", []) ?? 0
        guard count < PartnerRules.mostPartners else { throw DomainError.partnersFull }
    }
}
