import HTTPTypes
import Hummingbird
import MissingList
import Registry
import RegistryAPI

/// The stations' question for the missing list.
struct MissingListRoutes {
    let operations: RegistryOperations
    let publisher: MissingListPublisher

    static let path = "/v1/missing"

    func add(to routes: Routes<StationContext>) {
        routes.get(Self.path, missing)
    }

    @Sendable private func missing(_ request: Request, _ context: StationContext) async throws -> Response {
        if case .over(.displaced) = context.wait { throw RequestError.waitDisplaced }
        let question = try MissingListQuestion(request.headers)
        let round = publisher.waiting.round
        let list = try await publisher.current(forWaiting: question.wait != nil)
        if case .allowed = context.wait, let wait = question.wait, wait > .zero, question.has(list.version),
            publisher.isRunning,
            let token = AuthenticationMiddleware.token(in: request)
        {
            throw ParkedQuestion(
                station: context.station, token: SecretDigest(of: token), deadline: .now + wait, round: round
            )
        }
        return try await answer(question, list)
    }

    private func answer(_ question: MissingListQuestion, _ list: PublishedList) async throws -> Response {
        var headers: HTTPFields = [
            .eTag: question.entityTag(of: list.version), .cacheControl: "private, no-cache", .vary: "Accept, A-IM",
        ]
        if question.has(list.version) { return Response(status: .notModified, headers: headers) }
        guard question.isBinary else { return try await document(question) }
        if let base = question.base, let delta = try await publisher.delta(from: base, to: list) {
            headers[.iM] = MissingListQuestion.deltaEncoding
            return .body(delta, MediaType.missingList, status: MissingListQuestion.changesStatus, headers: headers)
        }
        return .body(list.full, MediaType.missingList, headers: headers)
    }

    /// The identities themselves, for people. They are not kept: read from the store for whoever asks.
    private func document(_ question: MissingListQuestion) async throws -> Response {
        let list = try await operations.missingList()
        let document = MissingListDocument(version: list.version.number, identities: list.identities)
        let headers: HTTPFields = [
            .eTag: question.entityTag(of: list.version), .cacheControl: "private, no-cache", .vary: "Accept, A-IM",
        ]
        return try .json(document, headers: headers)
    }
}
