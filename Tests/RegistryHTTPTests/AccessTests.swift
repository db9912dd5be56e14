import HTTPTypes
import Registry
import RegistryAPI
import RegistryTestSupport
import Testing

@Suite("Who may call what")
struct AccessTests {
    private static let id = "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"

    /// Every call that needs a token, with the principal that it is for.
    private static let calls: [(HTTPRequest.Method, String, Principal.Kind)] = [
        (.get, "/v1/owner", .owner), (.post, "/v1/bikes", .owner), (.get, "/v1/bikes", .owner),
        (.get, "/v1/bikes/\(id)", .owner), (.post, "/v1/bikes/\(id)/reports", .owner),
        (.get, "/v1/bikes/\(id)/reports", .owner), (.get, "/v1/bikes/\(id)/reports/\(id)", .owner),
        (.post, "/v1/bikes/\(id)/reports/\(id)/closure", .owner),
        (.get, "/v1/bikes/\(id)/reports/\(id)/sightings", .owner),
        (.get, "/v1/bikes/\(id)/reports/\(id)/evidence", .owner), (.get, "/v1/audit", .operator),
        (.get, "/v1/audit/checkpoint", .operator), (.post, "/v1/channels", .owner),
        (.get, "/v1/channels", .owner), (.delete, "/v1/channels/\(id)", .owner),
        (.post, "/v1/bikes/\(id)/reports/\(id)/sightings/\(id)/dismissal", .owner),
        (.post, "/v1/invitations", .operator), (.get, "/v1/stations", .operator),
        (.get, "/v1/stations/\(id)", .operator), (.patch, "/v1/stations/\(id)", .operator),
        (.delete, "/v1/stations/\(id)", .operator), (.get, "/v1/missing", .station),
        (.post, "/v1/sightings", .station), (.put, "/v1/station/heartbeat", .station),
    ]

    @Test("every call refuses every other kind of principal, and everyone without a valid token")
    func forbidden() async throws {
        try await Harness.run { registry in
            let tokens: [Principal.Kind: String] = [
                .owner: try await registry.newOwner(), .operator: try await registry.newOperator(),
                .station: try await registry.newStation().token,
            ]
            for (method, path, kind) in Self.calls {
                let body = method == .post ? "{}" : nil
                for (other, token) in tokens where other != kind {
                    let answer = try await registry.call(method, path, token: token, body: body)
                    #expect(answer.status == 403 && answer.problem == "forbidden", "\(method) \(path) as \(other)")
                }
                for token in [nil, "fmb_owner_" + String(repeating: "A", count: 43), "x"] {
                    let answer = try await registry.call(method, path, token: token, body: body)
                    #expect(answer.status == 401 && answer.problem == "unauthenticated", "\(method) \(path)")
                    #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
                }
                let token = try #require(tokens[kind])
                let answer = try await registry.call(method, path, token: token, body: body)
                #expect(answer.status != 401 && answer.status != 403, "\(method) \(path) as \(kind)")
            }
        }
    }

    @Test(
        "only a Bearer token in the Authorization field counts",
        arguments: ["Basic TOKEN", "TOKEN", "Bearer", "Bearer TOKEN x", "Bearer  TOKENx"]
    )
    func otherSchemes(field: String) async throws {
        try await Harness.run { registry in
            let token = try await registry.newOwner()
            let headers: HTTPFields = [.authorization: field.replacing("TOKEN", with: token)]
            #expect(try await registry.call(.get, "/v1/owner", headers: headers).status == 401)
            #expect(try await registry.call(.get, "/v1/owner?token=\(token)").status == 401)
            let lowerCase: HTTPFields = [.authorization: "bearer \(token)"]
            #expect(try await registry.call(.get, "/v1/owner", headers: lowerCase).status == 200)
        }
    }

    @Test("whatever belongs to another owner does not exist")
    func ownership() async throws {
        try await Harness.run { registry in
            let owner = try await registry.newOwner()
            let thief = try await registry.newOwner()
            let bike = try await registry.newBike(of: owner)
            let report = try await registry.newReport(on: bike.id, of: owner)
            let channel: ChannelCreated = try await registry.post(
                "/v1/channels", token: owner, Samples.webhook
            ).value()
            let calls: [(HTTPRequest.Method, String, String?)] = [
                (.get, "/v1/bikes/\(bike.id)", nil), (.get, "/v1/bikes/\(bike.id)/reports", nil),
                (.post, "/v1/bikes/\(bike.id)/reports", "{}"),
                (.get, "/v1/bikes/\(bike.id)/reports/\(report.id)", nil),
                (.post, "/v1/bikes/\(bike.id)/reports/\(report.id)/closure", #"{"outcome":"recovered"}"#),
                (.get, "/v1/bikes/\(bike.id)/reports/\(report.id)/sightings", nil),
                (.post, "/v1/bikes/\(bike.id)/reports/\(report.id)/sightings/\(report.id)/dismissal", nil),
                (.delete, "/v1/channels/\(channel.channel.id)", nil),
            ]
            for (method, path, body) in calls {
                let answer = try await registry.call(method, path, token: thief, body: body)
                #expect(answer.status == 404 && answer.problem == "not-found", "\(method) \(path)")
            }
            #expect(try await registry.call(.get, "/v1/bikes", token: thief).value(Page<Bike>.self).items.isEmpty)
            #expect(try await registry.call(.get, "/v1/channels", token: thief).value(Page<Channel>.self).items.isEmpty)
            #expect(
                try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner).value(Bike.self).openReport != nil)
        }
    }
}
