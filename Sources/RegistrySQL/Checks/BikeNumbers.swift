import Foundation
import Registry
import RegistryAPI

/// The numbers of bikes that buyers can check, as keyed hashes. A bike has at most two, and none unless its owner allows
/// it: the rows are the consent.
struct BikeNumbers {
    let db: any Transaction

    init(_ db: any Transaction) { self.db = db }

    /// Stores the numbers of a bike that was registered or changed.
    ///
    /// - Parameter owner: the key of the caller, whose numbers of a day are limited.
    /// - Throws: `tooManyToday`.
    func set(_ bike: Bike, key: Int64, by owner: Int64, _ quotas: Quotas, at time: Timestamp) throws {
        let numbers = bike.details.checkableNumbers
        let stored = try db.rows("SELECT key, digest FROM bike_number WHERE bike = ?", [key])
        guard !numbers.isEmpty || !stored.isEmpty else { return }
        let secret = try self.key()
        var wanted: [Data: BikeNumber] = [:]
        for number in numbers { wanted[secret.digest(of: number).blob] = number }
        for row in stored where wanted.removeValue(forKey: try row["digest"]) == nil {
            try db.run("DELETE FROM bike_number WHERE key = ?", [try row["key"] as Int64])
        }
        for (digest, number) in wanted {
            try OwnerLimits(db).noteUse(.numbers, by: owner, quotas, at: time)
            let consent = secret.consent(to: number, of: bike.id, at: time)
            try db.run(
                "INSERT INTO bike_number (bike, digest, consent) VALUES (?, ?, ?)", [key, digest, consent.blob])
        }
    }

    func deleteAll(of bike: Int64) throws { try db.run("DELETE FROM bike_number WHERE bike = ?", [bike]) }

    /// The key of the hashes, which the migration made.
    func key() throws -> NumberKey {
        guard let row = try db.row("SELECT secret FROM number_key", []) else { throw CorruptRow(column: "secret") }
        return NumberKey(bytes: try row["secret"] as Data)
    }
}
