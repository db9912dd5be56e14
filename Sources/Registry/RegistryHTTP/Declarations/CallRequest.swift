import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules
import Syntax

/// A request as the handler of its call gets it.
struct CallRequest<Context: RequestContext, Body: Sendable> {
    let http: Request
    let context: Context
    /// The body, read as the call declares it.
    let body: Body
    /// The key under which the call happens once; nil if the caller sent none, or the call accepts none.
    let once: IdempotencyKey?
    /// The name of the resource that must be unchanged (``Call/precondition``).
    let precondition: String?

    /// The identifier in the path. An invalid identifier names no resource, so the response is “not found”.
    ///
    /// - Parameter resource: the resource's name in the problem; by default the parameter's name.
    func id<Resource>(_ parameter: String, of resource: String? = nil) throws -> ResourceID<Resource> {
        try context.id(parameter, of: resource ?? parameter)
    }

    /// The resource, if it is in the state that the call's precondition demands (RFC 6585, section 3).
    ///
    /// - Throws: `preconditionRequired`, `changedMeanwhile`.
    func unchanged<Resource: Encodable>(_ resource: Resource) throws -> Resource {
        guard let precondition else { return resource }
        guard let field = http.headers[.ifMatch] else { throw RequestError.preconditionRequired }
        guard EntityTag.isMatched(EntityTag.of(try JSONBody.encode(resource)), by: field) else {
            throw DomainError.changedMeanwhile(precondition)
        }
        return resource
    }

    /// The state that a change is meant for, if the state of the resource is a number; nil for any state.
    ///
    /// - Throws: `preconditionRequired`, `changedMeanwhile`.
    func version() throws -> Int64? {
        try precondition.flatMap { try StateTag.version(of: $0, namedBy: http.headers[.ifMatch]) }
    }

    /// A path with this request's parameters in place of those of a pattern.
    func path(_ pattern: String) -> String {
        let segments = pattern.split(at: "/").map { segment -> String in
            let value = segment.dropping(prefix: ":").flatMap { context.parameters.get(String($0)) }
            return value ?? String(segment)
        }
        return segments.map { "/" + $0 }.joined()
    }
}

extension CallRequest where Context == OwnerContext {
    /// The caller.
    var owner: OwnerID { context.owner }

    /// The report in the path.
    ///
    /// - Throws: `notFound`.
    func report() throws -> ReportPath { ReportPath(try id("report"), on: try id("bike"), of: owner) }

    /// The act of this request, at the current time.
    func act(_ operations: RegistryOperations) -> OwnerAct {
        operations.act(of: owner, recoveryCode: http.headers[.recoveryCode])
    }
}

extension CallRequest where Context == StationContext {
    var station: StationID { context.station }
}

extension CallRequest where Context == OperatorContext {
    var `operator`: OperatorID { context.id }
}

extension RequestContext {
    /// The identifier in the path. An invalid identifier names no resource, so the response is “not found”.
    func id<Resource>(_ parameter: String, of resource: String) throws -> ResourceID<Resource> {
        guard let id = parameters.get(parameter).flatMap({ ResourceID<Resource>($0) }) else {
            throw DomainError.notFound(resource)
        }
        return id
    }
}
