import Beacons
import Evidence
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

extension StoreContract {
    static let partners = [
        StoreContract("an invitation to a partner works once, and can be repeated until the token is used") {
            store, stage in
            let invitation = try await stage.partnerInvitation(code: "code")
            let id = invitation.id
            #expect(try await store.partner(id, at: stage.now).state == .invited)
            #expect(try await store.activePartners().isEmpty)
            try await stage.join("code", token: "lost")
            try await stage.join("code", token: "found")
            #expect(try await store.credential(token: SecretDigest(of: "lost")) == nil)
            #expect(try await store.credential(token: SecretDigest(of: "found"))?.principal == .partner(id))
            await #expect(throws: DomainError.codeUnusable) {
                try await stage.join("code", token: "thief", key: 9)
            }
            let partner = try await store.activePartner(id)
            try await store.noteUse(ofPartner: partner.key, at: stage.now)
            await #expect(throws: DomainError.codeUnusable) {
                try await stage.join("code", token: "late")
            }
            #expect(try await store.partners(PageRequest(limit: 10), at: stage.now).items.map(\.id) == [id])
        },
        StoreContract("an invitation to a partner expires, and can be cancelled") { store, stage in
            _ = try await stage.partnerInvitation(code: "old")
            let cancelled = try await stage.partnerInvitation(code: "cancelled")
            let key = try #require(PublicKey(bytes: Array(repeating: 8, count: 32)))
            _ = try await store.changePartner(
                cancelled.id, PartnerPatch(publicKey: key.pem), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            try await stage.remove(cancelled.id)
            stage.clock.advance(by: .seconds(86_401))
            #expect(try await store.partners(PageRequest(limit: 10), at: stage.now).items.isEmpty)
            for code in ["old", "cancelled"] {
                await #expect(throws: DomainError.codeUnusable) {
                    try await stage.join(code, token: "t")
                }
            }
        },
        StoreContract("a registry that is a partner already does not become a second one") { store, stage in
            let partner = try await stage.partner()
            let second = try await stage.partnerInvitation(code: "second")
            await #expect(throws: DomainError.self) { try await stage.join("second", token: "second") }
            #expect(try await store.credential(token: SecretDigest(of: "token"))?.principal == .partner(partner.id))
            // Another key at its address.
            await #expect(throws: DomainError.self) { try await stage.join("second", token: "second", key: 9) }
            #expect(try await store.activePartners().map(\.id) == [partner.id])
            // If this registry accepts an invitation of it, the tokens are new, but not the address: somebody else may
            // have passed the offer on.
            var relayed = stage.partnerTerms(token: "third")
            relayed.url = "https://relay.example.net"
            let renewed = try await store.addPartner(second, relayed)
            #expect(renewed == partner.id)
            #expect(try await store.activePartners().map(\.url) == [partner.url])
            #expect(try await store.credential(token: SecretDigest(of: "token")) == nil)
            // Suspended, it stays suspended.
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            _ = try await store.addPartner(second, stage.partnerTerms(token: "fourth"))
            #expect(try await store.partner(partner.id, at: stage.now).state == .suspended)
            #expect(try await store.credential(token: SecretDigest(of: "fourth")) == nil)
        },
        StoreContract("a partner that was removed and comes back with another key does not confirm itself") {
            store, stage in
            let partner = try await stage.partner()
            let old = try await stage.foreignStations(1, of: partner)[0]
            try await stage.remove(partner.id)
            let invitation = try await stage.partnerInvitation(code: "again")
            try await stage.join("again", token: "again", key: 9)
            let again = try await store.activePartner(invitation.id)
            let new = try await stage.foreignStations(1, of: again)[0]
            #expect(new != old)
            let before = try #require(try await store.station(old)).station.venue
            let after = try #require(try await store.station(new)).station.venue
            #expect(before == after)
            // Nor after all of its stations were revoked, whatever removed partner it has in common by then.
            _ = try await store.changePartner(
                again.id, PartnerPatch(), quarantineSince: stage.now, by: stage.operatorOfPartners, at: stage.now)
            try await store.move(again, to: "https://elsewhere.example.net")
            let moved = try await store.activePartner(again.id)
            let last = try await stage.foreignStations(1, of: moved)[0]
            #expect(last != new)
            #expect(try #require(try await store.station(last)).station.venue == before)
        },
        StoreContract("the sightings of a partner that was removed can still be put under quarantine") { store, stage in
            let partner = try await stage.partner()
            let station = try await stage.foreignStations(1, of: partner)[0]
            try await stage.remove(partner.id)
            await #expect(throws: DomainError.notFound("partner")) { try await stage.remove(partner.id) }
            #expect(try #require(try await store.station(station)).station.quarantinedSince == nil)
            let since = stage.now
            try await store.removePartner(
                partner.id, quarantineSince: since, by: stage.operatorOfPartners, at: stage.now)
            #expect(try #require(try await store.station(station)).station.quarantinedSince == since)
        },
        StoreContract("a suspended or removed partner has no access, and its bikes leave the list") { store, stage in
            let partner = try await stage.partner()
            let token = SecretDigest(of: "token")
            _ = try await stage.list([Samples.identity(7)], of: partner)
            func listed() async throws -> [Int] { try await store.missingList().partners.map(\.count) }
            #expect(try await listed() == [1])
            let base = try await store.missingListVersion()
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            #expect(try await store.credential(token: token) == nil)
            #expect(try await listed() == [])
            let changes = try await store.missingListChanges(since: base, upTo: nil)
            #expect(changes?.partners.removed == [TruncatedHash(of: Samples.identity(7))])
            // Its list cannot come back while it is suspended.
            #expect(try await stage.list([Samples.identity(8)], of: partner) == false)
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: false), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            #expect(try await store.credential(token: token)?.principal == .partner(partner.id))
            #expect(try await stage.list([Samples.identity(8)], of: partner))
            try await stage.remove(partner.id)
            #expect(try await store.credential(token: token) == nil)
            #expect(try await listed() == [])
            await #expect(throws: DomainError.notFound("partner")) {
                _ = try await store.partner(partner.id, at: stage.now)
            }
            #expect(
                try await stage.actions().filter { $0.hasPrefix("partner.") } == [
                    "partner.invited", "partner.joined", "partner.suspended", "partner.resumed", "partner.removed",
                ])
        },
        StoreContract("a suspension is in the journal of revocations, which a restored backup needs") { store, stage in
            let partner = try await stage.partner()
            func suspend(_ isSuspended: Bool) async throws {
                _ = try await store.changePartner(
                    partner.id, PartnerPatch(suspended: isSuspended), quarantineSince: nil,
                    by: stage.operatorOfPartners, at: stage.now)
            }
            func replay(_ entry: Revocations.Entry) async throws -> Partner.State {
                try await store.replay(entry)
                return try await store.partner(partner.id, at: stage.now).state
            }
            let before = try await store.journal().count
            try await suspend(true)
            let entries = try await store.journal()
            #expect(entries.count == before + 1)
            let name = try #require(entries.last)
            // Resumed, it stays active: the entry is about an earlier time.
            try await suspend(false)
            #expect(try await replay(name) == .active)
            try await suspend(true)
            #expect(try await store.journal().last?.digest != name.digest)
            // As a backup from before the first suspension has it.
            try await store.makeActive(name)
            #expect(try await stage.list([Samples.identity(7)], of: partner))
            #expect(try await replay(name) == .suspended)
            #expect(try await store.credential(token: SecretDigest(of: "token")) == nil)
            #expect(try await store.missingList().partners.isEmpty)
            #expect(try await stage.actions().last == "partner.suspended")
        },
        StoreContract("a quarantine of a partner's sightings is in this journal, too, with its time") { store, stage in
            let partner = try await stage.partner()
            let old = try await stage.foreignStations(1, of: partner)[0]
            let before = try await store.journal().count
            let since = stage.now.advanced(by: .seconds(-60))
            _ = try await store.changePartner(
                partner.id, PartnerPatch(), quarantineSince: since, by: stage.operatorOfPartners, at: stage.now)
            let entries = try await store.journal()
            #expect(entries.count == before + 1)
            let entry = try #require(entries.last)
            let new = try await stage.foreignStations(1, of: partner)[0]
            func quarantines() async throws -> [Timestamp?] {
                var quarantines: [Timestamp?] = []
                for station in [old, new] {
                    quarantines.append(try await store.station(station)?.station.quarantinedSince)
                }
                return quarantines
            }
            // The entry is about an earlier time than that of the new station.
            try await store.replay(entry)
            #expect(try await quarantines() == [since, nil])
            // As a backup from before the quarantine has it.
            try await store.trustPartners()
            #expect(try await quarantines() == [nil, nil])
            for _ in 1...2 { try await store.replay(entry) }
            #expect(try await quarantines() == [since, since])
            #expect(try await stage.actions().last == "station.revoked")
            // The next quarantine has another name, also with the same time.
            _ = try await store.changePartner(
                partner.id, PartnerPatch(), quarantineSince: since, by: stage.operatorOfPartners, at: stage.now)
            #expect(try await store.journal().last?.digest != entry.digest)
        },
        StoreContract("stations get the union of the own list and the partners' lists, with its changes") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, _) = try await stage.missingBike()
            let start = try await store.missingListVersion()
            // The partner misses a bike with the same beacon, and another one.
            #expect(try await stage.list([Samples.identity(1), Samples.identity(7)], of: partner))
            let snapshot = try await store.missingList()
            let union = CountedIdentities(
                version: snapshot.version, identities: snapshot.identities, others: snapshot.partners)
            #expect(union.list.count == 2)
            let changes = try #require(try await store.missingListChanges(since: start, upTo: nil))
            #expect(changes.partners.added.count == 2 && changes.added.isEmpty)
            // The hash stays until both have found their bikes.
            _ = try await stage.close(report, of: owner)
            let after = try await store.missingListChanges(since: snapshot.version, upTo: nil)
            let later = try #require(after)
            let (next, delta) = try #require(
                union.changed(to: later.to, removing: later.removed, adding: later.added, others: later.partners))
            #expect(next.list.contains(Samples.identity(1)))
            #expect(try union.list.applying(delta).digest == next.list.digest)
            // Another version than the stored one changes nothing.
            let stale = MissingIdentities(version: ListVersion(number: 9, mark: 9), identities: [])
            let isReplaced = try await store.replacePartnerList(
                ListVersion(number: 8, mark: 8), with: stale, HashChanges(), of: partner.key, at: stage.now)
            #expect(!isReplaced)
            #expect(try await store.partnerList(of: partner.key)?.count == 2)
        },
        StoreContract("partners get the own list, without bikes of owners who do not agree") { store, stage in
            let partner = try await stage.partner()
            _ = try await stage.list([Samples.identity(7)], of: partner)
            let (owner, report, _) = try await stage.missingBike()
            func shared() async throws -> Set<BeaconIdentity> {
                let state = try await store.sharedList(since: nil)
                guard case .all(let list) = state.own else { return [] }
                return Set(list.identities).subtracting(state.withheld)
            }
            #expect(try await shared() == [Samples.identity(1)])
            for (onlyHere, expected) in [(true, []), (false, [Samples.identity(1)])] as [(Bool, Set<BeaconIdentity>)] {
                var patch = MissingReportPatch()
                try patch.set("onlyHere", onlyHere)
                let changed = try await store.changeReport(report.id, on: report.bike, patch, by: stage.act(of: owner))
                #expect(changed.onlyHere == (onlyHere ? true : nil))
                #expect(try await shared() == expected)
            }
        },
        StoreContract("a visit waits for a partner until it has answered its latest state") { store, stage in
            let partner = try await stage.partner()
            let station = try await stage.station()
            let first = Samples.visit(of: Samples.identity(7), from: stage.now.advanced(by: .seconds(-300)))
            #expect(try await stage.forward(first, of: station, to: partner) == [.ignored])
            let claimed = try await stage.claimForwards(of: partner)
            #expect(claimed.map(\.visit) == [first] && claimed.map(\.station) == [station])
            // Claimed, it is not due for others.
            #expect(try await stage.claimForwards(of: partner).isEmpty)
            var later = first
            later.lastSeen = stage.now
            later.ended = true
            _ = try await stage.forward(later, of: station, to: partner)
            // A late report of an earlier state takes nothing back.
            _ = try await stage.forward(first, of: station, to: partner)
            try await store.settleForwards(claimed.map { ($0, .stored) }, of: partner.key, at: stage.now)
            #expect(try await store.partner(partner.id, at: stage.now).sent.waiting == 1)
            let again = try await stage.claimForwards(of: partner)
            #expect(again.map(\.visit) == [later])
            let due = stage.now.advanced(by: .seconds(60))
            try await store.postponeForwards(again, of: partner.key, until: due, failure: "away")
            #expect(try await store.partner(partner.id, at: stage.now).sent.failure == "away")
            #expect(try await stage.claimForwards(of: partner).isEmpty)
            stage.clock.advance(by: .seconds(61))
            let last = try await stage.claimForwards(of: partner)
            try await store.settleForwards(last.map { ($0, .ignored) }, of: partner.key, at: stage.now)
            let sent = try await store.partner(partner.id, at: stage.now).sent
            #expect(sent == Partner.Sent(waiting: 0, stored: 1, ignored: 1))
        },
        StoreContract("a station whose token was stolen does not displace what other stations have for a partner") {
            store, stage in
            let partner = try await stage.partner()
            let stations = [try await stage.station(), try await stage.station("other")]
            let visits = (0...UInt64(PartnerRules.mostWaitingOfStation)).map {
                Samples.visit($0, of: Samples.identity(7), from: stage.now)
            }
            try await stage.forward(visits, of: stations[0], to: partner)
            try await stage.forward(Array(visits.suffix(1)), of: stations[1], to: partner)
            let waiting = try await store.partner(partner.id, at: stage.now).sent.waiting
            #expect(waiting == PartnerRules.mostWaitingOfStation + 1)
        },
        StoreContract("nothing waits for partners once a venue wants no partner to get what it hears") { store, stage in
            let partner = try await stage.partner()
            let visit = Samples.visit(of: Samples.identity(7), from: stage.now)
            let stations = [try await stage.station(), try await stage.station("other")]
            for station in stations { _ = try await stage.forward(visit, of: station, to: partner) }
            func waiting() async throws -> Int { try await store.partner(partner.id, at: stage.now).sent.waiting }
            var heartbeat = StationHeartbeat(version: "1.0", adapters: [])
            try await store.recordHeartbeat(heartbeat, of: stations[0], at: stage.now)
            #expect(try await waiting() == 2)
            heartbeat.partners = false
            try await store.recordHeartbeat(heartbeat, of: stations[0], at: stage.now)
            #expect(try await stage.claimForwards(of: partner).map(\.station) == [stations[1]])
            // The operator sees the venue's choice.
            #expect(try await store.station(stations[0])?.station.heartbeat?.heartbeat.partners == false)
        },
        StoreContract("a visit that a partner calls invalid is sent again: a clock may be wrong") { store, stage in
            let partner = try await stage.partner()
            let station = try await stage.station()
            let visit = Samples.visit(of: Samples.identity(7), from: stage.now)
            _ = try await stage.forward(visit, of: station, to: partner)
            let claimed = try await stage.claimForwards(of: partner)
            try await store.settleForwards(claimed.map { ($0, .invalid) }, of: partner.key, at: stage.now)
            let sent = try await store.partner(partner.id, at: stage.now).sent
            #expect(sent.waiting == 1 && sent.failure?.contains("clocks") == true)
            #expect(try await stage.claimForwards(of: partner).isEmpty)
            stage.clock.advance(by: .seconds(3600))
            #expect(try await stage.claimForwards(of: partner).map(\.visit) == [visit])
        },
        StoreContract("what was stored while the clock was ahead does not wait until then") { store, stage in
            let partner = try await stage.partner()
            let station = try await stage.station()
            stage.clock.advance(by: .days(5))
            let visit = Samples.visit(of: Samples.identity(7), from: stage.now)
            _ = try await stage.forward(visit, of: station, to: partner)
            stage.clock.advance(by: .days(-5))
            #expect(try await stage.claimForwards(of: partner).map(\.visit) == [visit])
            #expect(try await stage.claimForwards(of: partner).isEmpty)
        },
        StoreContract("nothing waits for a removed partner, or longer than a station would keep it") { store, stage in
            let partner = try await stage.partner()
            let station = try await stage.station()
            let visit = Samples.visit(of: Samples.identity(7), from: stage.now)
            _ = try await stage.forward(visit, of: station, to: partner)
            // Suspended, it gets nothing, and what waits for it is not kept for longer.
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            stage.clock.advance(by: PartnerRules.patience)
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.partner(partner.id, at: stage.now).sent.waiting == 1)
            stage.clock.advance(by: .seconds(1))
            try await store.deleteLeftovers(at: stage.now)
            #expect(try await store.partner(partner.id, at: stage.now).sent == Partner.Sent(waiting: 0, refused: 1))
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: false), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            _ = try await stage.forward(visit, of: station, to: partner)
            try await stage.remove(partner.id)
            #expect(try await stage.forward(visit, of: station, to: partner) == [.ignored])
            #expect(try await stage.claimForwards(of: partner).isEmpty)
        },
        StoreContract("a partner's station is judged as others are, and forwards nothing") { store, stage in
            let partner = try await stage.partner()
            let (owner, report, own) = try await stage.missingBike()
            let visit = Samples.visit(from: stage.now)
            let other = Samples.visit(of: Samples.identity(2), from: stage.now)
            #expect(try await store.areWanted([visit, other]) == [true, false])
            let stations = try await stage.foreignStations(2, of: partner)
            #expect(try await stage.foreignStations(2, of: partner) == stations)
            #expect(try await store.stations(PageRequest(limit: 10)).items.map(\.id) == [own])
            for (number, station) in stations.enumerated() {
                let visit = Samples.visit(UInt64(number) + 1, from: stage.now)
                _ = try await stage.forward(visit, of: station, to: partner)
            }
            let sightings = try await stage.sightings(of: report, by: owner)
            #expect(sightings.map(\.station.name) == ["Bistro 0 (via Zürich)", "Bistro 1 (via Zürich)"])
            // Two stations of one partner are one witness; an own station is another.
            #expect(sightings.map(\.level) == [.possible, .possible])
            #expect(try await stage.claimForwards(of: partner).isEmpty)
            _ = try await stage.record(Samples.visit(9, from: stage.now), by: own)
            func levels() async throws -> [SightingLevel] {
                try await stage.sightings(of: report, by: owner).map(\.level)
            }
            #expect(try await levels() == [.corroborated, .corroborated, .corroborated])
            // All its sightings can be disputed at once.
            _ = try await store.changePartner(
                partner.id, PartnerPatch(suspended: true), quarantineSince: stage.now.advanced(by: .seconds(-60)),
                by: stage.operatorOfPartners, at: stage.now)
            try await stage.judge()
            #expect(try await levels() == [.disputed, .disputed, .possible])
            // A request that was under way gets no new stations.
            await #expect(throws: DomainError.notFound("partner")) {
                _ = try await stage.foreignStations(1, of: partner)
            }
        },
        StoreContract("a partner's station hears only bikes of owners who agree, and proves no beacon") {
            store, stage in
            let partner = try await stage.partner()
            let (owner, report, _) = try await stage.missingBike()
            var patch = MissingReportPatch()
            try patch.set("onlyHere", true)
            _ = try await store.changeReport(report.id, on: report.bike, patch, by: stage.act(of: owner))
            let station = try await stage.foreignStations(1, of: partner)[0]
            let visit = Samples.visit(from: stage.now)
            #expect(try await store.areWanted([visit]) == [false])
            #expect(try await stage.record(visit, by: station) == [.ignored])
            #expect(try await stage.sightings(of: report, by: owner).isEmpty)
        },
        StoreContract("what is under way when an operator suspends a partner is not stored") { store, stage in
            let partner = try await stage.partner()
            let (owner, report, _) = try await stage.missingBike()
            let station = try await stage.foreignStations(1, of: partner)[0]
            let visit = Samples.visit(from: stage.now)
            func suspend(_ isSuspended: Bool) async throws {
                _ = try await store.changePartner(
                    partner.id, PartnerPatch(suspended: isSuspended), quarantineSince: nil,
                    by: stage.operatorOfPartners, at: stage.now)
            }
            try await suspend(true)
            await #expect(throws: DomainError.notFound("station")) {
                _ = try await stage.record(visit, by: station)
            }
            #expect(try await stage.sightings(of: report, by: owner).isEmpty)
            try await suspend(false)
            _ = try await stage.record(visit, by: station)
            #expect(try await stage.sightings(of: report, by: owner).count == 1)
        },
        StoreContract("a partner's list may have the highest version") { store, stage in
            let key = try await stage.partner().key
            let list = MissingIdentities(
                version: ListVersion(number: .max, mark: .max), identities: [Samples.identity(7)])
            let changes = HashChanges(added: Array(list.hashes))
            #expect(try await store.replacePartnerList(nil, with: list, changes, of: key, at: stage.now))
            #expect(try await store.partnerList(of: key)?.version == list.version)
            #expect(try await store.activePartners().map(\.list) == [list.version])
            #expect(
                try await store.replacePartnerList(
                    list.version, with: .empty, HashChanges(removed: Array(list.hashes)), of: key, at: stage.now))
            #expect(try await store.partnerList(of: key)?.count == 0)
        },
        StoreContract("a partner sends at most its limit in an hour") { store, stage in
            let partner = try await stage.partner()
            let limits = PartnerLimits(listed: 10, visits: 5)
            _ = try await store.changePartner(
                partner.id, PartnerPatch(limits: limits), quarantineSince: nil, by: stage.operatorOfPartners,
                at: stage.now)
            try await store.admit(5, ofPartner: partner.key, at: stage.now)
            await #expect { try await store.admit(1, ofPartner: partner.key, at: stage.now) } throws: { error in
                if case DomainError.tooManyPartnerVisits(let wait) = error { wait <= .seconds(3600) } else { false }
            }
            stage.clock.advance(by: .seconds(3600))
            // A batch that is larger than the limit may come again in parts, at once.
            await #expect { try await store.admit(6, ofPartner: partner.key, at: stage.now) } throws: { error in
                if case DomainError.tooManyPartnerVisits(let wait) = error { wait == .seconds(1) } else { false }
            }
            try await store.admit(5, ofPartner: partner.key, at: stage.now)
        },
        StoreContract("one process at a time reads a partner's list") { store, stage in
            let key = try await stage.partner().key
            func lease(_ reader: Int64) async throws -> Bool {
                try await store.leasePartnerList(
                    key, to: reader, until: stage.now.advanced(by: .seconds(60)), at: stage.now)
            }
            #expect(try await lease(1))
            #expect(try await lease(1))
            #expect(try await lease(2) == false)
            stage.clock.advance(by: .seconds(61))
            #expect(try await lease(2))
        },
    ]
}
