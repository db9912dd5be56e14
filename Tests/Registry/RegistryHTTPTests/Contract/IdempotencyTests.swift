import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Repeated calls")
struct IdempotencyTests {
    @Test("a call repeated with its key creates nothing new")
    func repeated() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let post = { (path: String, body: any Encodable & Sendable) in
            try await registry.post(path, token: owner, body, key: "key \(path)".replacing(" ", with: "-"))
        }
        var bikes: [Bike] = []
        for _ in 0..<2 { bikes.append(try await post("/v1/bikes", Samples.bike).value()) }
        #expect(bikes[0] == bikes[1])
        let path = "/v1/bikes/\(bikes[0].id)/reports"
        var reports: [MissingReport] = []
        for _ in 0..<2 { reports.append(try await post(path, MissingReportDraft()).value()) }
        #expect(reports[0] == reports[1])
        let closurePath = "\(path)/\(reports[0].id)/closure"
        for _ in 0..<2 {
            #expect(try await post(closurePath, ReportClosure(outcome: .falseAlarm)).status == 200)
        }
        var channels: [ChannelCreated] = []
        for _ in 0..<2 { channels.append(try await post("/v1/channels", Samples.webhook).value()) }
        #expect(channels[0] == channels[1])
        #expect(try await registry.call(.get, "/v1/bikes", token: owner).value(Page<Bike>.self).items.count == 1)
    }

    @Test("repeating an invitation gives it a new code, and the old one no longer works")
    func invitation() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        let draft = InvitationDraft(name: "Café", place: Samples.place)
        var invitations: [Invitation] = []
        for _ in 0..<2 {
            invitations.append(try await registry.post("/v1/invitations", token: token, draft, key: "a").value())
        }
        #expect(invitations[0].id == invitations[1].id && invitations[0].code != invitations[1].code)
        let enrol = { (code: String) in
            try await registry.post("/v1/station/enrolment", EnrolmentRequest(code: code)).status
        }
        #expect(try await enrol(invitations[0].code) == 403)
        #expect(try await enrol(invitations[1].code) == 201)
        let late = try await registry.post("/v1/invitations", token: token, draft, key: "a")
        #expect(late.status == 409 && late.problem == "invitation-accepted")
    }

    @Test("reusing a key for a different request is refused, and another owner can use the same key")
    func otherRequest() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike: Bike = try await registry.post("/v1/bikes", token: owner, Samples.bike, key: "a").value()
        var other = Samples.bike
        other.model = "P Line"
        let reused = try await registry.post("/v1/bikes", token: owner, other, key: "a")
        #expect(reused.status == 422 && reused.problem == "idempotency-key-reused")
        let neighbour = try await registry.newOwner()
        let theirs: Bike = try await registry.post("/v1/bikes", token: neighbour, Samples.bike, key: "a").value()
        #expect(theirs.id != bike.id)
    }

    @Test("a refused call does not use up its key")
    func refusedFirst() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let path = "/v1/bikes/\(bike.id)/reports"
        let open = try await registry.newReport(on: bike.id, of: owner)
        #expect(try await registry.post(path, token: owner, MissingReportDraft(), key: "a").status == 409)
        let closure = ReportClosure(outcome: .falseAlarm)
        _ = try await registry.post("\(path)/\(open.id)/closure", token: owner, closure)
        #expect(try await registry.post(path, token: owner, MissingReportDraft(), key: "a").status == 201)
    }

    @Test("a key that cannot be stored is refused", arguments: [" ", "a b", "é", String(repeating: "x", count: 256)])
    func badKey(key: String) async throws {
        let registry = try Harness()
        let answer = try await registry.post("/v1/bikes", token: try await registry.newOwner(), Samples.bike, key: key)
        #expect(answer.status == 400 && answer.problem == "invalid-idempotency-key")
    }
}
