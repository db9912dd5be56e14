import Evidence
import Foundation
import PasskeyTestSupport
import Passkeys
import RegistryAPI
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Revocations and backups")
struct RevocationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("registry.sqlite") }
    private var backup: String { folder.file("backup.sqlite") }
    private var journal: String { path + ".revocations" }
    private let time = HandClock().now
    private let owner = OwnerID(high: 1, low: 1)
    private let token = TokenID(high: 2, low: 1)
    private let `operator` = OperatorID(high: 3, low: 1)
    private let station = StationID(high: 4, low: 1)
    private let invitation = InvitationID(high: 5, low: 1)

    init() throws { folder = try TemporaryFolder() }

    private func ownerToken(_ number: UInt64) -> NewToken {
        let details = OwnerToken(id: TokenID(high: 2, low: number), name: "\(number)", scope: .manage, created: time)
        return NewToken(details, digest: SecretDigest(of: "owner \(number)"))
    }

    /// A registry with an owner, an operator, a station and an invitation, and a backup of it.
    private func registry() async throws -> SQLiteRegistryStore {
        let store = try await SQLiteRegistryStore.opening(path)
        try await store.addOwner(
            NewOwner(
                id: owner, created: time, token: ownerToken(1),
                recoveryCodes: [SecretDigest(of: "code"), SecretDigest(of: "other")]))
        try await store.addOperator(
            Operator(id: `operator`, name: "op", created: time), token: SecretDigest(of: "operator"), by: nil)
        for (number, code) in ["station code", "cancelled code"].enumerated() {
            _ = try await store.addInvitation(
                NewInvitation(
                    id: InvitationID(high: 5, low: UInt64(number)),
                    details: InvitationDraft(name: code, place: Samples.place), code: SecretDigest(of: code),
                    created: time, expires: time.advanced(by: .seconds(600)), by: .operator(`operator`)), once: nil)
        }
        _ = try await enrol(in: store, "station code")
        try RegistryBackup.backUp(path, to: backup)
        return store
    }

    private func enrol(in store: SQLiteRegistryStore, _ code: String) async throws -> Station {
        try await store.enrol(
            Enrolment(
                code: SecretDigest(of: code), station: station, token: SecretDigest(of: "station"), time: time))
    }

    /// Revokes every token, cancels the invitation and uses a recovery code.
    private func revoke(in store: SQLiteRegistryStore) async throws {
        let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
        _ = try await store.recover(
            code: SecretDigest(of: "code"), token: ownerToken(2), at: time, using: .seeded(1))
        try await store.revokeToken(token, by: act)
        _ = try await store.revokeOperator(`operator`, by: nil, keepsLast: false, at: time)
        _ = try await store.revokeStation(station, quarantineSince: nil, by: .operator(`operator`), at: time)
        try await store.cancelInvitation(invitation, by: .operator(`operator`), at: time)
    }

    private func works(_ token: String, in store: SQLiteRegistryStore) async throws -> Bool {
        try await store.credential(token: SecretDigest(of: token)) != nil
    }

    private func lines() throws -> [String] {
        let text = try String(contentsOfFile: journal, encoding: .utf8)
        return text.split(separator: "\n").map { String($0.suffix(64)) }.sorted()
    }

    /// Waits until the files are closed, since a store's threads close them a moment after the store is released.
    private func waitUntilClosed() async throws {
        let isOpen = {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains { descriptor in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return file?.hasPrefix(path) == true
            }
        }
        try await eventually("the files are closed") { try !isOpen() }
    }

    private static let revoked = ["owner 1", "operator", "station", "code", "cancelled code", "station code"]

    private static func digests(_ secrets: [String]) -> [String] {
        secrets.map { Hexadecimal.text(SecretDigest(of: $0).bytes) }.sorted()
    }

    @Test("a restored backup again revokes everything revoked after it was made, and accepts no used code")
    func restored() async throws {
        do {
            let store = try await registry()
            #expect(try lines() == Self.digests(["station code"]))
            try await revoke(in: store)
            #expect(try lines() == Self.digests(Self.revoked))
        }
        try await waitUntilClosed()
        let restored = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        #expect(restored.knowsRevocations && restored.revocations == journal && restored.lastChange == time)
        let store = try await SQLiteRegistryStore.opening(path)
        for secret in Self.revoked.prefix(3) { #expect(try await !works(secret, in: store), "\(secret)") }
        await #expect(throws: DomainError.codeUnusable) {
            _ = try await store.recover(
                code: SecretDigest(of: "code"), token: ownerToken(3), at: time, using: .seeded(1))
        }
        await #expect(throws: DomainError.codeUnusable) { _ = try await enrol(in: store, "cancelled code") }
        #expect(try await store.operators(PageRequest(limit: 9)).items.allSatisfy { $0.revoked != nil })
        #expect(try await store.station(station)?.station.revoked != nil)
        let entries = try await store.auditEntries(AuditFilter(), PageRequest(limit: 99)).items
        let actions = entries.compactMap(\.event?.action)
        #expect(Set(actions.suffix(3)) == ["token.revoked", "operator.revoked", "station.revoked"])
        _ = try await store.verifyAudit(nil, against: [])
        // The unused code still works.
        _ = try await store.recover(
            code: SecretDigest(of: "other"), token: ownerToken(3), at: time, using: .seeded(1))
        #expect(try await works("owner 3", in: store))
    }

    @Test("a restored backup without a journal is reported")
    func noJournal() async throws {
        do { _ = try await registry() }
        try await waitUntilClosed()
        try FileManager.default.removeItem(atPath: journal)
        let restored = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        #expect(!restored.knowsRevocations)
        #expect(try await works("operator", in: .opening(path)))
    }

    @Test("only its user can read the journal, and an entry lost in a crash is added when the database is opened")
    func crash() async throws {
        do {
            let store = try await registry()
            try await revoke(in: store)
            let mode = try FileManager.default.attributesOfItem(atPath: journal)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        try await waitUntilClosed()
        try FileManager.default.removeItem(atPath: journal)
        for _ in 1...2 {
            _ = try await SQLiteRegistryStore.opening(path)
            try await waitUntilClosed()
            #expect(try lines() == Self.digests(Self.revoked))
        }
    }

    @Test("an erased owner leaves nothing in the journal")
    func erased() async throws {
        let store = try await registry()
        let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
        try await store.eraseOwner(try #require(try await store.owner(owner)), by: act)
        #expect(try lines() == Self.digests(["station code"]))
    }

    @Test("if the journal cannot be written, only the revocation fails, and the next one records both")
    func fullDisk() async throws {
        let store = try await registry()
        try FileManager.default.removeItem(atPath: journal)
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        let failure = await #expect(throws: DomainError.self) {
            _ = try await store.revokeOperator(`operator`, by: nil, keepsLast: false, at: time)
        }
        guard case .storageUnavailable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(try await !works("operator", in: store))
        let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
        _ = try await store.addToken(ownerToken(2), by: act, once: nil)
        try FileManager.default.removeItem(atPath: journal)
        try await store.revokeToken(token, by: act)
        #expect(try lines() == Self.digests(["operator", "owner 1"]))
    }

    /// Opens a session by a passkey; its secret is its name.
    private func signIn(
        _ name: String, by passkey: PasskeyID, in store: SQLiteRegistryStore, at time: Timestamp
    )
        async throws -> TokenID
    {
        let session = NewSession(
            id: TokenID(high: 6, low: UInt64(name.utf8.count)), name: name, digest: SecretDigest(of: name),
            created: time)
        _ = try await store.openSession(session, by: .passkey(passkey, counter: 0), using: .seeded(1))
        return session.id
    }

    @Test("a restored backup brings back no removed passkey and no session that was ended; expired ones need no entry")
    func sessions() async throws {
        let authenticator = SoftwareAuthenticator()
        let passkey = PasskeyID(high: 7, low: 1)
        do {
            let store = try await registry()
            let key = try PasskeyKey(algorithm: -7, subjectPublicKeyInfo: authenticator.publicKey)
            let details = Passkey(id: passkey, name: "p", relyingParty: "registry.example", created: time)
            let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
            try await store.addPasskey(
                NewPasskey(details: details, credentialID: authenticator.credentialID, key: key, counter: 0), by: act)
            let ended = try await signIn("a", by: passkey, in: store, at: time)
            _ = try await signIn("bb", by: passkey, in: store, at: time)
            let old = time.advanced(by: .zero - SessionState.lifetime)
            _ = try await signIn("ccc", by: passkey, in: store, at: old)
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            try await store.deleteLeftovers(at: time)
            #expect(try await !works("ccc", in: store))
            #expect(try lines() == Self.digests(["station code"]))
            try await store.revokeSession(ended, isOwn: true, by: act)
            #expect(try lines() == Self.digests(["station code", "a"]))
            try await store.removePasskey(passkey, by: act)
            #expect(try lines().count == 4)
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        #expect(try await store.passkeys(of: owner).isEmpty)
        for secret in ["a", "bb"] { #expect(try await !works(secret, in: store), "\(secret)") }
    }

    @Test(
        "a restored backup brings back no revoked link, and none that ended with its token; an erasure needs no entry")
    func shares() async throws {
        do {
            let store = try await registry()
            let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
            let bike = try await store.registerBike(
                NewBike(
                    id: BikeID(high: 8, low: 1), owner: owner, details: Samples.bike,
                    identity: .given(Samples.identity(1)), created: time), once: nil)
            let report = MissingReport(
                id: ReportID(high: 9, low: 1), bike: bike.id, opened: time, missingSince: time)
            _ = try await store.openReport(report, by: owner, once: nil)
            _ = try await store.addToken(ownerToken(2), by: act, once: nil)
            for (number, name) in ["revoked", "of token", "expired", "kept"].enumerated() {
                let share = NewShare(
                    id: ShareID(high: 10, low: UInt64(number)), digest: SecretDigest(of: name), created: time,
                    ends: time.advanced(by: name == "expired" ? .days(-30) : .seconds(3600)),
                    token: name == "of token" ? TokenID(high: 2, low: 2) : nil)
                _ = try await store.addShare(share, on: bike.id, by: act, once: nil)
            }
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            try await store.deleteLeftovers(at: time)
            #expect(try lines() == Self.digests(["station code"]))
            try await store.revokeShare(ShareID(high: 10, low: 0), on: bike.id, by: act)
            #expect(try lines() == Self.digests(["station code", "revoked"]))
            try await store.revokeToken(TokenID(high: 2, low: 2), by: act)
            #expect(try lines() == Self.digests(["station code", "revoked", "owner 2", "of token"]))
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        for secret in ["revoked", "of token"] {
            await #expect(throws: DomainError.shareUnknown) {
                _ = try await store.openShare(SecretDigest(of: secret), at: time)
            }
        }
        #expect(try await store.openShare(SecretDigest(of: "kept"), at: time).owner == owner)
        let before = try lines()
        let code = OwnerAct(owner: owner, time: time, recoveryCode: SecretDigest(of: "code"), entropy: .seeded(1))
        try await store.eraseOwner(try #require(try await store.owner(owner)), by: code)
        #expect(Set(try lines()).subtracting(before).isSubset(of: Self.digests(["code"])))
        await #expect(throws: DomainError.shareUnknown) {
            _ = try await store.openShare(SecretDigest(of: "kept"), at: time)
        }
    }

    @Test("a restored backup brings back no display that was revoked")
    func displays() async throws {
        func pair(_ name: String, _ number: UInt64, in store: SQLiteRegistryStore) async throws {
            let display = NewDisplay(
                id: DisplayID(high: 10, low: number), station: station, name: name,
                code: SecretDigest(of: "\(name) code"), created: time)
            try await store.addDisplay(display, by: .station(station))
            _ = try await store.pairDisplay(
                PairingAttempt(
                    code: SecretDigest(of: "\(name) code"), secret: SecretDigest(of: name), time: time))
        }
        do {
            let store = try await registry()
            try await pair("revoked", 1, in: store)
            try await pair("kept", 2, in: store)
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            try await store.revokeDisplay(
                DisplayID(high: 10, low: 1), of: station, by: .station(station), at: time)
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        await #expect(throws: DomainError.displayUnpaired) {
            _ = try await store.openDisplay(SecretDigest(of: "revoked"), at: time)
        }
        #expect(try await store.openDisplay(SecretDigest(of: "kept"), at: time).station == station)
    }

    /// Adds a partner with one station, or renews its token.
    private func add(
        _ name: String, _ number: UInt64, token: String, to store: SQLiteRegistryStore
    ) async throws -> (id: PartnerID, station: StationID) {
        let id = PartnerID(high: 11, low: number)
        let key = try #require(PublicKey(bytes: Array(repeating: UInt8(7 + number), count: 32)))
        try await store.addPartner(
            NewPartnerInvitation(
                id: id, name: name, code: SecretDigest(of: "\(name) code"), created: time, expires: time,
                pseudonyms: Array(repeating: 3, count: 32), by: .operator(`operator`)),
            PartnerTerms(
                url: "https://\(name).example", token: SecretDigest(of: token), secret: "secret",
                publicKeys: [key.pem]))
        let station = ForwardingStation(
            id: StationID(high: 12, low: number), name: "Bistro", mobile: false, place: Samples.place)
        let known = try await store.preparePartnerStations(
            [station], of: try await store.activePartner(id), at: time, using: .seeded(number))
        return (id, try #require(known[station.id]))
    }

    @Test("a restored backup trusts no disputed sightings of partners, brings back no partner, and removes none")
    func partners() async throws {
        let since = time.advanced(by: .seconds(-60))
        var partners: [(id: PartnerID, station: StationID)] = []
        do {
            let store = try await registry()
            for (number, name) in ["removed", "suspended", "kept", "renewed"].enumerated() {
                partners.append(try await add(name, UInt64(number), token: name, to: store))
            }
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            try await store.removePartner(
                partners[0].id, quarantineSince: since, by: .operator(`operator`), at: time)
            _ = try await store.changePartner(
                partners[1].id, PartnerPatch(suspended: true), quarantineSince: since, by: .operator(`operator`),
                at: time)
            _ = try await add("renewed", 3, token: "newer", to: store)
            #expect(try await works("newer", in: store))
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        var quarantines: [Timestamp?] = []
        for partner in partners {
            quarantines.append(try await store.station(partner.station)?.station.quarantinedSince)
        }
        #expect(quarantines == [since, since, nil, nil])
        #expect(try await store.activePartners().map(\.id) == [partners[2].id, partners[3].id])
        #expect(try await works("kept", in: store))
        // The database has never seen the newer one.
        for token in ["removed", "suspended", "renewed", "newer"] { #expect(try await !works(token, in: store)) }
        _ = try await store.verifyAudit(nil, against: [])
    }

    @Test("partners that an earlier version removed are in the journal, too, once the tables are up to date")
    func partnersRemovedEarlier() async throws {
        let store = try await registry()
        let partner = try await add("removed", 0, token: "removed", to: store)
        _ = try await add("kept", 1, token: "kept", to: store)
        try await store.removePartner(partner.id, quarantineSince: nil, by: .operator(`operator`), at: time)
        func entries() async throws -> [SecretDigest] {
            try await store.read { try Revocations($0).entries(after: 0).entries.map(\.digest) }
        }
        let all = try await entries()
        try await store.write { db in
            try db.run("DELETE FROM revocation", [])
            try Schema.noteRemovals(db)
        }
        let again = try await entries()
        #expect(again.count == 1 && Set(again).isSubset(of: all))
    }

    @Test("a restored backup brings back no sticker’s code that was replaced, and no finder who was blocked")
    func finders() async throws {
        let act = OwnerAct(owner: owner, time: time, entropy: .seeded(1))
        let bike = BikeID(high: 8, low: 1)
        func begin(_ secret: String, _ number: UInt64, in store: SQLiteRegistryStore) async throws -> ConversationID {
            let id = ConversationID(high: 10, low: number)
            _ = try await store.beginConversation(
                NewConversation(
                    id: id, secret: SecretDigest(of: secret), found: .sticker(SecretDigest(of: "code")),
                    network: FinderNetwork(subscriber: Int64(number), area: 1), text: "hello", time: time))
            return id
        }
        do {
            let store = try await registry()
            _ = try await store.registerBike(
                NewBike(
                    id: bike, owner: owner, details: Samples.bike, identity: .given(Samples.identity(1)),
                    created: time), once: nil)
            _ = try await store.setSticker(SecretDigest(of: "code"), on: bike, by: act)
            let blocked = try await begin("blocked", 1, in: store)
            let ended = try await begin("ended", 2, in: store)
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            _ = try await store.closeConversation(ended, of: bike, ConversationClosure(), by: act)
            _ = try await store.closeConversation(blocked, of: bike, ConversationClosure(blocked: true), by: act)
            _ = try await store.setSticker(SecretDigest(of: "new"), on: bike, by: act)
            #expect(try lines() == Self.digests(["station code", "blocked", "code"]))
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        let blocked = try #require(try await store.conversation(SecretDigest(of: "blocked")))
        #expect(blocked.blocked && blocked.closed != nil)
        _ = try await begin("late", 3, in: store)
        // The network of the blocked finder stays blocked.
        let again = NewConversation(
            id: ConversationID(high: 10, low: 9), secret: SecretDigest(of: "again"),
            found: .beacon(Samples.identity(1)), network: FinderNetwork(subscriber: 1, area: 1), text: "x", time: time)
        #expect(try await store.beginConversation(again))
        #expect(try await store.conversations(of: bike, by: owner, PageRequest(limit: 9)).items.count == 2)
        await #expect(throws: DomainError.notFound("sticker")) { _ = try await store.sticker(of: bike, by: owner) }
    }

    @Test("a restored backup lets nobody check a number whose check was ended, and keeps one that was allowed again")
    func numbers() async throws {
        func act(_ seconds: Int) -> OwnerAct {
            OwnerAct(owner: owner, time: time.advanced(by: .seconds(seconds)), entropy: .seeded(1))
        }
        func set(_ allows: Bool?, _ bike: BikeID, _ seconds: Int, in store: SQLiteRegistryStore) async throws {
            let current = try #require(try await store.bike(bike, of: owner))
            var changed = current
            changed.buyerCheck = allows
            _ = try await store.changeBike(current, to: changed, by: act(seconds))
        }
        let bikes = (1...3).map { BikeID(high: 8, low: $0) }
        let numbers = try (1...3).map { try BikeNumber(typed: "WTU 10\($0)") }
        do {
            let store = try await registry()
            for (place, bike) in bikes.enumerated() {
                var draft = Samples.bike
                (draft.serial, draft.buyerCheck) = (numbers[place].text, true)
                _ = try await store.registerBike(
                    NewBike(
                        id: bike, owner: owner, details: draft,
                        identity: .given(Samples.identity(UInt16(place) + 1)), created: time), once: nil)
                let report = MissingReport(
                    id: ReportID(high: 9, low: UInt64(place)), bike: bike, opened: time, missingSince: time)
                _ = try await store.openReport(report, by: owner, once: nil)
            }
            // Allowed again before the backup.
            try await set(nil, bikes[1], 1, in: store)
            try await set(true, bikes[1], 2, in: store)
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            try await set(nil, bikes[0], 3, in: store)
            #expect(try lines().count == 3)
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        // The key of the hashes is in the backup.
        var found: [Bool] = []
        for number in numbers { found.append(try await store.check(number) == .exact) }
        #expect(found == [false, true, true])
        #expect(try await store.bike(bikes[0], of: owner)?.buyerCheck == nil)
    }

    /// Makes a new owner a member, by an invitation whose secret is the owner's number.
    private func share(
        _ bike: BikeID, with number: UInt64, _ role: MemberRole, in store: SQLiteRegistryStore
    ) async throws -> OwnerID {
        let friend = OwnerID(high: 8, low: number)
        let details = OwnerToken(id: TokenID(high: 8, low: number), name: "first", scope: .manage, created: time)
        try await store.addOwner(
            NewOwner(id: friend, created: time, token: NewToken(details, digest: SecretDigest(of: "friend \(number)"))))
        try await invite(number, to: bike, role, in: store)
        let act = OwnerAct(owner: friend, time: time, entropy: .seeded(number))
        _ = try await store.join(SecretDigest(of: "invitation \(number)"), by: act, once: nil)
        return friend
    }

    private func invite(
        _ number: UInt64, to bike: BikeID, _ role: MemberRole, in store: SQLiteRegistryStore
    ) async throws {
        let details = MemberInvitation(
            id: InvitationID(high: 9, low: number), label: "\(number)", role: role, created: time,
            expires: time.advanced(by: .seconds(600)))
        _ = try await store.inviteMember(
            NewMemberInvitation(details, bike: bike, digest: SecretDigest(of: "invitation \(number)")),
            by: OwnerAct(owner: owner, time: time, entropy: .seeded(number)), once: nil)
    }

    @Test("a restored backup brings back no removed member, no wider role, and no used or cancelled invitation")
    func members() async throws {
        var friends: [OwnerID] = []
        let bike = BikeID(high: 10, low: 1)
        do {
            let store = try await registry()
            _ = try await store.registerBike(
                NewBike(
                    id: bike, owner: owner, details: Samples.bike, identity: .given(Samples.identity(1)), created: time),
                once: nil)
            for number in 1...3 as ClosedRange<UInt64> {
                friends.append(try await share(bike, with: number, .report, in: store))
            }
            for number in 4...5 as ClosedRange<UInt64> { try await invite(number, to: bike, .see, in: store) }
            try RegistryBackup.backUp(path, to: backup, replacing: true)
            let act = OwnerAct(owner: owner, time: time, entropy: .seeded(99))
            let ids = try await store.members(of: bike, by: owner).map(\.id)
            try await store.removeMember(ids[0], of: bike, by: act)
            _ = try await store.changeRole(of: ids[1], on: bike, to: .see, by: act)
            try await store.cancelMemberInvitation(InvitationID(high: 9, low: 4), of: bike, by: act)
            _ = try await store.join(
                SecretDigest(of: "invitation 5"), by: OwnerAct(owner: friends[0], time: time, entropy: .seeded(98)),
                once: nil)
        }
        try await waitUntilClosed()
        _ = try RegistryBackup.restore(backup, to: path, replacing: true)
        try await waitUntilClosed()
        let store = try await SQLiteRegistryStore.opening(path)
        for friend in friends.prefix(2) { #expect(try await store.bike(bike, of: friend) == nil) }
        #expect(try await store.bike(bike, of: friends[2])?.role == .report)
        #expect(try await store.memberInvitations(of: bike, by: owner, at: time) == [])
    }
}
