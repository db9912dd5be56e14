import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL

/// The operators' calls that read the audit.
struct AuditCalls {
    let operations: RegistryOperations
    let store: any RegistryStore

    func add(to calls: Calls<OperatorContext>) {
        calls.get("/v1/audit", "Read the audit")
            .with(.about("owner"), .about("bike"), .about("report"), .about("station"))
            .with(.action, .time("since"), .time("until"), .order)
            .refusing(request: .invalidQuery("bike", form: identifier))
            .listing(Example.auditEntry, "A page of entries; erased ones have no event.") { request, page in
                try await store.auditEntries(try AuditFilter(query: request.http.uri.queryParameters), page)
            }

        calls.get("/v1/audit/checkpoint", "Get a signed checkpoint of the audit")
            .refusing(.signingKeyMissing)
            .answering(Example.checkpoint, "The length of the audit and its last hash, signed.") { _ in
                try await operations.auditCheckpoint()
            }

        calls.get(
            "/v1/audit/checkpoints", "List the registry’s own checkpoints",
            "One for each hour in which the audit grew, and one for each shutdown."
        )
        .listing(Example.checkpoint, "A page of signed checkpoints, the latest first.") {
            try await store.auditCheckpoints($1)
        }
    }
}

extension Parameter {
    fileprivate static func about(_ resource: String) -> Parameter {
        Parameter(name: resource, place: .query, summary: "Only entries about this resource.", schema: .uuid)
    }

    fileprivate static let action = Parameter(
        name: "action", place: .query, summary: "Only entries with this action.",
        schema: .type("string"), example: "report.opened")

    fileprivate static func time(_ name: String) -> Parameter {
        Parameter(name: name, place: .query, summary: "Only entries since or before this time.", schema: .dateTime)
    }

    fileprivate static let order = Parameter(
        name: "order", place: .query, summary: "Which entries come first; by default the oldest.",
        schema: .choice(AuditOrder.allCases.map(\.rawValue)), example: "newest")
}

extension AuditFilter {
    /// Parses `?owner=…&bike=…&report=…&station=…&action=…&since=…&until=…&order=…`.
    fileprivate init(query: Hummingbird.Parameters) throws {
        self.init()
        owner = try query.value("owner", identifier)
        bike = try query.value("bike", identifier)
        report = try query.value("report", identifier)
        station = try query.value("station", identifier)
        action = try query.value("action", "an action, as ‘report.opened’") { text in
            text.utf8.contains(0) ? nil : String(text)
        }
        since = try query.value("since", "a time (RFC 3339)") { Timestamp($0) }
        until = try query.value("until", "a time (RFC 3339)") { Timestamp($0) }
        order = try query.value("order", "‘oldest’ or ‘newest’") { AuditOrder(rawValue: String($0)) } ?? .oldest
    }
}

/// What the parameters that name a resource must be.
private let identifier = "an identifier"

extension Hummingbird.Parameters {
    /// A parameter as a value; nil if the query does not have it.
    ///
    /// - Parameters:
    ///   - form: what it must be, for the problem.
    ///   - parse: gives nil for a text that it must not be.
    /// - Throws: `invalidQuery`.
    fileprivate func value<Field>(_ name: String, _ form: String, _ parse: (Substring) -> Field?) throws -> Field? {
        guard let text = self[name[...]] else { return nil }
        guard let value = parse(text) else { throw RequestError.invalidQuery(name, form: form) }
        return value
    }

    fileprivate func value<Field: LosslessStringConvertible>(_ name: String, _ form: String) throws -> Field? {
        try value(name, form) { Field(String($0)) }
    }
}
