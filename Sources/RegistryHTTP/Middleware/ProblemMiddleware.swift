import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Registry
import RegistryAPI

/// Turns every error, the framework's included, into problem details (RFC 9457).
struct ProblemMiddleware: RouterMiddleware {
    let routes: RouteTable
    /// Paths that nobody serves are counted, too: nil where nothing is limited.
    let limiter: RateLimiter?

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as DomainError {
            if case .storageUnavailable(let reason) = error {
                context.logger.error("storage unavailable", metadata: ["reason": "\(reason)"])
            }
            return .problem(error.problem, headers: error.headers)
        } catch let error as RequestError {
            return answer(to: error)
        } catch let error as HTTPError {
            return answer(to: error, request, context)
        } catch is CancellationError {
            throw CancellationError()
        } catch let parked as ParkedQuestion {
            throw parked
        } catch {
            context.logger.error("unexpected error", metadata: ["error": "\(error)"])
            return .problem(Self.fault)
        }
    }

    private func answer(to error: RequestError) -> Response {
        .problem(error.problem, headers: error.headers)
    }

    /// Hummingbird says “not found” for a known path with another method, too.
    private func answer(to error: HTTPError, _ request: Request, _ context: RegistryContext) -> Response {
        if error.status == .notFound {
            do throws(RequestError) {
                try limiter?.admit(.address, request.head, of: context)
            } catch {
                return answer(to: error)
            }
            let allowed = routes.methods(forPath: request.uri.path)
            return answer(to: allowed.isEmpty ? RequestError.unknownPath : .methodNotAllowed(allowed: allowed))
        }
        let problem = ProblemDetails(
            type: "about:blank", title: error.status.reasonPhrase, status: error.status.code,
            detail: error.body ?? error.status.reasonPhrase
        )
        return .problem(problem, headers: error.headers)
    }

    static let fault = ProblemDetails(
        type: ProblemType.uri("fault"), title: "The registry has a fault", status: 500,
        detail: "This is not the request’s fault. Tell the operator the X-Request-Id of this answer."
    )
}
