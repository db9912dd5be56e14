import RegistryAPI
import RegistryRules
package import RegistrySQL
public import Testing

/// A promise that every store must keep, whatever its database, with the test that checks it.
///
/// A store's tests run all cases, each on a new store.
public struct StoreContract: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    private let check: @Sendable (any RegistryStore, Stage) async throws -> Void

    /// - Parameter check: gets a new store, and a stage on it.
    init(_ description: String, _ check: @escaping @Sendable (any RegistryStore, Stage) async throws -> Void) {
        testDescription = description
        self.check = check
    }

    /// Whatever happens in a case, the audit verifies afterwards.
    package func check(on store: any RegistryStore) async throws {
        let stage = Stage(store)
        try await check(store, stage)
        // Long after everything, since a case may have a clock of its own.
        let end = stage.now.advanced(by: .days(1000))
        while try await store.recordGrowth(limit: 1000, at: end) > 0 {}
        _ = try await store.verifyAudit(nil, against: [])
    }

    // A list, since the type checker takes eleven seconds for as many `+`.
    public static var all: [StoreContract] { parts.flatMap(\.self) }

    private static var parts: [[StoreContract]] {
        [
            principals, statistics, accounts, sessions, bikes, time, reports, searchEnds, channels, stations,
            stationLives, sightings, reopening, plausibility, neighbours, orders, alerts, alertRules, held,
            acknowledgement, reminders, once, audit, missingList, missingListCauses, limits, oldAddresses, finds,
            searches, claims, beaconTests, operators, photos, staffPhotos, finderPhotos, shares, members, memberLives,
            coverage, conversations, conversationLives, checks, displays, desk, overview, conversationAbuse, safety,
            misuse, rotation, slots, dailyUses, partners, partnerRenewal, partnerEvidence,
        ]
    }
}
