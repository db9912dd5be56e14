import HTTPTypes
import Hummingbird
import NIOCore
import OperatingSystem
import RegistryRules

/// Reads the body before the call is handled: no more than the route accepts, and no more at a time than the memory
/// for bodies allows. It must come after authentication, so that the memory is attributed to its holder.
struct BodyMiddleware: RouterMiddleware {
    let budget: BodyBudget
    let proxies: TrustedProxies
    /// The maximum length in bytes; nil for a call that has no body or reads it itself.
    private var limit: Int?
    /// Authenticates the request again once its body has arrived; nil where that does not matter.
    private var recheck: (@Sendable (Request, RegistryContext) async throws -> Void)?

    /// A middleware that reads no body until ``limited(by:recheck:)`` makes one for a call.
    init(budget: BodyBudget, proxies: TrustedProxies) {
        self.budget = budget
        self.proxies = proxies
    }

    /// The same for one call.
    ///
    /// - Parameter recheck: authenticates again, so that a request with a slow body does not outlive its session or
    ///   token: otherwise a caller who was signed out or revoked could still change something a minute later.
    func limited(
        by call: Call, recheck: (@Sendable (Request, RegistryContext) async throws -> Void)? = nil
    ) -> BodyMiddleware {
        var copy = self
        (copy.limit, copy.recheck) = (call.bodyLimit, recheck)
        return copy
    }

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard let limit else { return try await next(request, context) }
        let tooLarge = RequestError.bodyTooLarge(limit: limit)
        if let length = request.headers.text(of: .contentLength).flatMap(Int.init), length > limit { throw tooLarge }
        let holder = BodyBudget.Holder(of: request, context, proxies)
        // The bytes that were taken from the budget, also if reading fails.
        var held = 0
        defer { budget.giveBack(held, holder) }
        let body = try await request.wholeBody { part, read in
            guard read <= limit else { throw tooLarge }
            let counted = max(0, read - BodyBudget.free) - held
            guard budget.take(counted, holder) else { throw DomainError.overloaded }
            held += counted
        }
        var request = request
        request.body = RequestBody(buffer: body)
        if let recheck, body.readableBytes > 0 { try await recheck(request, context) }
        return try await next(request, context)
    }
}

extension Request {
    /// The whole body.
    ///
    /// - Parameter admit: gets each part before it is kept, and the number of bytes up to its end.
    /// - Throws: `unreadableBody`, and what `admit` throws.
    func wholeBody(_ admit: (ByteBuffer, Int) throws -> Void) async throws -> ByteBuffer {
        var whole = ByteBuffer()
        do {
            for try await part in body {
                try admit(part, whole.readableBytes + part.readableBytes)
                whole.writeImmutableBuffer(part)
            }
        } catch let error as any Refusal {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw RequestError.unreadableBody
        }
        return whole
    }
}

extension BodyBudget.Holder {
    init(of request: Request, _ context: RegistryContext, _ proxies: TrustedProxies) {
        let address = proxies.client(peer: context.peer, headers: request.headers)
        self.init(principal: context.principal, address: address?.client, network: address?.network)
    }
}
