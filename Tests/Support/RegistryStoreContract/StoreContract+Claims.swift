import Beacons
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

extension StoreContract {
    /// The proof that a given identity belongs to the owner's beacon.
    static let claims = [
        StoreContract("a claimed identity stays free: the bike gets another minor, and cannot be reported missing") {
            store, stage in
            let owner = try await stage.owner()
            let bike = try await stage.claim(Samples.identity(7), by: owner)
            #expect(bike.pending == PendingBeacon(claimed: Samples.identity(7)))
            #expect(bike.identity.uuid == Samples.identity(7).uuid && bike.identity.major == Samples.identity(7).major)
            #expect(bike.identity.minor != 7 && bike.identity.minor >= 100)
            await #expect(throws: DomainError.beaconUnproved) { try await stage.openReport(on: bike.id, of: owner) }
            // Another owner's claim to the same identity can still be accepted.
            let other = try await stage.claim(Samples.identity(7), by: try await stage.owner())
            #expect(other.identity != bike.identity)
            #expect(try await store.claims(PageRequest(limit: 9)).items.map(\.taken) == [false, false])
            _ = try await store.acceptClaim(Samples.identity(7), of: other.id, by: stage.operatorAct)
            #expect(try await store.claims(PageRequest(limit: 9)).items.map(\.taken) == [true])
            await #expect(throws: DomainError.identityTaken) {
                _ = try await store.acceptClaim(Samples.identity(7), of: bike.id, by: stage.operatorAct)
            }
        },
        StoreContract("the minor for a test is none that another owner claims, so that this claim can be accepted") {
            store, stage in
            // Always the same number, and so always the same minor.
            var constant = Entropy { 0xAAAA_AAAA_AAAA_AAAA }
            let minor = UInt16.random(in: IdentityAllocation().minors, using: &constant)
            let claimed = BeaconIdentity(uuid: Samples.identity(7).uuid, major: Samples.identity(7).major, minor: minor)
            let bike = try await stage.claim(claimed, by: try await stage.owner())
            let other = try await stage.claim(Samples.identity(7), by: try await stage.owner(), using: constant)
            #expect(other.identity.minor != minor)
            _ = try await store.acceptClaim(claimed, of: bike.id, by: stage.operatorAct)
        },
        StoreContract("a beacon in a test is listed for half an hour, and proved once a station hears it") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let station = try await stage.station()
            let bike = try await stage.claim(Samples.identity(7), by: owner)
            let visit = Samples.visit(of: bike.identity, from: stage.now)
            #expect(try await stage.record(visit, by: station) == [.ignored])
            let tested = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            #expect(tested.pending?.testEnds == stage.now.advanced(by: .seconds(1800)))
            #expect(try await store.missingList().identities == [bike.identity])
            // After half an hour the identity is off the list, and a visit no longer proves it.
            stage.clock.advance(by: .seconds(1800))
            #expect(try await store.endBeaconTests(limit: 9, at: stage.now) == 1)
            #expect(try await store.missingList().identities == [])
            #expect(try await stage.record(visit, by: station) == [.ignored])

