public import Registry
public import Testing

/// A promise that every store must keep, whatever its database, with the test that checks it.
///
/// A store's tests run all cases, each on a new store.
public struct StoreContract: Sendable, CustomTestStringConvertible {
    public let testDescription: String
    private let check: @Sendable (any RegistryStore) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any RegistryStore) async throws -> Void) {
        testDescription = description
        self.check = check
    }

    public func check(on store: any RegistryStore) async throws { try await check(store) }

    // A list, since the type checker takes eleven seconds for as many `+`.
    public static var all: [StoreContract] { parts.flatMap(\.self) }

    private static var parts: [[StoreContract]] {
        [
            principals, statistics, accounts, sessions, bikes, time, reports, channels, stations, stationLives,
            sightings, reopening, plausibility, orders, alerts, alertRules, held, acknowledgement, reminders, once,
            audit, missingList, missingListCauses, limits, oldAddresses, finds, searches, claims, operators, photos,
            shares, members, memberLives, coverage, conversations, conversationLives, checks, displays, desk,
            overview, conversationAbuse, rotation, slots,
        ]
    }
}
