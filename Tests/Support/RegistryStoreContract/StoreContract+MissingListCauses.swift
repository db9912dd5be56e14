import Beacons
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// The journal records every change to the missing list, whatever its cause.
    static let missingListCauses = [
        StoreContract(
            "a bike whose report has no police reference eventually leaves the list, and returns when it has one"
        ) { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner, policeReference: nil)
            var journal = Journal(store, at: try await store.missingListVersion())
            stage.clock.advance(by: MissingReport.sightingsWithoutReference)
            #expect(try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy) == 1)
            try await journal.expect(removed: [Samples.identity(1)], left: [])
            let change = { (patch: MissingReportPatch) in
                _ = try await store.changeReport(report.id, on: bike.id, patch, by: stage.act(of: owner))
            }
            try await change(MissingReportPatch(["policeReference": "CRIME-7"]))
            try await journal.expect(added: [Samples.identity(1)], left: [Samples.identity(1)])
            try await change(MissingReportPatch(["note": "seen in Leeds"]))
            try await journal.expect(left: [Samples.identity(1)])
        },
        StoreContract("closing a suspended report does not change the list") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            let report = try await stage.openReport(on: bike.id, of: owner, policeReference: nil)
            stage.clock.advance(by: MissingReport.sightingsWithoutReference)
            _ = try await store.suspendReports(limit: 9, at: stage.now, using: stage.entropy)
            let version = try await store.missingListVersion()
            _ = try await stage.close(report, of: owner)
            #expect(try await store.missingListVersion() == version)
        },
        StoreContract("a missing bike keeps its beacon, and is listed with a new one when it is missing again") {
            store, stage in
            let owner = try await stage.owner()
            let one = try await stage.bike(of: owner, Samples.identity(1))
            let two = try await stage.bike(of: owner, Samples.identity(2))
            let report = try await stage.openReport(on: one.id, of: owner)
            var journal = Journal(store, at: try await store.missingListVersion())
            let missing = try #require(try await store.bike(one.id, of: owner))
            await #expect(throws: DomainError.self) {
                _ = try await store.exchangeBeacons(of: missing, with: two.id, by: stage.act(of: owner))
            }
            await #expect(throws: DomainError.self) {
                _ = try await store.replaceBeacon(
                    of: missing, from: .given(Samples.identity(3)), by: stage.act(of: owner)
                )
            }
            try await journal.expect(left: [Samples.identity(1)])
            _ = try await stage.close(report, of: owner)
            let found = try #require(try await store.bike(one.id, of: owner))
            _ = try await store.exchangeBeacons(of: found, with: two.id, by: stage.act(of: owner))
            _ = try await stage.openReport(on: one.id, of: owner)
            try await journal.expect(
                added: [Samples.identity(2)], removed: [Samples.identity(1)], left: [Samples.identity(2)]
            )
        },
        StoreContract("a missing bike leaves the list when it or its owner is erased") { store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.bike(of: owner, Samples.identity(1))
            _ = try await stage.openReport(on: bike.id, of: owner)
            let other = OwnerID(high: 7, low: 7)
            try await store.addOwner(
                NewOwner(
                    id: other, created: stage.now,
                    token: NewToken(
                        OwnerToken(id: TokenID(high: 7, low: 8), name: "first", scope: .manage, created: stage.now),
                        digest: SecretDigest(of: "other")
                    ),
                    recoveryCodes: [SecretDigest(of: "one"), SecretDigest(of: "two")]
                )
            )
            for minor in 2...3 as ClosedRange<UInt16> {
                _ = try await stage.openReport(
                    on: try await stage.bike(of: other, Samples.identity(minor)).id, of: other)
            }
            var journal = Journal(store, at: try await store.missingListVersion())
            let missing = try await store.bikes(of: other, PageRequest(limit: 9)).items
            try await store.eraseBike(
                try #require(missing.first), by: stage.act(of: other, recoveryCode: "one"))
            try await journal.expect(removed: [Samples.identity(2)], left: [Samples.identity(1), Samples.identity(3)])
            let all = try #require(try await store.owner(other))
            try await store.eraseOwner(all, by: stage.act(of: other, recoveryCode: "two"))
            try await journal.expect(removed: [Samples.identity(3)], left: [Samples.identity(1)])
        },
        StoreContract("a missing bike of the original app is listed with its new minor after a change") {
            store, stage in
            var entropy = stage.entropy
            var change = AppBikeChange(
                draft: AppBikeDraft(make: "Vespa", model: "Primavera", beaconMinor: 100, missing: true),
                secret: SecretDigest(of: "secret"), owner: stage.newID(), bike: stage.newID(), report: stage.newID(),
                channel: stage.newID(), signing: SigningSecret(using: &entropy), time: stage.now
            )
            try await store.registerAppBike(change)
            let before = try await store.missingList()
            #expect(before.identities.map(\.minor) == [100])
            var journal = Journal(store, at: before.version)
            change.draft.beaconMinor = 101
            change.report = stage.newID()
            try await store.updateAppBike(change)
            let after = try await store.missingList().identities
            #expect(after.map(\.minor) == [101])
            try await journal.expect(added: Set(after), removed: Set(before.identities), left: after)
            change.draft.missing = false
            try await store.updateAppBike(change)
            try await journal.expect(removed: Set(after), left: [])
        },
    ]
}

/// Follows the list by its changes, as the publisher does.
private struct Journal {
    let store: any RegistryStore
    var version: ListVersion

    init(_ store: any RegistryStore, at version: ListVersion) {
        self.store = store
        self.version = version
    }

    /// Checks the changes since the last call, and the current list.
    mutating func expect(
        added: Set<BeaconIdentity> = [], removed: Set<BeaconIdentity> = [], left: [BeaconIdentity],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let list = try await store.missingList()
        #expect(list.identities == left, sourceLocation: sourceLocation)
        let changes = try #require(try await store.missingListChanges(since: version, upTo: nil))
        #expect(
            Set(changes.added) == added && Set(changes.removed) == removed, sourceLocation: sourceLocation)
        #expect((list.version == version) == (added.isEmpty && removed.isEmpty), sourceLocation: sourceLocation)
        version = list.version
    }
}
