import Foundation
import RegistryAPI
package import RegistryRules

/// Checks of numbers by buyers, and their messages.
package struct NumberChecks {
    let db: any Transaction

    package init(_ db: any Transaction) { self.db = db }

    /// Whether a missing bike has a number, or one that is easily misread as it.
    package func check(_ number: BikeNumber) throws -> NumberMatch {
        let key = try BikeNumbers(db).key()
        if try db.exists(Self.isMissing, [key.digest(of: number).blob]) { return .exact }
        var similar: [BikeNumber] = []
        try db.visit(Self.similar, [key.foldedDigest(of: number).blob]) { current in
            for other in try Self.numbers(of: current.row)
            where other.folded == number.folded && other != number && !similar.contains(other) {
                similar.append(other)
            }
            return similar.count < NumberCheckRules.mostBikes
        }
        return similar.isEmpty ? .none : .similar(Array(similar.prefix(NumberCheckRules.mostBikes)))
    }

    /// The numbers of missing bikes for which partners may search, each once.
    func shared(limit: Int) throws -> [BikeNumber] {
        let key = try BikeNumbers(db).key()
        var numbers: [BikeNumber] = []
        var known: Set<BikeNumber> = []
        try db.visit(Self.shared, [limit]) { current in
            let digest: Data = try current.row["digest"]
            for number in try Self.numbers(of: current.row)
            where key.digest(of: number).blob == digest && known.insert(number).inserted {
                numbers.append(number)
            }
            return true
        }
        return numbers
    }

    /// The numbers in the columns serial and vin. A text that is no number is left out.
    private static func numbers(of row: StoredRow) throws -> [BikeNumber] {
        let texts: [String?] = [try row["serial"], try row["vin"]]
        return texts.compactMap { text in text.flatMap { try? BikeNumber(typed: $0) } }
    }

    /// Begins a conversation with the owner of each missing bike with a number. A repeated call changes nothing.
    ///
    /// - Returns: the secrets of the conversations; empty if no missing bike has the number.
    /// - Throws: `message(.tooManyConversations)` if none of the owners can get one.
    package func begin(_ message: BuyerMessage) throws -> [SecretDigest] {
        // They exist if the form was sent twice.
        let begun = try message.conversations.map(\.secret).filter { try Conversations(db).row($0) != nil }
        guard begun.isEmpty else { return begun }
        let digest = try BikeNumbers(db).key().digest(of: message.number)
        let bikes = try reached(by: digest)
        var accepted: [SecretDigest] = []
        for (bike, conversation) in zip(bikes, message.conversations) {
            let target = Self.target(bike, digest)
            if let secret = try begin(conversation, of: message, with: bike, about: target) { accepted.append(secret) }
        }
        guard bikes.isEmpty || !accepted.isEmpty else { throw DomainError.message(.tooManyConversations) }
        return accepted
    }

    /// Begins one of a message’s conversations, unless there are too many about this bike; the other owners still get
    /// the message.
    ///
    /// - Returns: the conversation’s secret; nil if there are too many.
    private func begin(
        _ conversation: BuyerMessage.Conversation, of message: BuyerMessage, with bike: Int64,
        about target: SecretDigest
    ) throws -> SecretDigest? {
        let conversations = FinderConversations(db)
        do {
            try conversations.refuseTooMany(about: target, from: message.network, at: message.time)
            let beginning = FinderConversations.Beginning(
                id: conversation.id, secret: conversation.secret, origin: .number, network: message.network,
                text: message.text, time: message.time)
            try conversations.add(beginning, to: bike, about: target)
            return conversation.secret
        } catch DomainError.message(.tooManyConversations) {
            return nil
        }
    }

    /// The subject for counting conversations: the number and the bike, since one message may begin several.
    private static func target(_ bike: Int64, _ digest: SecretDigest) -> SecretDigest {
        SecretDigest(of: digest.bytes + withUnsafeBytes(of: bike.bigEndian) { Array($0) })
    }

    /// The keys of the missing bikes whose owners get a message about a number, one for each owner. First comes the
    /// bike that had the number first, then those whose police reference an operator has confirmed since they had it,
    /// then the others in the order in which they got it. A thief enters the number later than the owner, so neither
    /// many accounts nor a reference for another bike can keep a message from the owner.
    private func reached(by digest: SecretDigest) throws -> [Int64] {
        let earliest = try firstOfOwners(Self.byTime, digest)
        let confirmed = try firstOfOwners(Self.confirmed, digest)
        var owners: Set<Int64> = []
        let ordered = Array(earliest.prefix(1)) + confirmed + earliest
        let oneOfEachOwner = ordered.filter { owners.insert($0.owner).inserted }
        return oneOfEachOwner.prefix(NumberCheckRules.mostBikes).map(\.bike)
    }

    /// The first bike of each of the first few owners. Reading stops after these, however many bikes have the number.
    private func firstOfOwners(_ sql: String, _ digest: SecretDigest) throws -> [(bike: Int64, owner: Int64)] {
        var found: [(bike: Int64, owner: Int64)] = []
        try db.visit(sql, [digest.blob]) {
            let (bike, owner): (Int64, Int64) = (try $0.row["key"], try $0.row["owner"])
            if !found.contains(where: { $0.owner == owner }) { found.append((bike, owner)) }
            return found.count < NumberCheckRules.mostBikes
        }
        return found
    }

    /// The missing bikes with a number: those that stations search for, and whose owners let buyers check them. Bikes
    /// of a suspended owner are not among them, nor are those whose report got no police reference in time.
    ///
    /// - Parameter hash: the column for looking up a number.
    private static func missingBikes(by hash: String) -> String {
        """
        FROM bike_number
        CROSS JOIN report
        CROSS JOIN bike
        WHERE report.bike = bike_number.bike AND report.closed IS NULL AND bike.key = bike_number.bike
            AND bike_number.\(hash) = ? AND bike_number.consent IS NOT NULL AND report.listed = 1
        """
    }

    private static let missing = missingBikes(by: "digest")

    private static let shared = """
        SELECT bike_number.digest, bike.serial, bike.vin
        FROM report JOIN bike ON bike.key = report.bike JOIN bike_number ON bike_number.bike = bike.key
        WHERE report.closed IS NULL AND report.listed = 1 AND report.only_here = 0 AND bike_number.consent IS NOT NULL
        ORDER BY bike_number.since, bike_number.key LIMIT ?
        """
    static let isMissing = "SELECT 1 \(missing)"
    /// The numbers of the bikes that have had theirs longest, so that they cannot be hidden behind many others.
    static let similar = """
        SELECT bike.serial, bike.vin \(missingBikes(by: "folded")) ORDER BY bike_number.since, bike_number.key LIMIT 100
        """
    static let byTime = "SELECT bike.key, bike.owner \(missing) ORDER BY bike_number.since, bike_number.key"
    static let confirmed = """
        SELECT bike.key, bike.owner \(missing) AND report.confirmed >= bike_number.since
        ORDER BY bike_number.since, bike_number.key
        """
}
