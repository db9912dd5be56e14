import Hummingbird
import Registry
import RegistryAPI

/// The operators' calls that read the audit.
struct AuditRoutes {
    let operations: RegistryOperations
    let store: any AuditStore

    func add(to routes: Routes<OperatorContext>) {
        routes.get("/v1/audit", entries)
        routes.get("/v1/audit/checkpoint", checkpoint)
        routes.get("/v1/audit/checkpoints", checkpoints)
    }

    @Sendable private func entries(_ request: Request, _: OperatorContext) async throws -> Response {
        let filter = try AuditFilter(query: request.uri.queryParameters)
        return try Paging.answer(try await store.auditEntries(filter, try Paging.page(request)), to: request)
    }

    @Sendable private func checkpoint(_: Request, _: OperatorContext) async throws -> Response {
        try .json(try await operations.auditCheckpoint())
    }

    @Sendable private func checkpoints(_ request: Request, _: OperatorContext) async throws -> Response {
        try Paging.answer(try await store.auditCheckpoints(try Paging.page(request)), to: request)
    }
}

extension AuditFilter {
    /// Parses `?owner=…&bike=…&report=…&station=…&action=…&since=…&until=…&order=…`.
    fileprivate init(query: Parameters) throws {
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

private let identifier = "an identifier"

extension Parameters {
    fileprivate func value<Field>(_ name: String, _ form: String, _ parse: (Substring) -> Field?) throws -> Field? {
        guard let text = self[name[...]] else { return nil }
        guard let value = parse(text) else { throw RequestError.invalidQuery(name, form: form) }
        return value
    }

    fileprivate func value<Field: LosslessStringConvertible>(_ name: String, _ form: String) throws -> Field? {
        try value(name, form) { Field(String($0)) }
    }
}
