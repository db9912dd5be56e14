import Passkeys
import RegistryAPI
import RegistryRules

/// New owners’ browsers, each with the passkey and the first session of an account.
struct SignUps {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// Stores the passkey and the session of a new owner.
    ///
    /// - Parameters:
    ///   - owner: the owner’s key.
    ///   - id: the owner’s identifier.
    func insert(_ browser: NewOwner.Browser, owner: Int64, id: OwnerID) throws {
        let passkey = try PasskeyRows.owners.insert(browser.passkey, of: owner, db)
        try Sessions(db).insert(
            browser.session, Grant(owner: owner, ownerID: id, method: .passkey, passkey: passkey))
    }

    /// Gives new secrets to an owner whose response to signing up may have been lost: the same request with the same
    /// passkey came before, and the account has not been used since.
    ///
    /// - Throws: `passkeyRefused`.
    func renew(_ owner: NewOwner, _ browser: NewOwner.Browser) throws {
        let digest = SecretDigest(of: browser.passkey.credentialID)
        let sql = """
            SELECT owner.key, passkey.key AS passkey FROM passkey JOIN owner ON owner.key = passkey.owner
            WHERE digest = ? AND owner.id = ? AND passkey.last_used IS NULL
            AND NOT EXISTS (SELECT 1 FROM token WHERE owner = passkey.owner AND last_used IS NOT NULL)
            """
        guard let row = try db.row(sql, [digest.blob, owner.id.blob]) else {
            throw DomainError.passkeyRefused(.wrongChallenge)
        }
        let (key, passkey): (Int64, Int64) = (try row["key"], try row["passkey"])
        try db.run("DELETE FROM token WHERE owner = ?", [key])
        try db.run("DELETE FROM recovery_code WHERE owner = ?", [key])
        try RecoveryCodes(db).insert(owner.recoveryCodes, of: key)
        try Sessions(db).insert(
            browser.session, Grant(owner: key, ownerID: owner.id, method: .passkey, passkey: passkey))
    }
}
