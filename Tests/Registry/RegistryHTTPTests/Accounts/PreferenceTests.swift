import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Preferences of owners")
struct PreferenceTests {
    private static func patch(
        _ registry: Harness, _ path: String, _ owner: String, _ body: String, code: String? = nil
    ) async throws -> Answer {
        var headers = try await registry.tag(path, token: owner)
        if let code, let name = HTTPField.Name(RecoveryCodeField.name) { headers[name] = code }
        return try await registry.call(.patch, path, token: owner, body: body, headers: headers)
    }

    @Test("language, zone and quiet hours can be set, read, exported and removed")
    func preferences() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let body = #"{"language":"de","zone":"Europe/Berlin","quietHours":{"from":"22:00","to":"07:00"}}"#
        let changed = try await Self.patch(registry, "/v1/owner", owner, body).value(Owner.self)
        #expect((changed.language, changed.zone) == (.de, "Europe/Berlin"))
        #expect(changed.quietHours?.from.description == "22:00" && changed.tellsAppearance)
        let export = try await registry.call(.get, "/v1/owner/export", token: owner).value(OwnerExport.self)
        #expect(changed.channelKinds == [.webhook, .email, .ntfy])
        var kept = changed
        kept.channelKinds = nil
        #expect(export.owner == kept)
        let back = #"{"zone":null,"quietHours":null}"#
        let after = try await Self.patch(registry, "/v1/owner", owner, back).value(Owner.self)
        #expect(after.zone == nil && after.quietHours == nil && after.language == .de)
    }

    @Test(
        "invalid preferences are refused, and each field is named",
        arguments: [
            (#"{"zone":"Nowhere/Land"}"#, "/zone"), (#"{"language":"la"}"#, "/language"),
            (#"{"quietHours":{"from":"22:00"}}"#, "/quietHours/to"),
            (#"{"quietHours":{"from":"22:00","to":"22:00"}}"#, "/quietHours/to"),
            (#"{"quietHours":{"from":"24:00","to":"07:00"}}"#, "/quietHours/from"),
        ]
    )
    func refusals(body: String, pointer: String) async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let answer = try await Self.patch(registry, "/v1/owner", owner, body)
        #expect(answer.status == 422 && answer.pointers == [pointer])
    }

    @Test("while a bike is missing, a token alone cannot silence alerts, and other changes are announced")
    func thief() async throws {
        let registry = try Harness()
        let created: OwnerCreated = try await registry.call(.post, "/v1/owners").value()
        let owner = created.token
        _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
        let bike = try await registry.newBike(of: owner)
        _ = try await registry.newReport(on: bike.id, of: owner)
        let body = #"{"quietHours":{"from":"00:00","to":"23:59"}}"#
        #expect(try await Self.patch(registry, "/v1/owner", owner, body).problem == "recovery-code-needed")
        #expect(try await Self.patch(registry, "/v1/owner", owner, #"{"language":"de"}"#).status == 200)
        let code = created.recoveryCodes[0]
        #expect(try await Self.patch(registry, "/v1/owner", owner, body, code: code).status == 200)
        #expect(try await registry.notices() == [OwnerNotice(.ownerChanged), OwnerNotice(.ownerChanged)])
    }

    @Test("a bike’s dates are merged by a patch, returned and exported")
    func upkeep() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let path = "/v1/bikes/\(try await registry.newBike(of: owner).id)"
        let first = #"{"upkeep":{"insuranceEnds":"2027-06-30","battery":"CR2477","batteryFitted":"2026-11-21"}}"#
        #expect(try await Self.patch(registry, path, owner, first).status == 200)
        let second = #"{"upkeep":{"battery":null,"batteryMonths":18}}"#
        let bike = try await Self.patch(registry, path, owner, second).value(Bike.self)
        #expect(
            bike.upkeep
                == BikeUpkeep(
                    insuranceEnds: CalendarDate("2027-06-30"), batteryFitted: CalendarDate("2026-11-21"),
                    batteryMonths: 18))
        let export = try await registry.call(.get, "/v1/owner/export", token: owner).value(OwnerExport.self)
        #expect(export.bikes.map(\.bike) == [bike])
        let none = try await Self.patch(registry, path, owner, #"{"upkeep":null}"#).value(Bike.self)
        #expect(none.upkeep == nil)
        let wrong = try await Self.patch(registry, path, owner, #"{"upkeep":{"taxDue":"2027-02-30"}}"#)
        #expect(wrong.pointers == ["/upkeep/taxDue"])
    }
}
