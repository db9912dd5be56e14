import Foundation
import GRDB
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Audit entries about stations and sightings")
struct AuditEntriesTests {
    @Test("every change has one entry with its principal; merging a visit and repeating a call have none")
    func entries() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let clock = HandClock()
        var entropy = Entropy.seeded(1)
        let owner = Owner(id: OwnerID(at: clock.now, using: &entropy), created: clock.now)
        try await store.addOwner(owner, token: SecretDigest(of: "owner"))
        let boss = Principal.operator(OperatorID(at: clock.now, using: &entropy))
        let bike = try await store.registerBike(
            NewBike(
                id: BikeID(at: clock.now, using: &entropy), owner: owner.id, details: Samples.bike,
                identity: .given(Samples.identity(1)), created: clock.now
            ),
            once: nil
        )
        let report = MissingReport(
            id: ReportID(at: clock.now, using: &entropy), bike: bike.id, opened: clock.now, missingSince: clock.now)
        _ = try await store.openReport(report, by: owner.id, once: nil)
        _ = try await store.addInvitation(
            NewInvitation(
                id: InvitationID(at: clock.now, using: &entropy),
                details: InvitationDraft(name: "Café", place: Samples.place), code: SecretDigest(of: "code"),
                created: clock.now, expires: clock.now.advanced(by: .seconds(60)), by: boss
            ),
            once: nil
        )
        let station = try await store.enrol(
            Enrolment(
                code: SecretDigest(of: "code"), station: StationID(at: clock.now, using: &entropy),
                token: SecretDigest(of: "station"), time: clock.now
            )
        )
        for length in [60, 120, 120] {
            _ = try await store.record(
                [Samples.visit(from: clock.now, lasting: .seconds(length))], by: station.id, at: clock.now,
                using: entropy
            )
        }
        _ = try await store.changeStation(
            station.id, StationPatch(name: "Bar"), version: nil, by: boss, at: clock.now)
        for _ in 0..<2 {
            _ = try await store.dismissSighting(
                VisitID(high: 1, low: 1), of: report.id, on: bike.id, owner: owner.id, at: clock.now)
            _ = try await store.revokeStation(station.id, quarantineSince: nil, by: boss, at: clock.now)
        }
        let entries = try await store.read { db in
            try Row.fetchAll(
                db.database,
                sql: "SELECT * FROM audit WHERE action LIKE 'station.%' OR action LIKE 'sighting.%' ORDER BY key"
            ).map {
                "\($0["action"] as String) \(($0["principal"] as String?)?.prefix(while: \.isLetter) ?? "-")"
            }
        }
        #expect(
            entries == [
                "station.invited operator", "station.enrolled -", "sighting.stored station", "station.changed operator",
                "sighting.dismissed owner", "station.revoked operator",
            ]
        )
    }
}
