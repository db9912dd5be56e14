import Foundation
package import Registry
import RegistryAPI

/// Checks of numbers by buyers, and their messages.
package struct NumberChecks {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    package func isMissing(_ number: BikeNumber) throws -> Bool {
        try !missing(try BikeNumbers(db).key().digest(of: number)).isEmpty
    }

    package func begin(_ message: BuyerMessage) throws -> Int {
        // The form was sent twice.
        let begun = try message.conversations.filter { try Conversations(db).row($0.secret) != nil }.count
        guard begun == 0 else { return begun }
        let digest = try BikeNumbers(db).key().digest(of: message.number)
        let bikes = try missing(digest).map { (key: $0, target: Self.target($0, digest)) }
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
        return min(bikes.count, message.conversations.count)
    }

    /// What conversations are counted by: the number and the bike, since one message may begin several.
    private static func target(_ bike: Int64, _ digest: SecretDigest) -> SecretDigest {
        SecretDigest(of: digest.bytes + withUnsafeBytes(of: bike.bigEndian) { Array($0) })
    }

    /// The bikes with a number that stations search for. A suspended owner has none, nor has a report that nobody has
    /// founded in time.
    static let query = """
        SELECT bike.key, bike.owner, report.confirmed FROM bike_number
        CROSS JOIN report ON report.bike = bike_number.bike AND report.closed IS NULL
        CROSS JOIN bike ON bike.key = bike_number.bike
        WHERE bike_number.digest = ? AND report.listed = 1 ORDER BY bike_number.key LIMIT ?
        """

    /// The missing bikes with a number, one for each owner: first those whose police reference an operator has confirmed,
    /// then those whose owners were the first to allow the check. So somebody with one account cannot displace the owner.
    private func missing(_ digest: SecretDigest) throws -> [Int64] {
        let rows = try db.rows(Self.query, [digest.blob, NumberCheckRules.mostCandidates])
        let ordered = rows.filter { $0.hasNonNull("confirmed") } + rows.filter { !$0.hasNonNull("confirmed") }
        var owners: Set<Int64> = []
        return try ordered.filter { owners.insert(try $0["owner"]).inserted }.prefix(NumberCheckRules.mostBikes)
            .map { try $0["key"] }
    }
}
