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
/// connection. So such a question is worked on in a task of its own, a few dozen at a time. What waits, for its turn or
/// for a change, has only the framework's calls below it, and what it calls meanwhile is not inlined, so that it holds no
/// more than it needs. After the wait the question is asked again, so that the token counts that it has then; limits, log
/// and metrics take both times for one request.
struct WaitingResponder: Sendable {
    /// A request in a place of its own: the calls that wait hold no copies of it.
    final class Question: Sendable {
        let request: Request
        let context: RegistryContext

        init(_ request: Request, _ context: RegistryContext) {
            self.request = request
            self.context = context
        }
    }

    private let routes: RouterResponder<RegistryContext>
    private let waiting: WaitingStations
    private let gate = Gate(width: 32)

    init(_ routes: RouterResponder<RegistryContext>, waiting: WaitingStations) {
        self.routes = routes
        self.waiting = waiting
    }

    func respond(to question: Question) async throws -> Response {
        guard question.request.uri.path == MissingListRoutes.path else { return try await answer(question, .refused) }
        var wait = Wait.allowed
        while true {
            do {
                return try await work(question, wait)
            } catch let parked as ParkedQuestion {
                let end = await waiting.wait(
                    parked.station, token: parked.token, until: parked.deadline, since: parked.round
                )
                wait = .over(end)
            }
        }
    }

    private func work(_ question: Question, _ wait: Wait) async throws -> Response {
        await gate.enter()
        defer { gate.leave() }
        return try await Task { try await answer(question, wait) }.value
    }

    @inline(never)
    private func answer(_ question: Question, _ wait: Wait) async throws -> Response {
        var context = question.context
        context.wait = wait
        return try await routes.respond(to: question.request, context: context)
    }
}
