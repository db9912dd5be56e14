import HTTPTypes
import Hummingbird
import MissingList
import RegistryAPI
import RegistryRules
import RegistrySQL
import Syntax

/// Responds to the stations' requests for the missing list;
/// a station that has the latest version waits here for the next.
///
/// It does not use the router: ten thousand requests wait at the same time,
/// each in a task that holds only these calls.
struct MissingListResponder: Sendable {
    static let path = "/v1/missing"
    private static let segments = path.split(at: "/")

    let store: any RegistryStore
    let publisher: MissingListPublisher
    let authentication: Authentication
    let answering: Answering
    let large: LargeResponses

    /// Whether a request is for the missing list. Like the router, it ignores empty segments of the path.
    func serves(_ request: Request) -> Bool {
        guard request.method == .get || request.method == .head else { return false }
        let path = request.uri.path
        // Splitting the path of every request would take longer than looking for the word.
        return path == Self.path || path.has("missing") && path.split(at: "/") == Self.segments
    }

    /// Responds to a request that ``serves(_:)`` accepts; a HEAD request gets no body.
    func respond(to request: Request, context: RegistryContext) async throws -> Response {
        let response = try await answering.answer(request, context, route: Self.path, answer)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ context: RegistryContext) async throws -> Response {
        let station = try await station(of: request, context, isCounted: true)
        let asked = try MissingListRequest(request.headers)
        let round = publisher.waiting.round
        let list = try await publisher.current(forWaiting: asked.wait != nil, at: asked.base)
        guard let wait = asked.wait, wait > .zero, asked.has(list.version), publisher.isRunning,
            request.uri.path == Self.path, let token = Authentication.secret(in: request)?.text
        else { return try await answer(asked, list, to: station, context) }
        let end = await publisher.waiting.wait(
            station, token: SecretDigest(of: token), until: .now + wait, since: round)
        // The token may have been revoked meanwhile.
        _ = try await self.station(of: request, context, isCounted: false)
        guard end != .displaced else { throw RequestError.waitDisplaced }
        let latest = try await publisher.current(forWaiting: true, at: asked.base)
        return try await answer(asked, latest, to: station, context)
    }

    /// The station that sent a request.
    ///
    /// - Throws: `forbidden` for other callers, and what ``Authentication/credential(of:_:isCounted:)`` throws.
    private func station(
        of request: Request, _ context: RegistryContext, isCounted: Bool
    ) async throws -> StationID {
        let credential = try await authentication.credential(of: request, context, isCounted: isCounted)
        guard case .station(let station) = credential.principal else { throw DomainError.forbidden(needed: .station) }
        return station
    }

    /// The list in the form that was asked for; 304 if the station has it.
    private func answer(
        _ asked: MissingListRequest, _ list: PublishedList, to station: StationID, _ context: RegistryContext
    ) async throws -> Response {
        var headers = asked.headers(of: list.version)
        if asked.has(list.version) { return Response(status: .notModified, headers: headers) }
        guard asked.isBinary else {
            let holder = BodyBudget.Holder(principal: .station(station), address: nil)
            return try await large.limit(try await document(asked), for: holder, context)
        }
        if let base = asked.base, let delta = try await publisher.delta(from: base, to: list) {
            headers[.iM] = MissingListRequest.deltaEncoding
            return .body(delta, MediaType.missingList, status: MissingListRequest.changesStatus, headers: headers)
        }
        return .body(list.full, MediaType.missingList, headers: headers)
    }

    /// The identities themselves, for people. They are read from the store for each request.
    private func document(_ asked: MissingListRequest) async throws -> Response {
        let list = try await store.missingList()
        let document = MissingListDocument(version: list.version.number, identities: list.identities)
        return try .json(document, headers: asked.headers(of: list.version))
    }
}
