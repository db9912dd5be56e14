import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The served contract")
struct ContractTests {
    private static let now = HandClock().now

    private let calls: [Call]

    init() throws { calls = try Harness().calls(appKey: "key") }

    @Test("each call is declared once")
    func unique() {
        let names = calls.map { "\($0.method) \($0.path)" }
        #expect(Set(names).count == names.count)
    }

    @Test("the server accepts every example of a request")
    func examples() {
        for call in calls {
            guard let body = call.body else { continue }
            #expect(body.refusals(Self.now) == [], "\(call.method) \(call.path)")
        }
    }

    @Test("a request’s schema matches the rules that check it")
    func requestSchema() throws {
        let schema = BikeDraft.rule(now: Self.now).schema(unknownFields: .refused)
        #expect(schema.keywords["required"] == .array(["kind", "make", "model", "colours"]))
        #expect(schema.keywords["additionalProperties"] == .bool(false))
        #expect(schema.property("kind") == .choice(BikeKind.allCases.map(\.rawValue)))
        #expect(schema.property("make").keywords["maxLength"] == .integer(64))
        #expect(schema.property("year") == .integer(1885...2027))
        #expect(schema.property("colours").keywords["maxItems"] == .integer(3))
        #expect(schema.property("identity").property("major") == .integer(0...65_535))
    }

    @Test("a response’s schema matches its type, with the same bounds as the request")
    func answerSchema() throws {
        let document = try OpenAPIDocument(calls: calls, now: Self.now)
        let bike = try #require(document.components["Bike"])
        #expect(bike.keywords["required"] == .array(["id", "kind", "make", "model", "colours", "identity", "created"]))
        #expect(bike.property("id") == .uuid)
        #expect(bike.property("identity") == .reference(to: "BeaconIdentity"))
        #expect(bike.property("make").keywords["maxLength"] == .integer(64))
        #expect(document.components["BikePage"]?.property("items") == .array(of: .reference(to: "Bike")))
        #expect(document.components["VisitResult"]?.property("result") == .choice(["stored", "ignored", "invalid"]))
    }

    @Test("a body keeps its rules if a response contains its type, in whatever order the calls are declared")
    func bodySchema() throws {
        for calls in [calls, calls.reversed(), calls.shuffled()] {
            let document = try OpenAPIDocument(calls: calls, now: Self.now)
            let heartbeat = try #require(document.components["StationHeartbeat"])
            #expect(heartbeat.property("adapters").keywords["maxItems"] == .integer(16))
        }
    }

    @Test("the body of every error is described, and no schema refers to itself")
    func problemSchema() throws {
        let document = try OpenAPIDocument(calls: calls, now: Self.now)
        let problem = try #require(document.components["ProblemDetails"])
        #expect(problem.keywords["required"] == .array(["type", "title", "status", "detail"]))
        for name in ["type", "title", "detail"] { #expect(problem.property(name) == .type("string")) }
        #expect(problem.property("status") == .type("integer"))
        #expect(problem.property("errors") == .array(of: .reference(to: "FieldError")))
        #expect(document.components["FieldError"]?.keywords["required"] == .array(["pointer", "detail"]))
        for (name, schema) in document.components {
            #expect(!Self.references(in: schema.value).contains("#/components/schemas/\(name)"), "\(name)")
        }
    }

    @Test("the events of a live trail are described: their name, their data and their identifier")
    func eventSchema() throws {
        let document = try OpenAPIDocument(calls: calls, now: Self.now)
        var live: [String] = []
        var components = document.components
        for answer in calls.flatMap(\.answers) {
            for content in answer.content where content.mediaType == MediaType.eventStream {
                guard case .string(let text)? = try content.schema(&components).keywords["description"],
                    case .string(let example)? = content.example()
                else { continue }
                let name = try #require(document.components.keys.first { text.contains("one `\($0)` as JSON") })
                #expect(text.contains("named `sighting`") && text.contains("`Last-Event-ID`"))
                #expect(example.hasPrefix("id: 7\nevent: sighting\ndata: {") && example.hasSuffix("}\n\n"))
                live.append(name)
            }
        }
        #expect(live.sorted() == ["SharedSighting", "Sighting"])
    }

    private static func references(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            if case .string(let reference)? = members["$ref"] { return [reference] }
            return members.values.flatMap(references)
        case .array(let items): return items.flatMap(references)
        default: return []
        }
    }

    @Test("a client with the current contract gets 304")
    func entityTag() async throws {
        let registry = try Harness()
        let answer = try await registry.call(.get, "/openapi.json")
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/json")
        let tag = try #require(answer.headers[.eTag])
        let again = try await registry.call(.get, "/openapi.json", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.body.isEmpty)
        // Some bounds depend on the year.
        registry.clock.advance(by: .days(366))
        #expect(try await registry.call(.get, "/openapi.json", headers: [.ifNoneMatch: tag]).status == 200)
    }
}
