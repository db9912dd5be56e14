import PasskeyTestSupport
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

private let site = "registry.example"

/// The heartbeat of a station with a broken receiver.
private let deafHeartbeat = StationHeartbeat(
    version: "1", adapters: [.init(name: "hci0", state: "failed", silentSeconds: 4000)], listVersion: 1)

extension StoreContract {
    static let desk = [
        StoreContract("an operator's token or passkey opens sessions; others' do not, and a copied passkey is noted") {
            store, stage in
            let holder = try await stage.operator("a")
            let owner = try await stage.owner()
            let first = try #require(try await stage.open("s1", by: .token(SecretDigest(of: "a"))))
            let found = try #require(try await store.deskSession(secret: SecretDigest(of: "s1"), site: site))
            #expect(found.id == first && found.operator == .init(id: holder, name: "a") && found.signedIn == .token)
            #expect(found.state.passkeys == 0 && found.state.confirmedUntil(at: stage.now) != nil)
            for wrong in [owner.description, "s1", "nothing"] {
                await #expect(throws: DomainError.tokenUnusable) {
                    _ = try await stage.open("s2", by: .token(SecretDigest(of: wrong)))
                }
            }
            let passkey = try await stage.passkey(of: holder)
            #expect(try await stage.open("s3", by: .passkey(passkey, counter: 5)) != nil)
            #expect(try await stage.open("s4", by: .passkey(passkey, counter: 5)) == nil)
            #expect(try await store.deskSession(secret: SecretDigest(of: "s4"), site: site) == nil)
            #expect(try await store.credential(token: SecretDigest(of: "s1")) == nil)
            let actions = try await stage.actions()
            #expect(actions.filter { $0 == "desk.opened" }.count == 2)
            #expect(actions.contains("desk.passkey.added") && actions.contains("desk.passkey.copied"))
        },
        StoreContract("with a passkey, the token no longer confirms what cannot be undone; another's confirms nothing")
        {
            store, stage in
            let (holder, other) = (try await stage.operator("a"), try await stage.operator("b"))
            let session = try #require(try await stage.open("s", by: .token(SecretDigest(of: "a"))))
            let passkey = try await stage.passkey(of: holder)
            func state() async throws -> DeskSessionState {
                guard let found = try await store.deskSession(session, of: holder, site: site) else {
                    throw DomainError.notFound("session")
                }
                return found.state
            }
            #expect(try await state().confirmedUntil(at: stage.now) == nil)
            #expect(try await state().passkeysUntil(at: stage.now) != nil)
            // A passkey for another host is none.
            let elsewhere = try await store.deskSession(session, of: holder, site: "elsewhere.example")
            #expect(elsewhere?.state.passkeys == 0)
            stage.clock.advance(by: DeskSessionState.confirmation)
            #expect(try await state().passkeysUntil(at: stage.now) == nil)
            let result = try await store.confirmDeskSession(
                session, of: holder, by: .passkey(passkey, counter: 0), at: stage.now)
            #expect(result == .accepted(session, holder))
            #expect(try await state().confirmedUntil(at: stage.now) == stage.now.advanced(by: .seconds(300)))
            // A clock that was set back does not prolong it.
            #expect(try await state().confirmedUntil(at: stage.now.advanced(by: .seconds(-60))) == nil)
            await #expect(throws: DomainError.tokenUnusable) {
                _ = try await store.confirmDeskSession(
                    session, of: holder, by: .token(SecretDigest(of: "b")), at: stage.now)
            }
            await #expect(throws: DomainError.notFound("session")) {
                _ = try await store.confirmDeskSession(
                    session, of: other, by: .token(SecretDigest(of: "b")), at: stage.now)
            }
            let theirs = try await stage.passkey(of: other)
            await #expect(throws: DomainError.passkeyRefused(.unknown)) {
                _ = try await store.confirmDeskSession(
                    session, of: holder, by: .passkey(theirs, counter: 0), at: stage.now)
            }
            await #expect(throws: DomainError.notFound("passkey")) {
                try await store.removeDeskPasskey(theirs, of: holder, at: stage.now)
            }
        },
        StoreContract("sessions end with the operator, the passkey and time; passkeys and sessions are limited") {
            store, stage in
            let (holder, other) = (try await stage.operator("a"), try await stage.operator("b"))
            let passkey = try await stage.passkey(of: holder)
            _ = try await stage.open("p", by: .passkey(passkey, counter: 0))
            try await store.removeDeskPasskey(passkey, of: holder, at: stage.now)
            #expect(try await store.deskSession(secret: SecretDigest(of: "p"), site: site) == nil)
            for number in 0...DeskSessionState.most {
                stage.clock.advance(by: .seconds(1))
                _ = try await stage.open("s\(number)", by: .token(SecretDigest(of: "a")))
            }
            let left = try await store.deskSessions(of: holder, site: site)
            #expect(left.map(\.name) == (1...DeskSessionState.most).map { "s\($0)" })
            await #expect(throws: DomainError.notFound("session")) {
                try await store.endDeskSession(left[0].id, of: other, at: stage.now)
            }
            try await store.endDeskSession(left[0].id, of: holder, at: stage.now)
            #expect(try await store.deskSession(secret: SecretDigest(of: "s1"), site: site) == nil)
            for _ in 0..<DeskSessionState.mostPasskeys { _ = try await stage.passkey(of: holder) }
            await #expect(throws: DomainError.tooManyPasskeys(DeskSessionState.mostPasskeys)) {
                _ = try await stage.passkey(of: holder)
            }
            let known = try #require(try await store.deskPasskeys(of: holder).first)
            await #expect(throws: DomainError.passkeyKnown) {
                _ = try await stage.passkey(of: other, credentialID: known.credentialID)
            }
            _ = try await stage.open("o", by: .token(SecretDigest(of: "b")))
            _ = try await store.revokeOperator(holder, by: other, keepsLast: true, at: stage.now)
            #expect(try await store.deskSessions(of: holder, site: site).isEmpty)
            #expect(try await store.deskPasskeys(of: holder).isEmpty)
            await #expect(throws: DomainError.notFound("operator")) { _ = try await stage.passkey(of: holder) }
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.deskSessions(of: other, site: site).count == 1)
            stage.clock.advance(by: DeskSessionState.idle)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.deskSessions(of: other, site: site).isEmpty)
        },
        StoreContract("a session lasts 60 minutes from its last use, and 12 hours at most") { store, stage in
            let holder = try await stage.operator("a")
            let id = try #require(try await stage.open("s", by: .token(SecretDigest(of: "a"))))
            let began = stage.now
            func state() async throws -> DeskSessionState {
                guard let found = try await store.deskSession(id, of: holder, site: site) else {
                    throw DomainError.notFound("session")
                }
                return found.state
            }
            #expect(try await state().ends == began.advanced(by: DeskSessionState.idle))
            #expect(!(try await state().mustNoteUse(at: began.advanced(by: .seconds(59)))))
            #expect(try await state().mustNoteUse(at: began.advanced(by: .seconds(60))))
            let late = began.advanced(by: DeskSessionState.lifetime - .seconds(60))
            try await store.noteUse(ofDesk: id, at: late)
            #expect(try await state().ends == began.advanced(by: DeskSessionState.lifetime))
            #expect(try await state().isValid(at: late))
            #expect(!(try await state().isValid(at: began.advanced(by: DeskSessionState.lifetime))))
            #expect(!(try await state().isValid(at: began.advanced(by: .seconds(-60)))))
            // A clock that was ahead is corrected.
            #expect(try await state().mustNoteUse(at: began))
        },
    ]

    static let overview = [
        StoreContract("the overview counts stations, alerts, failed deliveries and what waits for a decision") {
            store, stage in
            func numbers() async throws -> OverviewNumbers {
                try await store.overviewNumbers(at: stage.now, silentBefore: stage.now.advanced(by: .seconds(-900)))
            }
            let empty = try await numbers()
            #expect(empty.stations == StationCounts() && empty.alerts.isEmpty && empty.deliveryErrors.isEmpty)
            #expect(empty.disputed.reasons.isEmpty && empty.reviews.references.count == 0)
            #expect(empty.database.bytes > 0 && empty.database.freeBytes ?? 1 > 0 && empty.backup == nil)
            let (owner, report, station) = try await stage.missingBike()
            #expect(try await numbers().stations.new == 1)
            let heartbeat = StationHeartbeat(version: "1", adapters: [], listVersion: 1)
            try await store.recordHeartbeat(heartbeat, of: station, at: stage.now)
            _ = try await stage.record(Samples.visit(from: stage.now), by: station)
            let busy = try await numbers()
            #expect(busy.stations == StationCounts(listening: 1))
            try await store.recordHeartbeat(deafHeartbeat, of: station, at: stage.now)
            let deaf = try await numbers()
            #expect(deaf.stations == StationCounts(deaf: 1))
            #expect(busy.alerts.map(\.kind) == [.webhook] && busy.alerts.first?.waiting.count == 1)
            #expect(busy.alerts.first?.oldest == stage.now && busy.auditLength > 0)
            #expect(busy.reviews.references == .init(counted: 1, limit: 9))
            let waiting = try await store.references(PageRequest(limit: 1))
            #expect(waiting.items.map(\.owner) == [owner] && waiting.items.map(\.report.id) == [report.id])
            let alert = try #require(try await stage.claim().first)
            let next = stage.now.advanced(by: .seconds(60))
            try await store.settle(
                alert.id, attempt: alert.attempt, as: .retry(at: next, reason: "it is broken"), at: stage.now)
            let failed = try await numbers()
            #expect(failed.deliveryErrors == [.init(kind: .webhook, count: 1, last: stage.now, text: "it is broken")])
            #expect(failed.alerts.first?.waiting.count == 1)
            _ = try await store.confirmReference(
                "CRIME-7", of: report.id,
                by: OperatorAct(id: stage.newID(), time: stage.now, entropy: stage.entropy))
            #expect(try await store.references(PageRequest(limit: 1)).items.isEmpty)
            stage.clock.advance(by: .seconds(25 * 3600))
            let later = try await numbers()
            #expect(later.stations == StationCounts(silent: 1) && later.deliveryErrors.isEmpty)
            try await store.deleteLeftovers(at: stage.now)
            _ = try await store.revokeStation(
                station, quarantineSince: Timestamp(milliseconds: 0), by: .operator(stage.newID()), at: stage.now)
            try await stage.judge()
            let quarantined = try await numbers()
            #expect(quarantined.stations == StationCounts(revoked: 1) && quarantined.monitorVersions.isEmpty)
            #expect(quarantined.disputed.reasons == [.init(reason: .quarantined, sightings: 1)])
            stage.clock.advance(by: .days(7))
            #expect(try await numbers().disputed.reasons.isEmpty)
        },
        StoreContract("the map has all stations that are not revoked, where they are now") { store, stage in
            let (first, second) = (try await stage.station("a"), try await stage.station("b"))
            let moved = Place(latitude: 1, longitude: 2)
            stage.clock.advance(by: .seconds(60))
            _ = try await store.changeStation(
                first, StationPatch(name: "New name", place: moved), version: nil, by: .operator(stage.newID()),
                at: stage.now)
            let heartbeat = StationHeartbeat(version: "1", adapters: [], listVersion: 1)
            try await store.recordHeartbeat(heartbeat, of: first, at: stage.now)
            func map(_ silent: Int) async throws -> StationMap {
                try await store.stationMap(silentBefore: stage.now.advanced(by: .seconds(silent)))
            }
            let mark = try #require(try await map(0).stations.first { $0.id == first })
            #expect(mark.name == "New name" && mark.latitude == 1 && mark.longitude == 2)
            #expect(mark.state == .listening && mark.heartbeat == stage.now)
            #expect(try await map(1).stations.map(\.state).sorted { $0.rawValue < $1.rawValue } == [.new, .silent])
            try await store.recordHeartbeat(deafHeartbeat, of: first, at: stage.now)
            #expect(try await map(0).stations.first { $0.id == first }?.state == .deaf)
            #expect(try await map(1).stations.first { $0.id == first }?.state == .silent)
            try await store.recordHeartbeat(heartbeat, of: first, at: stage.now)
            #expect(try await map(0).stations.first { $0.id == first }?.state == .listening)
            _ = try await store.revokeStation(
                second, quarantineSince: nil, by: .operator(stage.newID()), at: stage.now)
            #expect(try await map(0).stations.map(\.id) == [first])
        },
    ]
}

