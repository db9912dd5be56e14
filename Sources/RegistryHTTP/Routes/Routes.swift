import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// The routes of one group of principals; every route is entered in the table with its access rule.
struct Routes<Context: RequestContext> {
    typealias Handler = @Sendable (Request, Context) async throws -> Response

    let group: RouterGroup<Context>
    let table: RouteTable
    /// The default access rule of the group's routes; for owners, the widest scope.
    let access: Access

    func get(_ path: String, _ handler: @escaping Handler) { on(.get, path, access, handler) }

    func post(_ path: String, _ handler: @escaping Handler) { on(.post, path, access, handler) }

    func put(_ path: String, _ handler: @escaping Handler) { on(.put, path, access, handler) }

    func patch(_ path: String, _ handler: @escaping Handler) { on(.patch, path, access, handler) }

    func delete(_ path: String, _ handler: @escaping Handler) { on(.delete, path, access, handler) }

    fileprivate func on(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ handler: @escaping Handler
    ) {
        table.add(Route(method: method, path: path, access: access))
        group.on(RouterPath(path), method: method, use: handler)
    }
}

/// An owner's routes state the scope that the token needs.
extension Routes where Context == OwnerContext {
    func get(_ path: String, _ scope: TokenScope, _ handler: @escaping Handler) { on(.get, path, scope, handler) }

    func post(_ path: String, _ scope: TokenScope, _ handler: @escaping Handler) { on(.post, path, scope, handler) }

    func put(_ path: String, _ scope: TokenScope, _ handler: @escaping Handler) { on(.put, path, scope, handler) }

    func patch(_ path: String, _ scope: TokenScope, _ handler: @escaping Handler) { on(.patch, path, scope, handler) }

    func delete(_ path: String, _ scope: TokenScope, _ handler: @escaping Handler) {
        on(.delete, path, scope, handler)
    }

    private func on(
        _ method: HTTPRequest.Method, _ path: String, _ scope: TokenScope, _ handler: @escaping Handler
    ) {
        on(method, path, .owner(scope)) { request, context in
            try context.require(scope)
            return try await handler(request, context)
        }
    }
}
