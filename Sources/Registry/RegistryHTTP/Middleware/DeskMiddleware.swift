import HTTPTypes
import Hummingbird
import Operations
import RegistryAPI
import RegistryRules

/// Accepts an operator's session in place of a token.
struct DeskMiddleware: RouterMiddleware {
    let call: Call
    /// Requests without the operators' cookie, or with a token.
    let others: AuthenticationMiddleware

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = Self.secret(in: request) else {
            return try await others.handle(request, context: context, next: next)
        }
        let authentication = others.authentication
        let session = try await authentication.deskSession(secret, of: request, context, isUse: call.isUse)
        try call.proof.check(session.state, at: authentication.operations.clock)
        return try await next(request, context.signedIn(by: session))
    }

    /// Checks a request's session or token again, and how fresh its proof is.
    @Sendable func recheck(_ request: Request, _ context: RegistryContext) async throws {
        guard let secret = Self.secret(in: request) else { return try await others.recheck(request, context) }
        let operations = others.authentication.operations
        guard let session = try await operations.deskSession(secret: secret, isUse: false) else {
            throw DomainError.deskSessionEnded
        }
        try call.proof.check(session.state, at: operations.clock)
    }

    /// The secret of the operators' cookie; nil if there is none, or if the request has an `Authorization` field.
    static func secret(in request: Request) -> String? {
        request.headers[.authorization] == nil ? DeskCookie.secret(in: request.headers) : nil
    }
}

/// Accepts all callers. A request with an operator's session is counted by that session, so that others at the same
/// address cannot keep the operator out; any other is counted by its address.
struct DeskVisitorMiddleware: RouterMiddleware {
    let authentication: Authentication

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let secret = DeskMiddleware.secret(in: request) {
            do {
                let session = try await authentication.deskSession(secret, of: request, context)
                context = context.signedIn(by: session)
            } catch DomainError.deskSessionEnded {
                // An operator who was signed in can sign in again. The request has been counted by its address.
            }
        } else {
            try authentication.limiter.admit(.address, request.head, of: context)
        }
        return try await next(request, context)
    }
}

/// Accepts an operator's session for the tiles of maps, in addition to the credentials of others. A browser sends both
/// cookies if an owner is signed in there, too; then it does not matter if the operator's session has ended.
struct DeskTilesMiddleware: RouterMiddleware {
    let desk: DeskMiddleware
    let others: OwnerOrShareMiddleware

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let secret = DeskMiddleware.secret(in: request) else {
            return try await others.handle(request, context: context, next: next)
        }
        let session: StoredDeskSession
        do {
            session = try await desk.others.authentication.deskSession(
                secret, of: request, context, isUse: desk.call.isUse)
        } catch DomainError.deskSessionEnded where SessionCookie.secret(in: request.headers) != nil {
            return try await others.handle(request, context: context, next: next)
        }
        return try await next(request, context.signedIn(by: session))
    }
}

extension Authentication {
    /// The operator's session with this secret, which came in the cookie of a request. Its requests are limited in the
    /// same way as those with a token.
    ///
    /// - Parameter isUse: whether the request counts as a use of the session, which extends it.
    /// - Throws: `deskSessionEnded` if there is no such session; `crossSite` or `wrongMediaType` if another site may
    ///   have sent the request; the limiter's errors.
    func deskSession(
        _ secret: String, of request: Request, _ context: RegistryContext, isUse: Bool = true
    ) async throws -> StoredDeskSession {
        try limiter.admit(token: secret)
        try sameOrigin.check(request.head)
        guard let session = try await operations.deskSession(secret: secret, isUse: isUse) else {
            limiter.forget(token: secret)
            try limiter.admit(.address, request.head, of: context)
            try limiter.admit(.wrongTokens, request.head, of: context)
            throw DomainError.deskSessionEnded
        }
        return session
    }
}

extension RegistryContext {
    /// The same context, with the session's operator as the caller.
    fileprivate func signedIn(by session: StoredDeskSession) -> RegistryContext {
        var context = self
        context.principal = .operator(session.operator.id)
        context.desk = session.id
        return context
    }
}
