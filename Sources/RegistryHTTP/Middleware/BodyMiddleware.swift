import HTTPTypes
import Hummingbird
import NIOCore
import NetworkAddresses
import Photos
import Registry

/// Reads the body before the call is handled: no more than the route accepts, and no more at a time than the memory
/// for bodies allows. It must come after authentication, so that the memory is attributed to its holder.
struct BodyMiddleware: RouterMiddleware {
    let budget: BodyBudget
    let proxies: TrustedProxies
    /// Authenticates the request again once its body has arrived; nil where that does not matter.
    private var recheck: (@Sendable (Request, RegistryContext) async throws -> Void)?

    init(budget: BodyBudget, proxies: TrustedProxies) {
        self.budget = budget
        self.proxies = proxies
    }

    /// The same, but a request whose body takes its time does not outlive the session or the token that it came with:
    /// whoever is signed out, or revoked, could otherwise still change something a minute later.
    func rechecking(_ recheck: @escaping @Sendable (Request, RegistryContext) async throws -> Void) -> BodyMiddleware {
        var copy = self
        copy.recheck = recheck
        return copy
    }

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head, let path = context.endpointPath else {
            return try await next(request, context)
        }
        let limit = BodyLimits.bytes(request.method, path)
        let address = proxies.client(peer: context.peer, headers: request.headers)
        let holder = BodyBudget.Holder(
            principal: context.principal, address: address?.client, network: address?.network,
            isPhoto: BodyLimits.isOfPhotos(request.method, path))
        var held = 0
        defer { budget.giveBack(held, holder) }
        var request = request
        let body = try await read(request, limit, holder, &held)
        request.body = RequestBody(buffer: body)
        if let recheck, body.readableBytes > 0 { try await recheck(request, context) }
        return try await next(request, context)
    }

    /// Reads the whole body; bytes that are held are counted even if reading fails.
    private func read(
        _ request: Request, _ limit: Int, _ holder: BodyBudget.Holder, _ held: inout Int
    ) async throws -> ByteBuffer {
        let tooLarge: any Error =
            holder.isPhoto ? DomainError.photoUnusable(.tooLong) : RequestError.bodyTooLarge(limit: limit)
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
        var body = ByteBuffer()
        do {
            for try await part in request.body {
                let read = body.readableBytes + part.readableBytes
                guard read <= limit else { throw tooLarge }
                let counted = max(0, read - BodyBudget.free) - held
                guard budget.take(counted, holder) else { throw DomainError.overloaded }
                held += counted
                body.writeImmutableBuffer(part)
            }
        } catch let error as RequestError {
            throw error
        } catch let error as DomainError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw RequestError.unreadableBody
        }
        return body
    }
}
