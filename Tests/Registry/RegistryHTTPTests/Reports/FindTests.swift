import Beacons
import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@Suite("Finds")
struct FindTests {
    @Test("a find gets the same response whether the beacon has an owner or not; an owner is notified after it")
    func told() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        let find = Find(identity: bike.identity, message: "behind the shed", contact: "a@example.org")
        let known = try await registry.post("/v1/finds", find)
        let unknown = try await registry.post("/v1/finds", Find(identity: Samples.identity(9)))
        #expect(known.status == 202 && unknown.status == 202)
        #expect(known.body == unknown.body && known.body.isEmpty)
        #expect(try await registry.notices() == [])
        await registry.runMaintenance()
        let notices = try await registry.notices()
        #expect(notices.map(\.event) == [.beaconFound])
        #expect(notices.first?.subject == "behind the shed · a@example.org")
        #expect(notices.first?.bike?.id == bike.id)
        let history: Page<BikeEvent> = try await registry.call(
            .get, "/v1/bikes/\(bike.id)/history", token: owner
        ).value()
        #expect(history.items.map(\.event) == [.registered, .found])
        #expect(history.items.last?.message == "behind the shed" && history.items.last?.contact == "a@example.org")
    }

    @Test("an owner gets five notices of finds in six hours, then one for the rest")
    func flood() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        for _ in 0..<12 { _ = try await registry.post("/v1/finds", Find(identity: bike.identity)) }
        await registry.runMaintenance()
        #expect(try await registry.notices().count == 5)
        registry.clock.advance(by: .seconds(6 * 3600))
        await registry.runMaintenance()
        #expect(try await registry.notices().compactMap(\.count) == [6])
    }

    @Test(
        "the text of a finder is limited in length and plain",
        arguments: [
            ("message", String(repeating: "x", count: 501)), ("message", "\\u0007"), ("message", "\\u202e"),
            ("contact", String(repeating: "x", count: 129)), ("contact", "a\\nb"),
        ]
    )
    func bounds(field: String, text: String) async throws {
        let registry = try Harness()
        let identity = Samples.identity(1)
        let body = """
            {"identity":{"uuid":"\(identity.uuid)","major":1,"minor":1},"\(field)":"\(text)"}
            """
        let answer = try await registry.call(.post, "/v1/finds", body: body)
        #expect(answer.status == 422 && answer.pointers == ["/\(field)"])
    }
}