            _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            stage.clock.advance(by: .seconds(60))
            let heard = Samples.visit(2, of: bike.identity, from: stage.now)
            #expect(try await stage.record(heard, by: station) == [.proved])
            #expect(try await store.missingList().identities == [])
            #expect(try await stage.record(heard, by: station) == [.ignored])
            let proved = try #require(try await store.bike(bike.id, of: owner))
            #expect(proved.pending == nil && proved.identity == bike.identity)
            #expect(try await stage.deliver().map(\.content.notice?.event) == [.beaconProved])
            let events = try await store.history(of: bike.id, owner: owner, PageRequest(limit: 9)).items.map(\.event)
            #expect(events == [.registered, .beaconProved])
            let report = try await stage.openReport(on: bike.id, of: owner)
            #expect(try await store.missingList().identities == [bike.identity])
            // The visit that ended the test is not a sighting.
            #expect(
                try await store.sightings(of: ReportPath(report.id, on: bike.id, of: owner), PageRequest(limit: 9))
                    .items == [])
        },
        StoreContract("visits before the test prove nothing, and neither do visits of the claimed identity") {
            store, stage in
            let owner = try await stage.owner()
            let station = try await stage.station()
            let bike = try await stage.claim(Samples.identity(7), by: owner)
            let before = stage.now
            stage.clock.advance(by: .seconds(3600))
            _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner))
            let early = Samples.visit(of: bike.identity, from: before)
            #expect(try await stage.record(early, by: station) == [.ignored])
            // The claimed identity belongs to no bike, and is on no list.
            let given = Samples.visit(3, of: Samples.identity(7), from: stage.now)
            #expect(try await stage.record(given, by: station) == [.ignored])
            #expect(try await store.bike(bike.id, of: owner)?.pending != nil)
        },
        StoreContract("an owner can run one test at a time, as many a day as bikes, and none while suspended") {
            store, stage in
            let owner = try await stage.owner()
            let bikes = [
                try await stage.claim(Samples.identity(7), by: owner),
                try await stage.claim(Samples.identity(8), by: owner),
            ]
            for bike in bikes { _ = try await store.testBeacon(of: bike.id, by: stage.act(of: owner)) }
            #expect(try await store.missingList().identities == [bikes[1].identity])
            _ = try await store.suspendOwner(owner, reason: nil, by: stage.operatorAct)
            #expect(try await store.missingList().identities == [])
            await #expect(throws: DomainError.ownerSuspended) {
                _ = try await store.testBeacon(of: bikes[0].id, by: stage.act(of: owner))
            }
            _ = try await store.resumeOwner(owner, by: stage.operatorAct)
            _ = try await store.stopSearch(for: bikes[1].identity, reason: "planted", by: stage.operatorAct)
            await #expect(throws: DomainError.beaconStopped) {
                _ = try await store.testBeacon(of: bikes[1].id, by: stage.act(of: owner))
            }
            _ = try await store.setQuotas(of: owner, QuotaExceptions(bikes: 3), by: stage.operatorAct)
            _ = try await store.testBeacon(of: bikes[0].id, by: stage.act(of: owner))
            await #expect(throws: DomainError.tooManyToday(.tests, retryAfter: .days(1))) {
                _ = try await store.testBeacon(of: bikes[0].id, by: stage.act(of: owner))
            }
        },
        StoreContract("an operator can accept a claimed identity, or refuse it without ending the test") {
            store, stage in
            let owner = try await stage.owner()
            _ = try await stage.channel(of: owner)
            let accepted = try await stage.claim(Samples.identity(7), by: owner)
            let refused = try await stage.claim(Samples.identity(8), by: owner)
            // An identity different from the one that was checked.
            await #expect(throws: DomainError.self) {
                _ = try await store.acceptClaim(Samples.identity(9), of: accepted.id, by: stage.operatorAct)
            }
            #expect(
                try await store.acceptClaim(Samples.identity(7), of: accepted.id, by: stage.operatorAct).claimed
                    == Samples.identity(7))
            _ = try await store.refuseClaim(of: refused.id, reason: "a shop’s", by: stage.operatorAct)
            for bike in [accepted, refused] {
                await #expect(throws: DomainError.notFound("claim")) {
                    _ = try await store.acceptClaim(Samples.identity(8), of: bike.id, by: stage.operatorAct)
                }
            }
            #expect(try await store.bike(accepted.id, of: owner)?.identity == Samples.identity(7))
            _ = try await stage.openReport(on: accepted.id, of: owner)
            #expect(try await store.missingList().identities == [Samples.identity(7)])
            let rest = try #require(try await store.bike(refused.id, of: owner))
            #expect(rest.pending == PendingBeacon(claimed: nil) && rest.identity == refused.identity)
            _ = try await store.testBeacon(of: refused.id, by: stage.act(of: owner))
            stage.clock.advance(by: .days(1))
            let told = Set(try await stage.deliver().compactMap(\.content.notice?.event))
            #expect(told == [.claimAccepted, .claimRefused])
        },
        StoreContract(
            "an unproved beacon can be neither exchanged nor handed over, only replaced"
        ) {
            store, stage in
            let owner = try await stage.owner()
            let mine = try await stage.bike(of: owner, Samples.identity(1))
            let pending = try await stage.claim(Samples.identity(7), by: owner)
            for (bike, other) in [(mine, pending), (pending, mine)] {
                await #expect(throws: DomainError.beaconUnproved) {
                    _ = try await store.exchangeBeacons(of: bike, with: other.id, by: stage.act(of: owner))
                }
            }
            await #expect(throws: DomainError.beaconUnproved) {
                try await store.offerTransfer(
                    of: pending.id, code: SecretDigest(of: "c"), expires: stage.now.advanced(by: .seconds(60)),
                    by: stage.act(of: owner))
            }
            // An earlier offer becomes invalid.
            try await store.offerTransfer(
                of: mine.id, code: SecretDigest(of: "d"), expires: stage.now.advanced(by: .seconds(60)),
                by: stage.act(of: owner))
            let claimed = try await store.replaceBeacon(
                of: mine, from: .claimed(Samples.identity(9), stage.entropy), by: stage.act(of: owner))
            #expect(claimed.pending?.claimed == Samples.identity(9))
            let taker = try await stage.owner()
            await #expect(throws: DomainError.beaconUnproved) {
                _ = try await store.acceptTransfer(code: SecretDigest(of: "d"), by: stage.act(of: taker), once: nil)
            }
            let allocated = try await store.replaceBeacon(
                of: claimed, from: .allocated(IdentityAllocation(), stage.entropy), by: stage.act(of: owner))
            #expect(allocated.pending == nil)
            _ = try await stage.openReport(on: allocated.id, of: owner)
        },
    ]
}

extension Stage {
    fileprivate func claim(
        _ identity: BeaconIdentity, by owner: OwnerID, using entropy: Entropy? = nil
    ) async throws -> Bike {
        try await store.registerBike(
            NewBike(
                id: newID(), owner: owner, details: Samples.bike,
                identity: .claimed(identity, entropy ?? self.entropy), created: now),
            once: nil)
    }
}
