import HTTPTypes
import Hummingbird

/// Routes of one group of principals; every route is entered in the table that `Allow` is made from.
struct Routes<Context: RequestContext> {
    typealias Handler = @Sendable (Request, Context) async throws -> Response

    let group: RouterGroup<Context>
    let table: RouteTable

    func get(_ path: String, _ handler: @escaping Handler) { on(path, .get, handler) }

    func post(_ path: String, _ handler: @escaping Handler) { on(path, .post, handler) }

    func put(_ path: String, _ handler: @escaping Handler) { on(path, .put, handler) }

    func patch(_ path: String, _ handler: @escaping Handler) { on(path, .patch, handler) }

    func delete(_ path: String, _ handler: @escaping Handler) { on(path, .delete, handler) }

    private func on(_ path: String, _ method: HTTPRequest.Method, _ handler: @escaping Handler) {
        table.add(path, method)
        group.on(RouterPath(path), method: method, use: handler)
    }
}
