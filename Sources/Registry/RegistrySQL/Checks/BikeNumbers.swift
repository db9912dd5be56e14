import Foundation
import RegistryAPI
import RegistryRules

/// The numbers that bikes have or had, as keyed hashes, and their owners' consent to let buyers check them.
package struct BikeNumbers {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// The maximum number of a bike's numbers that are remembered; beyond it, the newest are forgotten.
    private static let limit = 20

    /// Stores the numbers of a bike that was registered or changed. Those that it no longer has stay, without consent.
    ///
    /// - Parameters:
    ///   - key: the bike’s key.
    ///   - owner: the key of the caller, who may set a limited number of numbers in a day.
    /// - Throws: `tooManyToday`.
    func set(_ bike: Bike, key: Int64, by owner: Int64, _ quotas: Quotas, at time: Timestamp) throws {
        let numbers = bike.details.numbers
        let stored = try db.rows("SELECT digest, consent FROM bike_number WHERE bike = ?", [key])
        guard !numbers.isEmpty || !stored.isEmpty else { return }
        let secret = try self.key()
        var consents: [Data: Data?] = [:]
        for row in stored { consents[try row["digest"]] = try row["consent"] as Data? }
        for number in numbers {
            let digest = secret.digest(of: number).blob
            var consent = consents.removeValue(forKey: digest) ?? nil
            if !bike.allowsBuyerCheck {
                consent = nil
            } else if consent == nil {
                try OwnerLimits(db).noteUse(.numbers, by: owner, quotas, at: time)
                consent = secret.consent(to: number, of: bike.id, at: time).blob
            }
            try db.run(
                """
                INSERT INTO bike_number (bike, digest, folded, since, consent) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (bike, digest) DO UPDATE SET consent = excluded.consent, folded = excluded.folded
                """, [key, digest, secret.foldedDigest(of: number).blob, time.milliseconds, consent])
        }
        for (digest, consent) in consents where consent != nil {
            try db.run("UPDATE bike_number SET consent = NULL WHERE bike = ? AND digest = ?", [key, digest])
        }
        try forget(ofBike: key)
    }

    /// Ends the checks of a bike, by the bike’s key: each new owner decides again.
    func endConsent(of bike: Int64) throws {
        try db.run("UPDATE bike_number SET consent = NULL WHERE bike = ? AND consent IS NOT NULL", [bike])
    }

    /// The key of the hashes, which was made with the tables.
    func key() throws -> NumberKey {
        guard let row = try db.row("SELECT secret FROM number_key", []) else { throw CorruptRow(column: "secret") }
        return NumberKey(bytes: try row["secret"] as Data)
    }

    /// Deletes the newest numbers beyond the limit, unless buyers can check them.
    private func forget(ofBike bike: Int64) throws {
        try db.run(
            """
            DELETE FROM bike_number WHERE consent IS NULL AND key IN (
                SELECT key FROM bike_number WHERE bike = ? ORDER BY since, key LIMIT 1000 OFFSET ?
            )
            """, [bike, Self.limit])
    }
}
