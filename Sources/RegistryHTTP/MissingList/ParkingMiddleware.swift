import HTTPTypes
import Hummingbird
import Registry
import RegistryAPI

/// A question for the missing list that has to wait: thrown by its route, caught by ``ParkingMiddleware``.
struct ParkedQuestion: Error {
    let station: StationID
    let token: SecretDigest
    let deadline: ContinuousClock.Instant
    let round: UInt64
}

/// Lets questions for the missing list wait where a wait is cheap.
///
/// A task keeps the memory of its deepest call until it ends, and the task of a connection lives as long as the
/// connection. So such a question is worked on in a task of its own, a few hundred at a time; what waits, for its turn or
/// for a change, has only the calls of this middleware below it. After the wait the question is asked anew, without
/// waiting, so that the token counts that it has then.
struct ParkingMiddleware: RouterMiddleware {
    let waiting: WaitingStations
    private let gate = Gate(width: 256)

    init(waiting: WaitingStations) { self.waiting = waiting }

    func handle(
        _ request: Request, context: RegistryContext,
        next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        guard context.endpointPath == "/v1/missing" else { return try await next(request, context) }
        do {
            return try await work(request, context, next)
        } catch let parked as ParkedQuestion {
            let end = await waiting.wait(
                parked.station, token: parked.token, until: parked.deadline, since: parked.round
            )
            guard end != .displaced else { throw RequestError.waitDisplaced }
            var head = request.head
            head.headerFields[.prefer] = "wait=0"
            return try await work(Request(head: head, body: request.body), context, next)
        }
    }

    private func work(
        _ request: Request, _ context: RegistryContext, _ next: (Request, RegistryContext) async throws -> Response
    ) async throws -> Response {
        await gate.enter()
        defer { gate.leave() }
        return try await withoutActuallyEscaping(next) { next in
            // The closure does not outlive this call, which waits for the task.
            let work = UnsafeNext(next: next)
            return try await Task { try await work.next(request, context) }.value
        }
    }

    /// Hummingbird does not say that `next` may be called from another task; it only holds the routes, which are Sendable.
    private struct UnsafeNext: @unchecked Sendable {
        let next: (Request, RegistryContext) async throws -> Response
    }
}
