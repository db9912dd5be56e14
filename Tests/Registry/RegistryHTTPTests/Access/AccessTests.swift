import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Authorization of calls")
struct AccessTests {
    private static let id = "019aa4e1-1c2d-7a3b-8c4d-5e6f70819203"

    /// A path that matches the call's pattern but names no resource.
    private static func path(of call: Call) -> String {
        call.path.split(separator: "/").map { $0.hasPrefix(":") ? "/\(id)" : "/\($0)" }.joined()
    }

    private static func body(of call: Call) -> String? {
        [.get, .delete].contains(call.method) ? nil : "{}"
    }

    @Test("every call rejects every other kind of principal, and requests without a valid token")
    func forbidden() async throws {
        let registry = try Harness()
        let tokens: [Principal.Kind: String] = [
            .owner: try await registry.newOwner(), .operator: try await registry.newOperator(),
            .station: try await registry.newStation().token,
        ]
        let calls = registry.calls()
        #expect(Set(calls.compactMap(\.access.principal)) == Set(Principal.Kind.allCases))
        for call in calls {
            guard let kind = call.access.principal else { continue }
            let (method, path, body) = (call.method, Self.path(of: call), Self.body(of: call))
            for (other, token) in tokens where other != kind {
                let answer = try await registry.call(method, path, token: token, body: body)
                #expect(answer.status == 403 && answer.problem == "forbidden", "\(method) \(path) as \(other)")
            }
            for token in [nil, "fmb_owner_" + String(repeating: "A", count: 43), "x"] {
                let answer = try await registry.call(method, path, token: token, body: body)
                #expect(answer.status == 401 && answer.problem == "unauthenticated", "\(method) \(path)")
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
        }
    }

    @Test("a token allows the calls of its own kind and scope, and of every narrower scope")
    func scopes() async throws {
        let registry = try Harness()
        let calls = registry.calls()
        for scope in TokenScope.allCases {
            for call in calls {
                guard case .owner(let needed) = call.access else { continue }
                // Use a separate token for each call, since some calls end an account.
                let token = try await registry.newToken(of: try await registry.newOwner(), scope: scope)
                let answer = try await registry.call(
                    call.method, Self.path(of: call), token: token, body: Self.body(of: call)
                )
                let name = "\(call.method) \(call.path) with \(scope)"
                if needed <= scope {
                    #expect(answer.problem != "insufficient-scope" && answer.status != 401, "\(name)")
                } else {
                    #expect(answer.status == 403 && answer.problem == "insufficient-scope", "\(name)")
                    #expect(try answer.value(ProblemDetails.self).detail.contains("‘\(needed.rawValue)’"))
                }
            }
        }
    }

    @Test("calls that change nothing need only the scope for reading")
    func reading() async throws {
        let registry = try Harness()
        for call in registry.calls() {
            guard case .owner(let scope) = call.access else { continue }
            #expect((call.method == .get) == (scope == .read), "\(call.method) \(call.path)")
        }
    }

    @Test(
        "only a Bearer token in the Authorization field is accepted",
        arguments: ["Basic TOKEN", "TOKEN", "Bearer", "Bearer TOKEN x", "Bearer  TOKENx"]
    )
    func otherSchemes(field: String) async throws {
        let registry = try Harness()
        let token = try await registry.newOwner()
        let headers: HTTPFields = [.authorization: field.replacing("TOKEN", with: token)]
        #expect(try await registry.call(.get, "/v1/owner", headers: headers).status == 401)
        #expect(try await registry.call(.get, "/v1/owner?token=\(token)").status == 401)
        let lowerCase: HTTPFields = [.authorization: "bearer \(token)"]
        #expect(try await registry.call(.get, "/v1/owner", headers: lowerCase).status == 200)
    }

    @Test("resources of another owner are not found")
    func ownership() async throws {
        let registry = try Harness()
        let owner = try await registry.newOwner()
        let thief = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let channel: ChannelCreated = try await registry.post("/v1/channels", token: owner, Samples.webhook).value()
        let calls: [(HTTPRequest.Method, String, String?)] = [
            (.get, "/v1/bikes/\(bike.id)", nil), (.get, "/v1/bikes/\(bike.id)/reports", nil),
            (.post, "/v1/bikes/\(bike.id)/reports", "{}"),
            (.get, "/v1/bikes/\(bike.id)/reports/\(report.id)", nil),
            (.post, "/v1/bikes/\(bike.id)/reports/\(report.id)/closure", #"{"outcome":"recovered"}"#),
            (.get, "/v1/bikes/\(bike.id)/reports/\(report.id)/sightings", nil),
            (.post, "/v1/bikes/\(bike.id)/reports/\(report.id)/sightings/\(report.id)/dismissal", nil),
            (.patch, "/v1/bikes/\(bike.id)/reports/\(report.id)", "{}"),
            (.patch, "/v1/bikes/\(bike.id)", "{}"), (.delete, "/v1/bikes/\(bike.id)", nil),
            (.get, "/v1/bikes/\(bike.id)/history", nil), (.post, "/v1/bikes/\(bike.id)/beacon", "{}"),
            (.post, "/v1/bikes/\(bike.id)/transfer", nil),
            (.get, "/v1/channels/\(channel.channel.id)", nil),
            (.put, "/v1/channels/\(channel.channel.id)", #"{"kind":"webhook","url":"https://example.org"}"#),
            (.delete, "/v1/channels/\(channel.channel.id)", nil),
        ]
        for (method, path, body) in calls {
            let headers: HTTPFields = [.ifMatch: "*"]
            let answer = try await registry.call(method, path, token: thief, body: body, headers: headers)
            #expect(answer.status == 404 && answer.problem == "not-found", "\(method) \(path)")
        }
        #expect(try await registry.call(.get, "/v1/bikes", token: thief).value(Page<Bike>.self).items.isEmpty)
        #expect(try await registry.call(.get, "/v1/channels", token: thief).value(Page<Channel>.self).items.isEmpty)
        #expect(try await registry.call(.get, "/v1/bikes/\(bike.id)", token: owner).value(Bike.self).openReport != nil)
    }
}
