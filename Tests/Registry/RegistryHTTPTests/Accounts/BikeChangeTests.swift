import Beacons
import FoundationEssentials
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Changing bikes")
struct BikeChangeTests {
    @Test("a patch changes the named fields and removes null ones", arguments: ["json", "merge-patch+json"])
    func patch(type: String) async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)"
        var tag = try await registry.tag(path, token: owner).with([.contentType: "application/\(type)"])
        let first = try await registry.call(
            .patch, path, token: owner, body: #"{"notes":"bell","year":2020,"model":"P Line"}"#, headers: tag
        )
        #expect(first.status == 200)
        tag[.ifMatch] = first.headers[.eTag]
        let second = try await registry.call(.patch, path, token: owner, body: #"{"notes":null}"#, headers: tag)
        let changed: Bike = try second.value()
        #expect(changed.notes == nil && changed.year == 2020 && changed.model == "P Line")
        #expect(changed.make == bike.make && changed.identity == bike.identity)
        #expect(try await registry.call(.get, path, token: owner).value(Bike.self) == changed)
        let stale = try await registry.call(.patch, path, token: owner, body: "{}", headers: tag)
        #expect(stale.status == 412)
    }

    @Test("each invalid field of a patch is named")
    func badPatch() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let path = "/v1/bikes/\(try await registry.newBike(of: owner).id)"
        let tag = try await registry.tag(path, token: owner)
        let body = #"{"make":null,"year":1,"colours":[],"identity":{},"serial":""}"#
        let answer = try await registry.call(.patch, path, token: owner, body: body, headers: tag)
        #expect(answer.status == 422 && answer.pointers == ["/make", "/colours", "/year", "/identity"])
    }

    @Test("an unchanged bike is not sent again")
    func notModified() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let path = "/v1/bikes/\(try await registry.newBike(of: owner).id)"
        let tag = try #require(try await registry.call(.get, path, token: owner).headers[.eTag])
        let answer = try await registry.call(.get, path, token: owner, headers: [.ifNoneMatch: tag])
        #expect(answer.status == 304 && answer.body.isEmpty && answer.headers[.eTag] == tag)
    }

    @Test("erasing a bike erases its reports; while the bike is missing, this needs a recovery code")
    func erase() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let (owner, code) = (created.token, created.recoveryCodes[0])
        let bike = try await registry.newBike(of: owner)
        _ = try await registry.newReport(on: bike.id, of: owner)
        let path = "/v1/bikes/\(bike.id)"
        let tag = try await registry.tag(path, token: owner)
        let needed = try await registry.call(.delete, path, token: owner, headers: tag)
        #expect(needed.status == 403 && needed.problem == "recovery-code-needed")
        let wrong = try await registry.call(.delete, path, token: owner, headers: tag.with(confirming("x")))
        #expect(wrong.status == 403 && wrong.problem == "code-unusable")
        let other: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let headers = tag.with(confirming(other.recoveryCodes[0]))
        #expect(try await registry.call(.delete, path, token: owner, headers: headers).problem == "code-unusable")
        let right = try await registry.call(.delete, path, token: owner, headers: tag.with(confirming(code)))
        #expect(right.status == 204)
        #expect(try await registry.call(.get, path, token: owner).status == 404)
        // The recovery code has been used.
        #expect(try await registry.post("/v1/recovery", RecoveryRequest(code: code)).status == 403)
    }

    @Test("a retired beacon is never issued again, and the bike gets a new one")
    func retire() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)"
        let tag = try await registry.tag(path, token: owner)
        let changed: Bike = try await registry.call(.post, path + "/beacon", token: owner, headers: tag).value()
        #expect(changed.identity.uuid == NetworkRegion.uuid)
        // Anyone can claim the retired identity, but no claim is accepted.
        let other = try await registry.newPendingBike(of: owner, bike.identity)
        await #expect(throws: DomainError.identityTaken) { try await registry.operations.accept(other) }
        let history: Page<BikeEvent> = try await registry.call(.get, path + "/history", token: owner).value()
        #expect(history.items.map(\.event) == [.registered, .beaconRetired])
        #expect(history.items.map(\.identity) == [bike.identity, changed.identity])
    }

    @Test("two bikes can exchange their beacons")
    func exchange() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let one = try await registry.newBike(of: owner, Samples.identity(1))
        registry.clock.advance(by: .milliseconds(1))
        let two = try await registry.newBike(of: owner, Samples.identity(2))
        let path = "/v1/bikes/\(one.id)"
        let tag = try await registry.tag(path, token: owner)
        let post = { (body: String) in
            try await registry.call(.post, path + "/beacon", token: owner, body: body, headers: tag)
        }
        #expect(try await post(#"{"exchangedWith":"\#(one.id)"}"#).pointers == ["/exchangedWith"])
        let theirs = try await registry.newBike(of: try await registry.newOwner(), Samples.identity(3))
        #expect(try await post(#"{"exchangedWith":"\#(theirs.id)"}"#).status == 404)
        let changed: Bike = try await post(#"{"exchangedWith":"\#(two.id)"}"#).value()
        #expect(changed.identity == two.identity)
        let bikes: Page<Bike> = try await registry.call(.get, "/v1/bikes", token: owner).value()
        #expect(bikes.items.map(\.identity) == [two.identity, one.identity])
    }

    @Test("a missing bike keeps its beacon")
    func missing() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        registry.clock.advance(by: .milliseconds(1))
        let other = try await registry.newBike(of: owner, Samples.identity(2))
        let report = try await registry.newReport(on: bike.id, of: owner)
        for (id, body) in [(bike.id, "{}"), (other.id, #"{"exchangedWith":"\#(bike.id)"}"#)] {
            let tag = try await registry.tag("/v1/bikes/\(id)", token: owner)
            let path = "/v1/bikes/\(id)/beacon"
            let answer = try await registry.call(.post, path, token: owner, body: body, headers: tag)
            #expect(answer.status == 409 && answer.problem == "bike-missing")
            #expect(try answer.value(ProblemDetails.self).detail.contains(report.id.description))
        }
    }
}
