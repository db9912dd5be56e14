import Evidence
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    static let stationLives = [
        StoreContract("an enrolment can be repeated only with its key, and revokes the lost token") {
            store, stage in
            _ = try await stage.invitation(code: "code")
            let first = try await stage.enrol("code", token: "lost", attempt: "key")
            stage.clock.advance(by: .seconds(60))
            let second = try await stage.enrol("code", token: "found", attempt: "key")
            #expect(first == second)
            #expect(try await store.credential(token: SecretDigest(of: "lost")) == nil)
            #expect(try await store.credential(token: SecretDigest(of: "found"))?.principal == .station(first.id))
            for attempt in ["other", nil] {
                await #expect(throws: DomainError.codeUnusable) {
                    _ = try await stage.enrol("code", attempt: attempt)
                }
            }
            stage.clock.advance(by: .days(1))
            await #expect(throws: DomainError.codeUnusable) { _ = try await stage.enrol("code", attempt: "key") }
        },
        StoreContract("an attempt to enrol that arrives late does not take the token from a station that uses it") {
            store, stage in
            for code in ["by a heartbeat", "by a sighting"] {
                _ = try await stage.invitation(code: code)
                let station = try await stage.enrol(code, token: code, attempt: "key").id
                if code == "by a sighting" {
                    let owner = try await stage.owner()
                    let bike = try await stage.bike(of: owner, Samples.identity(1))
                    _ = try await stage.openReport(on: bike.id, of: owner)
                    _ = try await stage.record(Samples.visit(from: stage.now), by: station)
                } else {
                    let heartbeat = StationHeartbeat(version: "1", adapters: [], listVersion: 1)
                    try await store.recordHeartbeat(heartbeat, of: station, at: stage.now)
                }
                await #expect(throws: DomainError.codeUnusable) {
                    _ = try await stage.enrol(code, token: "late", attempt: "key")
                }
                #expect(try await store.credential(token: SecretDigest(of: code))?.principal == .station(station))
            }
        },
        StoreContract("an invitation waits until it is accepted, cancelled or too old") { store, stage in
            let once = IdempotencyKey(
                principal: .station(stage.newID()), key: "key", request: SecretDigest(of: "request"), time: stage.now)
            let by = Principal.station(stage.newID())
            let first = try await stage.invitation(code: "first", once: once)
            let second = try await stage.invitation(code: "second", mobile: true)
            let waiting = try await store.pendingInvitations(PageRequest(limit: 10), at: stage.now)
            #expect(waiting.items.map(\.id) == [first, second] && waiting.items.map(\.mobile) == [false, true])
            #expect(try await store.pendingInvitations(PageRequest(limit: 1), at: stage.now).next == first)
            try await store.cancelInvitation(first, by: by, at: stage.now)
            await #expect(throws: DomainError.codeUnusable) { _ = try await stage.enrol("first") }
            for _ in 0..<2 {
                await #expect(throws: DomainError.notFound("invitation")) {
                    try await store.cancelInvitation(first, by: by, at: stage.now)
                }
            }
            // Repeating the call that created the invitation does not restore it.
            await #expect(throws: DomainError.notFound("invitation")) {
                _ = try await stage.invitation(code: "again", once: once)
            }
            _ = try await stage.enrol("second")
            await #expect(throws: DomainError.invitationAccepted(second)) {
                try await store.cancelInvitation(second, by: by, at: stage.now)
            }
            _ = try await stage.invitation(code: "third")
            stage.clock.advance(by: .days(1))
            #expect(try await store.pendingInvitations(PageRequest(limit: 10), at: stage.now).items.isEmpty)
        },
        StoreContract("a station shows its last heartbeat, which changes no version") { store, stage in
            let id = try await stage.station()
            let before = try #require(try await store.station(id))
            #expect(before.station.heartbeat == nil && before.station.venue == "Café" && !before.station.mobile)
            for version in ["1.0", "1.1"] {
                stage.clock.advance(by: .seconds(60))
                let heartbeat = StationHeartbeat(
                    version: version, adapters: [.init(name: "hci0", state: "scanning", reports: 7)], listVersion: 3
                )
                try await store.recordHeartbeat(heartbeat, of: id, at: stage.now)
                let station = try #require(try await store.station(id))
                #expect(station.station.heartbeat == .init(received: stage.now, heartbeat: heartbeat))
                #expect(station.version == before.version)
            }
            #expect(try await store.station(stage.newID()) == nil)
        },
        StoreContract("a revoked station has no token and cannot report; its earlier sightings stay") { store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let outcome = try await store.revokeStation(
                station, quarantineSince: nil, by: .operator(stage.newID()), at: stage.now
            )
            #expect(outcome.revoked == stage.now && outcome.judgement == nil && outcome.quarantinedSince == nil)
            #expect(try await store.credential(token: SecretDigest(of: station.description)) == nil)
            await #expect(throws: DomainError.notFound("station")) {
                _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            }
            #expect(try await stage.sightings(of: report, by: owner).map(\.level) == [.possible])
        },
        StoreContract("a quarantine disputes sightings since a time, stops their alerts, and can be widened") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            let bar = try await stage.station("bar", venue: "Bar")
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            stage.clock.advance(by: .seconds(700))
            let since = stage.now
            _ = try await stage.record(Samples.visit(2, from: stage.now), by: station)
            _ = try await stage.record(Samples.visit(3, from: stage.now), by: bar)
            let revoke = { (time: Timestamp) in
                try await store.revokeStation(
                    station, quarantineSince: time, by: .operator(stage.newID()), at: stage.now
                )
            }
            let first = try await revoke(since)
            #expect(first.quarantinedSince == since && first.judgement == .init(began: stage.now, sightings: 0))
            for _ in 1...2 {
                #expect(
                    try await stage.sightings(of: report, by: owner).map { Set($0.reasons) }
                        == [[.otherVenue], [.quarantined], [.otherVenue]],
                    "before and after it is stored"
                )
                try await stage.judge()
            }
            #expect(try await stage.claim().count == 2)
            #expect(try await revoke(since).judgement == nil)
            #expect(try await revoke(stage.now).quarantinedSince == since, "nothing is trusted again")
            let wider = try await revoke(report.opened)
            #expect(wider.quarantinedSince == report.opened && wider.judgement?.sightings == 0)
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.level) == [.disputed, .disputed, .possible])
            #expect(try await stage.woken(among: [report]) { try await stage.judge() } == [report.id])
            #expect(try await stage.sightings(of: report, by: owner) == sightings)
        },
        StoreContract("a quarantined station's sightings cause no more alerts from the moment of the quarantine") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            _ = try await stage.record(Samples.visit(1, from: stage.now), by: station)
            _ = try await store.revokeStation(
                station, quarantineSince: stage.now, by: .operator(stage.newID()), at: stage.now)
            #expect(try await stage.claim() == [])
            let evidence = try await store.evidence(of: ReportPath(report, of: owner), limit: 9, at: stage.now)
            #expect(evidence.sightings.map(\.level) == [.disputed])
            #expect(try await stage.woken(among: [report]) { try await stage.judge() } == [report.id])
            #expect(try await store.nextAlertDue() == nil)
        },
        StoreContract("a station shows the progress of judging again, and each change of a sighting is a revision") {
            store, stage in
            let (owner, report, station) = try await stage.missingBike()
            for number in 1...5 as ClosedRange<UInt64> {
                _ = try await stage.record(Samples.visit(number, from: stage.now), by: station)
                stage.clock.advance(by: .seconds(3600))
            }
            let last = try #require(
                try await store.sightingChanges(of: ReportPath(report, of: owner), after: 0, limit: 9).last
            ).revision
            _ = try await store.revokeStation(
                station, quarantineSince: report.opened.advanced(by: .seconds(3600)), by: .operator(stage.newID()),
                at: stage.now
            )
            let progress = { try await store.station(station)?.station.judgement?.sightings }
            #expect(try await progress() == 0)
            let woken = try await stage.woken(among: [report]) {
                _ = try await store.judgeAnew(limit: 3, at: stage.now)
            }
            #expect(woken == [report.id])
            #expect(try await progress() == 2)
            _ = try await store.judgeAnew(limit: 3, at: stage.now)
            #expect(try await progress() == nil)
            try await stage.judge()
            let changes = try await store.sightingChanges(
                of: ReportPath(report, of: owner), after: last, limit: 9
            )
            #expect(changes.map(\.sighting.id.low) == [2, 3, 4, 5])
            let entry = try await store.auditEntries(AuditFilter(action: "station.judged"), PageRequest(limit: 9)).items
            #expect(entry.map(\.event?.details) == [["sightings": "4"]])
        },
    ]
}
