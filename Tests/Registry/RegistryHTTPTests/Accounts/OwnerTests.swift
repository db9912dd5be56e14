import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Calls by owners")
struct OwnerTests {
    @Test("anyone can become an owner and read their account with the token", arguments: [nil, "", "{}"])
    func createOwner(body: String?) async throws {
        let registry = try Harness()
        let answer = try await registry.call(.post, "/v1/owners", body: body)
        #expect(answer.status == 201 && answer.headers[.location] == "/v1/owner")
        let created: OwnerCreated = try answer.value()
        let owner: Owner = try await registry.call(.get, "/v1/owner", token: created.token).value()
        #expect(owner.id == created.owner.id && owner.recoveryCodes == created.owner.recoveryCodes)
        #expect(owner.channelKinds == [.webhook, .email, .ntfy])
    }

    @Test("the request for a new owner has no fields", arguments: [(#"{"name":"x"}"#, "/name"), ("[]", "")])
    func ownerFields(body: String, pointer: String) async throws {
        let registry = try Harness()
        let answer = try await registry.call(.post, "/v1/owners", body: body)
        #expect(answer.status == 422 && answer.pointers == [pointer])
    }

    @Test("a bike gets an identity from the network region, and Location points to the bike")
    func allocated() async throws {
        let registry = try Harness(policy: .closed)
        let owner = try await registry.newOwner()
        let answer = try await registry.post("/v1/bikes", token: owner, Samples.bike)
        let bike: Bike = try answer.value()
        #expect(answer.status == 201)
        #expect(bike.identity.uuid == NetworkRegion.uuid && bike.identity.minor >= 100)
        let location = try #require(answer.headers[.location])
        #expect(try await registry.call(.get, location, token: owner).value(Bike.self) == bike)
        let page: Page<Bike> = try await registry.call(.get, "/v1/bikes", token: owner).value()
        #expect(page.items == [bike] && page.next == nil)
    }

    @Test("a given identity needs an operator who allows given identities")
    func givenIdentity() async throws {
        let registry = try Harness(policy: .closed)
        var draft = Samples.bike
        draft.identity = Samples.identity(1)
        let answer = try await registry.post("/v1/bikes", token: try await registry.newOwner(), draft)
        #expect(answer.status == 422 && answer.pointers == ["/identity"])
    }

    @Test(
        "an identity from the region and a factory identity are refused even if given identities are allowed",
        arguments: ["21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:500", "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0"]
    )
    func reservedIdentity(identity: String) async throws {
        let registry = try Harness()
        var draft = Samples.bike
        draft.identity = BeaconIdentity(identity)
        let answer = try await registry.post("/v1/bikes", token: try await registry.newOwner(), draft)
        #expect(answer.status == 422 && answer.pointers == ["/identity"])
    }

    @Test("a taken identity gets the same response as a free one, so that nobody learns which ones are taken")
    func takenIdentity() async throws {
        let registry = try Harness()
        let bike = try await registry.newBike(of: try await registry.newOwner())
        let pending = try await registry.newPendingBike(of: try await registry.newOwner(), bike.identity)
        let free = try await registry.newPendingBike(of: try await registry.newOwner(), Samples.identity(2))
        #expect(pending.pending == PendingBeacon(claimed: bike.identity))
        #expect(free.pending == PendingBeacon(claimed: Samples.identity(2)))
        #expect(pending.identity != bike.identity && pending.identity != free.identity)
    }

    @Test("all invalid fields of a bike are named at once")
    func badBike() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let body = #"{"kind":"car","make":"","colours":[],"year":1,"extra":1}"#
        let answer = try await registry.call(.post, "/v1/bikes", token: owner, body: body)
        #expect(answer.status == 422 && answer.problem == "invalid-fields")
        #expect(answer.pointers == ["/kind", "/make", "/model", "/colours", "/year", "/extra"])
    }

    @Test("a bike can be reported missing only once at a time, and the conflict names the open report")
    func openReport() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)/reports"
        let answer = try await registry.call(.post, path, token: owner, body: "{}")
        let report: MissingReport = try answer.value()
        #expect(answer.status == 201)
        #expect(answer.headers[.location] == "\(path)/\(report.id)")
        #expect(report.missingSince == registry.clock.now && report.closed == nil)
        let read: MissingReport = try await registry.call(.get, "\(path)/\(report.id)", token: owner).value()
        #expect(read == report)
        let second = try await registry.call(.post, path, token: owner, body: "{}")
        #expect(second.status == 409 && second.problem == "report-already-open")
        #expect(try second.value(ProblemDetails.self).detail.contains(report.id.description))
    }

