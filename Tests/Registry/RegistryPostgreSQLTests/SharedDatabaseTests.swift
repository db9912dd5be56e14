import Beacons
import MissingList
import RegistryAPI
import RegistryPostgreSQL
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryStoreContract

@Suite("Two stores on one database")
struct SharedDatabaseTests {
    @Test("a visit that both record at the same time is one sighting, and the audit's chain is whole")
    func sameVisits() async throws {
        try await TestDatabase.withStores(2) { stores in
            let stage = Stage(stores[0])
            let (owner, report, station) = try await stage.missingBike()
            let visits = (1...40).map { number in
                Samples.visit(UInt64(number), from: stage.now.advanced(by: .seconds(10 * number)))
            }
            let (entropy, now) = (stage.entropy, stage.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    for visit in visits {
                        group.addTask {
                            let results = try await store.record([visit], by: station, at: now, using: entropy)
                            #expect(results.allSatisfy { if case .stored = $0 { true } else { false } })
                        }
                    }
                }
                try await group.waitForAll()
            }
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(Set(sightings.map(\.id)) == Set(visits.map(\.id)) && sightings.count == visits.count)
            // Each entry is linked to the one before it, and none is missing.
            let audit = try await stores[1].verifyAudit()
            #expect(audit.length >= Int64(visits.count))
        }
    }

    @Test("revisions are numbered without gaps and duplicates, whichever store writes")
    func revisions() async throws {
        try await TestDatabase.withStores(2) { stores in
            let stage = Stage(stores[0])
            let (owner, report, station) = try await stage.missingBike(hasChannel: false)
            let (entropy, now) = (stage.entropy, stage.now)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...60 {
                    group.addTask {
                        let visit = Samples.visit(UInt64(number), from: now.advanced(by: .seconds(10 * number)))
                        _ = try await stores[number % 2].record([visit], by: station, at: now, using: entropy)
                    }
                }
                try await group.waitForAll()
            }
            let path = ReportPath(report, of: owner)
            let changed = try await stores[1].sightingChanges(of: path, after: 0, limit: 100)
            #expect(changed.map(\.revision) == Array(1...60))
        }
    }

    @Test("no alert is claimed by both")
    func claims() async throws {
        try await TestDatabase.withStores(2) { stores in
            let stage = Stage(stores[0])
            let owners = 12
            let station = try await stage.station()
            for number in 1...owners {
                let owner = try await stage.owner()
                _ = try await stage.channel(of: owner)
                let identity = Samples.identity(UInt16(number))
                _ = try await stage.openReport(on: try await stage.bike(of: owner, identity).id, of: owner)
                _ = try await stage.record(Samples.visit(UInt64(number), of: identity, from: stage.now), by: station)
            }
            let now = stage.now
            let claimed = try await withThrowingTaskGroup(of: [AlertID].self) { group in
                for number in 0..<8 {
                    group.addTask {
                        var claimed: [AlertID] = []
                        while true {
                            let alerts = try await stores[number % 2].claimAlerts(
                                at: now, leaseUntil: now.advanced(by: .seconds(60)), limit: 1)
                            if alerts.isEmpty { return claimed }
                            claimed += alerts.map(\.id)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(Set(claimed).count == claimed.count)
            // Each owner has the alert, and the notice of the opened report if there is one.
            #expect(claimed.count >= owners)
        }
    }

    @Test("the missing list's versions never go back, and their changes lead to the list")
    func versions() async throws {
        try await TestDatabase.withStores(2) { stores in
            let stages = stores.enumerated().map { Stage($1, seed: UInt64($0) + 1) }
            let start = try await stores[0].missingListVersion()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, stage) in stages.enumerated() {
                    let owner = try await stage.owner()
                    let identities = (1...8).map { Samples.identity(UInt16(number * 100 + $0)) }
                    group.addTask {
                        for identity in identities {
                            let bike = try await stage.bike(of: owner, identity)
                            let report = try await stage.openReport(on: bike.id, of: owner)
                            if identity.minor % 2 == 0 { _ = try await stage.close(report, of: owner) }
                        }
                    }
                }
                group.addTask {
                    var last = start
                    for round in 0..<200 {
                        let version = try await stores[round % 2].missingListVersion()
                        #expect(version.number >= last.number)
                        if version.number == last.number { #expect(version.mark == last.mark) }
                        last = version
                    }
                }
                try await group.waitForAll()
            }
            let list = try await stores[0].missingList()
            #expect(list.identities.count == 8)
            let changes = try #require(try await stores[1].missingListChanges(since: start, upTo: list.version))
            #expect(Set(changes.added) == Set(list.identities) && changes.removed.isEmpty)
        }
    }

    @Test("a token that one store has revoked is invalid at the other at once")
    func revocation() async throws {
        try await TestDatabase.withStores(2) { stores in
            let stage = Stage(stores[0])
            let owner = try await stage.owner()
            let digest = SecretDigest(of: owner.description)
            let credential = try #require(try await stores[1].credential(token: digest))
            try await stores[0].revokeToken(try #require(credential.token), by: stage.act(of: owner))
            #expect(try await stores[1].credential(token: digest) == nil)
        }
    }
}
