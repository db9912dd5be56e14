import HTTPTypes
import Hummingbird
import Registry

/// Finds out whose token a request carries; without a valid one the request ends here.
struct AuthenticationMiddleware: RouterMiddleware {
    let operations: RegistryOperations

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let token = Self.token(in: request),
            let credential = try await operations.credential(token: token)
        else { throw DomainError.unauthenticated }
        var context = context
        context.principal = credential.principal
        context.scope = credential.scope
        return try await next(request, context)
    }

    /// The token of `Authorization: Bearer …`; the scheme's name in either case (RFC 9110, section 11.1).
    static func token(in request: Request) -> String? {
        let space = UInt8(ascii: " ")
        // Bytes, not characters: those would be looked up in Unicode's tables one by one.
        guard let field = request.headers[.authorization], let end = field.utf8.firstIndex(of: space),
            field.utf8[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8)
        else { return nil }
        let token = field.utf8[end...].drop { $0 == space }
        return token.contains(space) ? nil : String(token)
    }
}
