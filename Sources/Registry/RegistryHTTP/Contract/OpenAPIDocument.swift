import FoundationEssentials
import HTTPTypes
import RegistryAPI
import RegistryRules
import Syntax

/// The contract as OpenAPI 3.1, generated from the declarations of the calls, the rules for requests and the types of
/// responses.
struct OpenAPIDocument {
    /// The schemas of types, by their names.
    private(set) var components: [String: JSONSchema] = [:]
    /// The descriptions of calls, by path and method.
    private var paths: [String: [String: JSONValue]] = [:]
    private let now: Timestamp

    /// - Parameter now: the time for which bounds that change with time are computed.
    /// - Throws: an error if a type of a response cannot be described.
    init(calls: [Call], now: Timestamp) throws {
        self.now = now
        components["Visit"] = Visit.schema(now: now)
        _ = try JSONSchema(of: ProblemDetails.self, components: &components)
        for call in calls {
            paths[Self.path(call.path), default: [:]][call.method.rawValue.lowercased()] = try describe(call)
        }
        // A response may contain the type of a body, whose rules say more. So the order of the calls does not matter.
        for body in calls.compactMap(\.body) { components[body.name] = body.schema(now) }
        for (name, schema) in ContractBounds.schemas(now: now) { bound(name, by: schema) }
    }

