import Hummingbird
import Registry
import RegistryAPI

/// A question for the missing list that has to wait: thrown by its route, caught by ``WaitingResponder``.
struct ParkedQuestion: Error {
    let station: StationID
    let token: SecretDigest
    let deadline: ContinuousClock.Instant
    let round: UInt64
}

/// Whether a request may wait, or has waited.
enum Wait: Sendable {
    case refused
    case allowed
    case over(WaitingStations.End)

    /// Whether the request is on its way through the middlewares for the second time.
    var isOver: Bool {
        if case .over = self { true } else { false }
    }
}

/// Lets questions for the missing list wait where a wait is cheap: in front of all middlewares.
///
/// A task keeps the memory of its deepest call until it ends, and the task of a connection lives as long as the
/// connection. So such a question is worked on in a task of its own, a few hundred at a time; what waits, for its turn or
/// for a change, has only the framework's calls below it. After the wait the question is asked anew, so that the token
/// counts that it has then; limits, log and metrics take both times for one request.
struct WaitingResponder<Base: HTTPResponder<RegistryContext>>: HTTPResponder {
    private let base: Base
    private let waiting: WaitingStations
    private let gate = Gate(width: 256)

    init(_ base: Base, waiting: WaitingStations) {
        self.base = base
        self.waiting = waiting
    }

    func respond(to request: Request, context: RegistryContext) async throws -> Response {
        guard request.uri.path == MissingListRoutes.path else {
            return try await base.respond(to: request, context: context)
        }
        var wait = Wait.allowed
        while true {
            do {
                return try await work(request, context, wait)
            } catch let parked as ParkedQuestion {
                let end = await waiting.wait(
                    parked.station, token: parked.token, until: parked.deadline, since: parked.round
                )
                wait = .over(end)
            }
        }
    }

    private func work(_ request: Request, _ context: RegistryContext, _ wait: Wait) async throws -> Response {
        await gate.enter()
        defer { gate.leave() }
        return try await Task { [base] in
            var context = context
            context.wait = wait
            return try await base.respond(to: request, context: context)
        }.value
    }
}
