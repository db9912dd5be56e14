import Foundation
import RegistryAPI
import RegistryRules

/// The registry's tables, described once for both databases: each file beside this one has the tables of an area.
///
/// Rows refer to each other by small integer keys; the public 128-bit identifiers occur once in each table. Times are
/// milliseconds since the Unix epoch. A beacon's identity is its 20 transmitted bytes. Booleans are integers 0 and 1.
///
/// PostgreSQL has more: see its engine's `Schema+Own.swift`.
package enum Schema {
    /// All steps, in their order. A database whose first step is another was made before the first release.
    package static let steps: [SchemaStep] = [
        SchemaStep(
            "first",
            tables: [
                stations, owners, operators, tokens, bikes, photos, numbers, members, reports, missingList, sightings,
                channels, alerts, conversations, displays, audit, rotation,
            ].flatMap { $0 },
            triggers: [
                stationTriggers, ownerTriggers, operatorTriggers, tokenTriggers, bikeTriggers, photoTriggers,
                numberTriggers, memberTriggers, reportTriggers, alertTriggers, conversationTriggers, displayTriggers,
                auditTriggers,
            ].flatMap { $0 },
            finish: addFirstRows),
        SchemaStep("engine numbers", usableSince: "first", additions: [Table("bike", "engine_number TEXT")]),
        SchemaStep(
            "tests of beacons", usableSince: "first", additions: [beaconTests], triggers: [beaconTestTrigger]),
        SchemaStep("parked bikes", usableSince: "first", additions: [parkedBikes]),
        SchemaStep(
            "photos for staff", usableSince: "first",
            additions: [
                // StaffPhotoConsent; NULL unless the owner lets staff see the photo.
                Table("photo", "staff_consent BLOB(32)")
            ],
            triggers: staffPhotoTriggers),
        SchemaStep("photos of finders", usableSince: "first", tables: finderPhotos, triggers: finderPhotoTriggers),
        SchemaStep("search ends", usableSince: "first", additions: [searchEnds]),
        SchemaStep("safety requests", usableSince: "first", tables: [safetyRequests]),
        SchemaStep("objections to stops", usableSince: "first", tables: [searchStops]),
        SchemaStep("signs of misuse", usableSince: "first", additions: [searchSigns, verifiedOwners]),
        SchemaStep(
            "partners", usableSince: "first", tables: partners, additions: [sharedReports, partnerStations],
            triggers: partnerTriggers),
        SchemaStep(
            "steps of closed searches", usableSince: "first", tables: [closedSearches], additions: countedSearches),
        SchemaStep("counts of objections", usableSince: "first", additions: [objectionCounts]),
        SchemaStep("signatures of partners", usableSince: "first", tables: partnerSignatures, finish: findPinnings),
        SchemaStep(
            "suspensions of partners", usableSince: "first", additions: [partnerActivity],
            triggers: [partnerActivityTrigger], finish: nameActivity),
        SchemaStep("quarantines of partners", usableSince: "first", additions: [partnerQuarantines]),
        SchemaStep("used codes of partners", usableSince: "first", triggers: [usedPartnerCode]),
        SchemaStep("removals of partners", usableSince: "first", finish: noteRemovals),
        SchemaStep("stations by partner", usableSince: "first", additions: [stationsByPartner]),
        SchemaStep("judgements of reports", usableSince: "first", tables: [reportJudgements]),
        SchemaStep("addresses of partners", usableSince: "first", finish: rewriteAddresses),
    ]

    /// The tables after all steps, each after those that it refers to.
    package static let tables: [Table] = steps.reduce(into: []) { tables, step in
        tables += step.tables
        for addition in step.additions {
            for index in tables.indices where tables[index].name == addition.name { tables[index].append(addition) }
        }
    }

    /// The rows of a new database. Their random values are different in each registry.
    @Sendable private static func addFirstRows(_ db: any Transaction) throws {
        var generator = Entropy.system
        let secret = Data(NumberKey.makeBytes(using: &generator))
        let mark = Int64.random(in: .min ... .max, using: &generator)
        try db.run("INSERT INTO number_key (key, secret) VALUES (1, ?)", [secret])
        try db.run("INSERT INTO missing_list (key, version, mark) VALUES (1, 0, ?)", [mark])
        try db.run("INSERT INTO missing_list_version (number, mark) VALUES (0, ?)", [mark])
        try db.run("INSERT INTO conversation_count (key, conversations) VALUES (1, 0)", [])
        try db.run("INSERT INTO rotation (key, refresh) VALUES (1, 0)", [])
    }

    /// A condition that holds if exactly one of these columns has a value.
    static func exactlyOne(_ columns: String...) -> String {
        columns.map { "CASE WHEN \($0) IS NULL THEN 0 ELSE 1 END" }.joined(separator: " + ") + " = 1"
    }
}