    /// The whole document.
    var value: JSONValue {
        .object([
            "openapi": "3.1.0",
            "info": ContractText.info,
            "servers": .array([.object(["url": "/"])]),
            "tags": ContractText.tags,
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": .object([
                "schemas": .object(components.mapValues(\.value)),
                "securitySchemes": ContractText.securitySchemes,
            ]),
        ])
    }

    /// Converts a call's pattern to a path template: `/v1/bikes/:bike` becomes `/v1/bikes/{bike}`.
    static func path(_ pattern: String) -> String {
        let segments = pattern.split(at: "/").map { $0.begins(with: ":") ? "{\($0.dropFirst())}" : String($0) }
        return "/" + segments.joined(separator: "/")
    }

    private mutating func describe(_ call: Call) throws -> JSONValue {
        let names = call.path.split(at: "/").filter { $0.begins(with: ":") }.map { String($0.dropFirst()) }
        let declared = call.parameters.filter { $0.place == .path }
        let inPath: [Parameter] = names.map { name in declared.first { $0.name == name } ?? .path(name) }
        let parameters = inPath + call.parameters.filter { $0.place != .path }
        var members: [String: JSONValue] = [
            "operationId": .string(Self.identifier(of: call)),
            "summary": .string(call.summary),
            "tags": .array([.string(call.access.tag)]),
            "responses": .object(try responses(call)),
            "security": .array(call.access.requirements),
        ]
        if let details = call.details { members["description"] = .string(details) }
        if !parameters.isEmpty { members["parameters"] = .array(parameters.map(Self.describe)) }
        if let body = call.body { members["requestBody"] = describe(body) }
        return .object(members)
    }

    /// The identifier of a call, such as `getBikesByBikeReports`, or `getAppBikes` for the original app.
    private static func identifier(of call: Call) -> String {
        let words = call.path.split { !$0.isLetter && !$0.isNumber && $0 != ":" }.filter { $0 != "v1" }
        let parts = words.map { $0.begins(with: ":") ? "By" + $0.dropFirst().capitalized : $0.capitalized }
        let app = call.parameters.contains { $0.name == Parameter.appKey.name } ? "App" : ""
        return call.method.rawValue.lowercased() + app + parts.joined()
    }

    private static func describe(_ parameter: Parameter) -> JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "description": .string(parameter.summary), "required": .bool(parameter.isRequired),
            "schema": parameter.schema.value,
        ]
        members["example"] = parameter.example
        return .object(members)
    }

    private func describe(_ body: Call.Body) -> JSONValue {
        var content: [String: JSONValue] = ["schema": JSONSchema.reference(to: body.name).value]
        content["example"] = body.example()
        let forms = body.mediaTypes.map { ($0, JSONValue.object(content)) }
        return .object([
            "required": .bool(body.presence == .required), "content": .object(Dictionary(forms) { first, _ in first }),
        ])
    }

    private mutating func responses(_ call: Call) throws -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        for answer in call.answers { responses["\(answer.status.code)"] = try describe(answer) }
        let refusals = call.refusals + call.access.refusals + call.deskRefusals + Self.commonRefusals(call)
        for (status, refusals) in Dictionary(grouping: refusals, by: { $0.problem.status.code }) {
            responses["\(status)"] = Self.merged(Self.describe(refusals), responses["\(status)"])
        }
        return responses
    }

    /// The description of a problem, with the content of a page that people get for the same status.
    private static func merged(_ problem: JSONValue, _ page: JSONValue?) -> JSONValue {
        guard case .object(var members) = problem, case .object(let others)? = page,
            case .object(let problems)? = members["content"], case .object(let pages)? = others["content"]
        else { return problem }
        members["content"] = .object(problems.merging(pages) { first, _ in first })
        return .object(members)
    }

    /// How any call can be refused.
    private static func commonRefusals(_ call: Call) -> [any Refusal] {
        let notFound: [any Refusal] = call.path.has(":") ? [DomainError.notFound("bike")] : []
        return notFound + [
            RequestError.malformedRequest, RequestError.headerTooLarge, RequestError.tooManyRequests(retryAfter: 20),
            DomainError.storageUnavailable(""), DomainError.outcomeUnknown(""), Fault(),
        ]
    }

    private mutating func describe(_ answer: Call.Answer) throws -> JSONValue {
        var content: [String: JSONValue] = [:]
        for form in answer.content {
            var members: [String: JSONValue] = ["schema": try form.schema(&components).value]
            members["example"] = form.example()
            content[form.mediaType] = .object(members)
        }
        return Self.response(answer.summary, content, answer.headers)
    }

    /// Describes the problems of one status, distinguished by their type.
    private static func describe(_ refusals: [any Refusal]) -> JSONValue {
        var problems: [String: ProblemDetails] = [:]
        for details in refusals.map(\.problem.details) where problems[details.type] == nil {
            problems[details.type] = details
        }
        let types = JSONSchema.choice(problems.keys.sorted())
        let schema = JSONValue.object([
            "allOf": .array([
                JSONSchema.reference(to: "ProblemDetails").value,
                .object(["properties": .object(["type": types.value])]),
            ])
        ])
        var examples: [String: JSONValue] = [:]
        for problem in problems.values {
            let example: [String: JSONValue] = [
                "summary": .string(problem.title), "value": JSONBody.value(problem) ?? .null,
            ]
            examples[problem.name ?? problem.type] = .object(example)
        }
        let content: [String: JSONValue] = ["schema": schema, "examples": .object(examples)]
        let titles = problems.values.map(\.title).sorted()
        let headers = HeaderField.all.filter { header in
            refusals.contains { $0.problem.headers.contains(header.name) }
        }
        return response(titles.joined(separator: "; or: "), [MediaType.problem: .object(content)], headers)
    }

    private static func response(
        _ summary: String, _ content: [String: JSONValue], _ headers: [HeaderField]
    ) -> JSONValue {
        var fields: [String: JSONValue] = [:]
        for header in [HeaderField.requestID] + headers {
            let field: [String: JSONValue] = ["description": .string(header.summary), "schema": header.schema.value]
            fields[header.name.rawName] = .object(field)
        }
        var members: [String: JSONValue] = ["description": .string(summary), "headers": .object(fields)]
        if !content.isEmpty { members["content"] = .object(content) }
        return .object(members)
    }

    /// Gives a type's properties the bounds of the properties with the same names in a request.
    private mutating func bound(_ name: String, by schema: JSONSchema) {
        guard case .object(var properties)? = components[name]?.keywords["properties"],
            case .object(let bounds)? = schema.keywords["properties"]
        else { return }
        for (property, bound) in bounds where properties[property] != nil {
            properties[property] = JSONSchema(value: bound).notNull.value
        }
        components[name]?.keywords["properties"] = .object(properties)
    }
}