extension Stage {
    /// An operator whose name is the token.
    fileprivate func `operator`(_ token: String) async throws -> OperatorID {
        let id: OperatorID = newID()
        try await store.addOperator(
            Operator(id: id, name: token, created: now), token: SecretDigest(of: token), by: nil)
        return id
    }

    fileprivate func passkey(of operator: OperatorID, credentialID: [UInt8]? = nil) async throws -> PasskeyID {
        let authenticator = SoftwareAuthenticator()
        let details = Passkey(id: newID(), name: "p", relyingParty: site, created: now)
        let key = try PasskeyKey(algorithm: -7, subjectPublicKeyInfo: authenticator.publicKey)
        let passkey = NewPasskey(
            details: details, credentialID: credentialID ?? authenticator.credentialID, key: key, counter: 0)
        try await store.addDeskPasskey(passkey, of: `operator`)
        return details.id
    }

    /// The new session; nil if the passkey seems to be a copy. The secret is the name.
    fileprivate func open(_ name: String, by proof: DeskProof) async throws -> DeskSessionID? {
        let session = NewDeskSession(id: newID(), name: name, digest: SecretDigest(of: name), began: now)
        guard case .accepted(let id, _) = try await store.openDeskSession(session, by: proof) else { return nil }
        return id
    }
}
