import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Beacons with a given identity")
struct ClaimTests {
    @Test("a bike with a given identity cannot be reported missing until a station has heard the registry's minor")
    func test() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newPendingBike(of: owner)
        let path = "/v1/bikes/\(bike.id)"
        let early = try await registry.post(path + "/reports", token: owner, MissingReportDraft())
        #expect(early.status == 409 && early.problem == "beacon-unproved")
        let tested: Bike = try await registry.call(.post, path + "/beacon/test", token: owner).value()
        #expect(tested.identity == bike.identity)
        #expect(tested.pending?.testEnds == registry.clock.now.advanced(by: .seconds(1800)))

        let station = try await registry.newStation().token
        let list: MissingListDocument = try await registry.call(.get, "/v1/missing", token: station).value()
        #expect(list.identities == [bike.identity])
        // The station gets no details of the bike.
        let visit = Samples.visit(of: bike.identity, from: registry.clock.now)
        let results = try await registry.report([visit], as: station)
        #expect(results == [VisitResult(id: visit.id, result: .ignored)])
        let proved: Bike = try await registry.call(.get, path, token: owner).value()
        #expect(proved.pending == nil && proved.identity == bike.identity)
        #expect(try await registry.notices().map(\.event) == [.beaconProved])
        #expect(try await registry.post(path + "/reports", token: owner, MissingReportDraft()).status == 201)
        // The beacon is proved already, so the test changes nothing.
        #expect(try await registry.call(.post, path + "/beacon/test", token: owner).value(Bike.self).pending == nil)
    }

    @Test("a test ends only when its time is over, and each test counts towards the daily limit")
    func ends() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newPendingBike(of: owner)
        let path = "/v1/bikes/\(bike.id)/beacon/test"
        for _ in 1...20 { #expect(try await registry.call(.post, path, token: owner).status == 200) }
        #expect(try await registry.call(.post, path, token: owner).problem == "too-many-today")
        registry.clock.advance(by: .seconds(1800))
        await registry.runMaintenance()
        let station = try await registry.newStation().token
        let list: MissingListDocument = try await registry.call(.get, "/v1/missing", token: station).value()
        #expect(list.identities == [])
        let after: Bike = try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner).value()
        #expect(after.pending == PendingBeacon(claimed: Samples.identity(1)))
    }

    @Test("only an operator sees pending claims, without details of the bike, and decides them")
    func decisions() async throws {
        let registry = try Harness()
        let (owner, boss) = (try await registry.newOwner(), try await registry.newOperator())
        let bike = try await registry.newPendingBike(of: owner)
        let answer = try await registry.call(.get, "/v1/claims", token: boss)
        let claims: Page<BeaconClaim> = try answer.value()
        #expect(claims.items.map(\.bike) == [bike.id] && claims.items.map(\.claimed) == [Samples.identity(1)])
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("Brompton"))
        let (refusal, acceptance) = ("/v1/claims/\(bike.id)/refusal", "/v1/claims/\(bike.id)/acceptance")
        let checked = { (identity: BeaconIdentity) in
            String(decoding: try JSONEncoder().encode(ClaimAcceptance(identity: identity)), as: UTF8.self)
        }
        let (first, second) = (try checked(Samples.identity(1)), try checked(Samples.identity(2)))
        #expect(try await registry.call(.put, refusal, token: owner).problem == "forbidden")
        #expect(try await registry.call(.put, acceptance, token: owner, body: first).problem == "forbidden")
        // The operator has checked an identity different from the one that is now claimed.
        #expect(try await registry.call(.put, acceptance, token: boss, body: second).pointers == ["/identity"])
        #expect(try await registry.call(.put, refusal, token: boss, body: #"{"reason":"a shop’s"}"#).status == 200)
        #expect(try await registry.call(.put, refusal, token: boss).problem == "not-found")
        #expect(try await registry.call(.put, acceptance, token: boss, body: first).problem == "not-found")
        let other = try await registry.newPendingBike(of: owner, Samples.identity(2))
        let path = "/v1/claims/\(other.id)/acceptance"
        #expect(try await registry.call(.put, path, token: boss, body: second).status == 200)
        let accepted: Bike = try await registry.call(.get, "/v1/bikes/\(other.id)", token: owner).value()
        #expect(accepted.pending == nil && accepted.identity == Samples.identity(2))
        // If the bike could claim its own identity again, the identity would be retired forever.
        let tag = try await registry.tag("/v1/bikes/\(other.id)", token: owner)
        let again = String(
            decoding: try JSONEncoder().encode(BeaconChange(identity: Samples.identity(2))), as: UTF8.self)
        let refused = try await registry.call(
            .post, "/v1/bikes/\(other.id)/beacon", token: owner, body: again, headers: tag)
        #expect(refused.pointers == ["/identity"])
    }

    @Test("a bike with a pending claim gets a new beacon, and the claim is removed")
    func replaced() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newPendingBike(of: owner)
        let path = "/v1/bikes/\(bike.id)"
        let tag = try await registry.tag(path, token: owner)
        let changed: Bike = try await registry.call(.post, path + "/beacon", token: owner, headers: tag).value()
        #expect(changed.pending == nil && changed.identity.uuid == NetworkRegion.uuid)
        let boss = try await registry.newOperator()
        #expect(try await registry.call(.get, "/v1/claims", token: boss).value(Page<BeaconClaim>.self).items == [])
    }
}
