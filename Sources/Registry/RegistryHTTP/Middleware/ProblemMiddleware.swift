import HTTPTypes
import Hummingbird
import Logging
import RegistryAPI
import RegistryRules

/// Turns every error, the framework's included, into problem details (RFC 9457).
struct ProblemMiddleware: RouterMiddleware {
    let calls: CallTable
    /// Counts requests for paths that are not served; nil if nothing is limited.
    let limiter: RateLimiter?

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return try answer(to: error, request, context)
        }
    }

    /// - Throws: a cancellation, since no client waits for the response any longer.
    func answer(to error: any Error, _ request: Request, _ context: RegistryContext) throws -> Response {
        switch error {
        case let error as any Refusal:
            error.log(to: context.logger)
            return error.problem.response
        case let error as HTTPError where error.status == .notFound:
            return answerNotFound(request, context)
        case let error as HTTPError:
            let title = error.status.reasonPhrase
            let details = ProblemDetails(
                type: "about:blank", title: title, status: error.status.code, detail: error.body ?? title)
            return .problem(details, headers: error.headers)
        case is CancellationError:
            throw error
        default:
            context.logger.error("unexpected error", metadata: ["error": "\(error)"])
            return Fault().problem.response
        }
    }

    /// Responds to an unknown path, or to a known one with another method,
    /// which Hummingbird also reports as “not found”.
    private func answerNotFound(_ request: Request, _ context: RegistryContext) -> Response {
        do throws(RequestError) {
            try limiter?.admit(.address, request.head, of: context)
        } catch {
            return error.problem.response
        }
        let allowed = calls.methods(forPath: request.uri.path)
        return (allowed.isEmpty ? RequestError.unknownPath : .methodNotAllowed(allowed: allowed)).problem.response
    }
}

extension Refusal {
    /// Logs errors that only the operator can fix; the caller is only asked to wait.
    func log(to logger: Logger) {
        switch self as any Refusal {
        case DomainError.storageUnavailable(let reason):
            logger.error("storage unavailable", metadata: ["reason": "\(reason)"])
        case DomainError.outcomeUnknown(let reason):
            logger.error("outcome of a commit unknown", metadata: ["reason": "\(reason)"])
        default: return
        }
    }
}