    @Test("a report can be closed once, and the bike can then be reported missing again")
    func closeReport() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let path = "/v1/bikes/\(bike.id)/reports/\(report.id)/closure"
        let closure = ReportClosure(outcome: .recovered, note: "in a canal")
        let closed: MissingReport = try await registry.post(path, token: owner, closure).value()
        #expect(closed.closed != nil && closed.closure == closure)
        let again = try await registry.post(path, token: owner, closure)
        #expect(again.status == 409 && again.problem == "report-already-closed")
        registry.clock.advance(by: .milliseconds(1))
        let second = try await registry.newReport(on: bike.id, of: owner)
        let page: Page<MissingReport> = try await registry.call(
            .get, "/v1/bikes/\(bike.id)/reports", token: owner
        ).value()
        #expect(page.items.map(\.id) == [report.id, second.id])
    }

    @Test("invalid fields of a report and of a closure are named")
    func badReport() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)/reports"
        let body = #"{"missingSince":"2026-01-01T00:00:00Z","lastPlace":{},"police":1}"#
        let answer = try await registry.call(.post, path, token: owner, body: body)
        #expect(answer.status == 422)
        #expect(answer.pointers == ["/missingSince", "/lastPlace/latitude", "/lastPlace/longitude", "/police"])
        let report = try await registry.newReport(on: bike.id, of: owner)
        let closure = try await registry.call(.post, "\(path)/\(report.id)/closure", token: owner, body: "{}")
        #expect(closure.status == 422 && closure.pointers == ["/outcome"])
    }

    @Test("a channel shows its secret only when created, and can be listed and removed")
    func channels() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let answer = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let created: ChannelCreated = try answer.value()
        #expect(answer.status == 201 && created.secret?.hasPrefix("whsec_") == true)
        let path = "/v1/channels/\(created.channel.id)"
        #expect(answer.headers[.location] == path)
        let tag = try await registry.tag(path, token: owner)
        let list = try await registry.call(.get, "/v1/channels", token: owner)
        #expect(try list.value(Page<Channel>.self).items == [created.channel])
        #expect(!String(decoding: list.body, as: UTF8.self).contains("whsec_"))
        let removal = try await registry.call(.delete, path, token: owner, headers: tag)
        #expect(removal.status == 204 && removal.body.isEmpty)
        #expect(try await registry.call(.delete, path, token: owner, headers: tag).status == 404)
    }

    @Test("a channel is not created if its notifier refuses the address")
    func refusedChannel() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let draft = ChannelDraft(kind: .webhook, address: "https://refused")
        let answer = try await registry.post("/v1/channels", token: owner, draft)
        #expect(answer.status == 422 && answer.pointers == ["/url"])
        #expect(try await registry.call(.get, "/v1/channels", token: owner).value(Page<Channel>.self).items.isEmpty)
    }

    @Test("an invalid identifier is not found", arguments: ["x", "019aa4e1-1c2d-7a3b-8c4d-5e6f7081920", "%00"])
    func noIdentifier(text: String) async throws {
        let registry = try Harness()
        let answer = try await registry.call(.get, "/v1/bikes/\(text)", token: try await registry.newOwner())
        #expect(answer.status == 404 && answer.problem == "not-found")
    }
}
