import Foundation
import Passkeys
import RegistryAPI
import RegistryRules

/// The tables of passkeys: those of owners and of operators differ only in their holder.
enum PasskeyRows: String {
    case owners = "passkey"
    case operators = "desk_passkey"

    /// The column with the holder's key.
    private var holder: String { self == .owners ? "owner" : "operator" }

    /// Adds a passkey, and returns the key of its row.
    ///
    /// - Parameter key: the holder’s key.
    /// - Throws: `passkeyKnown`.
    @discardableResult
    func insert(_ passkey: NewPasskey, of key: Int64, _ db: any Transaction) throws -> Int64 {
        let (details, digest) = (passkey.details, SecretDigest(of: passkey.credentialID))
        guard try !db.exists("SELECT 1 FROM \(rawValue) WHERE digest = ?", [digest.blob]) else {
            throw DomainError.passkeyKnown
        }
        return try db.insert(
            """
            INSERT INTO \(rawValue) (
                id, \(holder), name, digest, credential, algorithm, public_key, counter, relying_party, created
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                details.id.blob, key, details.name, digest.blob, passkey.credentialID, passkey.key.algorithm.rawValue,
                passkey.key.subjectPublicKeyInfo, Int64(passkey.counter), details.relyingParty,
                details.created.milliseconds,
            ]
        )
    }
}

extension Passkey {
    /// Reads a row of either table.
    init(_ row: StoredRow) throws {
        self.init(
            id: try row.id("id"), name: try row["name"], relyingParty: try row["relying_party"],
            created: try row.timestamp("created"), lastUsed: try row.optionalTimestamp("last_used"))
    }
}

extension StoredPasskey {
    /// A passkey from its row, with its holder's identifier from the column `holder_id`.
    init<Resource>(_ row: StoredRow) throws where Holder == ResourceID<Resource> {
        self.init(
            details: try Passkey(row), holder: try row.id("holder_id"),
            credentialID: Array(try row["credential"] as Data), algorithm: try row["algorithm"],
            publicKey: Array(try row["public_key"] as Data))
    }
}
