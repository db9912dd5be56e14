import Foundation
package import Registry
import RegistryAPI

/// Checks of numbers by buyers, and their messages.
package struct NumberChecks {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func isMissing(_ number: BikeNumber) throws -> Bool {
        try db.exists(Self.isMissing, [try BikeNumbers(db).key().digest(of: number).blob])
    }

    package func begin(_ message: BuyerMessage) throws -> Int {
        // The form was sent twice.
        let begun = try message.conversations.filter { try Conversations(db).row($0.secret) != nil }.count
        guard begun == 0 else { return begun }
        let digest = try BikeNumbers(db).key().digest(of: message.number)
        let bikes = try db.rows(Self.reached, [digest.blob, message.conversations.count]).map { row in
            let key: Int64 = try row["key"]
            return (key: key, target: Self.target(key, digest))
        }
        let conversations = FinderConversations(db)
        for bike in bikes {
            try conversations.refuseTooMany(about: bike.target, from: message.network, at: message.time)
        }
        for (bike, conversation) in zip(bikes, message.conversations) {
            let beginning = FinderConversations.Beginning(
                id: conversation.id, secret: conversation.secret, origin: .number, network: message.network,
                text: message.text, time: message.time)
            try conversations.add(beginning, to: bike.key, about: bike.target)
        }
        return bikes.count
    }

    /// What conversations are counted by: the number and the bike, since one message may begin several.
    private static func target(_ bike: Int64, _ digest: SecretDigest) -> SecretDigest {
        SecretDigest(of: digest.bytes + withUnsafeBytes(of: bike.bigEndian) { Array($0) })
    }

    /// The missing bikes with a number: those that stations search for. A suspended owner has none, nor has a report
    /// that nobody has founded in time.
    private static let missing = """
        FROM bike_number
        CROSS JOIN report ON report.bike = bike_number.bike AND report.closed IS NULL
        CROSS JOIN bike ON bike.key = bike_number.bike
        WHERE bike_number.digest = ? AND report.listed = 1
        """

    static let isMissing = "SELECT 1 \(missing)"

    /// The missing bikes whose owners get a message about a number, one for each owner: first those whose police
    /// reference an operator has confirmed, then those that had the number first. A thief registers the number later
    /// than the owner, so many accounts do not keep a message from the owner.
    static let reached = """
        SELECT key FROM (
            SELECT bike.key, report.confirmed IS NULL AS doubtful, numbered, row_number() OVER (
                PARTITION BY bike.owner ORDER BY report.confirmed IS NULL, numbered, bike.key) AS place
            \(missing)
        ) AS missing
        WHERE place = 1 ORDER BY doubtful, numbered, key LIMIT ?
        """
}
