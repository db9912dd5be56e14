import Foundation
public import HTTPClient
import RegistryAPI
import Syntax

/// A connection to the registry for one principal.
///
/// With ``Retries`` the connection retries a request after a transient failure if the registry may safely get it twice:
/// requests that only read, those with an idempotency key, and a few others that are marked as such. Without them each
/// request is attempted once.
///
/// The extensions have a function for each call of the contract, whose document describes the calls. All of them throw
/// ``RegistryError``, or `CancellationError`. What their parameters have in common:
/// - `after` is the `next` of the previous page; nil begins at the first one.
/// - `idempotencyKey` is new for each request by default. With the same key, a request has its effect only once.
/// - `recoveryCode` confirms an act that a thief with the token must not be able to perform; nil to send none.
public struct RegistryConnection: Sendable {
    /// The registry's address without a slash at the end.
    public let url: String
    private let origin: Origin
    /// The principal's token; nil for calls that need none.
    private let token: BearerToken?
    private let sender: Sender
    /// The maximum size of a response's body in bytes; nil for that of the sender.
    private let responseLimit: Int?
    /// nil to attempt each request once.
    private let retries: Retries?
    private let transport: Transport?

    /// Carries a request: calls `send`, throws ``HTTPError`` instead, or both.
    public typealias Transport =
        @Sendable (_ send: @Sendable () async throws -> HTTPResponse) async throws -> HTTPResponse

    /// What sends the requests.
    private enum Sender {
        case connection(HTTPConnection)
        case multiplexer(HTTPMultiplexer)

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            switch self {
            case .connection(let http): try await http.send(request)
            case .multiplexer(let http): try await http.send(request)
            }
        }
    }

    /// A connection whose requests are sent one after the other.
    ///
    /// - Parameters:
    ///   - url: the registry's address, with or without a slash at the end.
    ///   - token: the principal's token; nil for calls that need none.
    ///   - http: sends the requests.
    ///   - retries: how requests are retried; nil if the caller retries them.
    ///   - transport: simulates a bad network, or shows progress during a request.
    /// - Throws: ``RegistryError/invalidAddress(_:)``. Plain `http` is allowed to this machine only: anyone on the
    ///   network could read the token.
    public init(
        url: String, token: String?, http: HTTPConnection, retries: Retries? = nil, transport: Transport? = nil
    ) throws(RegistryError) {
        try self.init(url, token, .connection(http), responseLimit: nil, retries, transport)
    }

    /// A connection whose requests do not wait for each other, nor for those of other registries through the same
    /// multiplexer. The caller retries them.
    ///
    /// - Parameter responseLimit: the maximum size of a response's body in bytes.
    /// - Throws: as the other initializer.
    public init(
        url: String, token: String?, through multiplexer: HTTPMultiplexer, responseLimit: Int
    ) throws(RegistryError) {
        try self.init(url, token, .multiplexer(multiplexer), responseLimit: responseLimit, nil, nil)
    }

    private init(
        _ url: String, _ token: String?, _ sender: Sender, responseLimit: Int?, _ retries: Retries?,
        _ transport: Transport?
    ) throws(RegistryError) {
        // A path is added to it.
        let isBase = !url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        guard isBase, let origin = Origin(url) else {
            throw .invalidAddress("‘\(url)’ is not the URL of a registry: write it as https://host")
        }
        guard origin.isConfidential else {
            throw .invalidAddress("‘\(url)’ would send the token in the clear: use https")
        }
        self.url = url.dropping(suffix: "/").map { String($0) } ?? url
        self.origin = origin
        self.token = token.map(BearerToken.init)
        self.sender = sender
        self.responseLimit = responseLimit
        self.retries = retries
        self.transport = transport
    }

    /// The successful response to a request.
    ///
    /// - Parameter isRepeatable: whether the registry may get the request twice although it changes something and has
    ///   no idempotency key.
    func answer(to request: HTTPRequest, isRepeatable: Bool = false) async throws -> HTTPResponse {
        let isKeyed = request.headers.contains { $0.name == Self.idempotencyKey }
        guard isRepeatable || isKeyed || request.method == .get else { return try await attempt(request) }
        return try await repeating { try await checkedExchange(request) }
    }

    /// Retries a request that the registry may safely get twice.
    func repeating<Answer>(_ call: () async throws -> Answer) async throws -> Answer {
        guard let retries else { return try await call() }
        return try await retries.repeating(call)
    }

    /// The successful response to a single attempt; a request that changes something is sent only once.
    func attempt(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        request.isSentOnce = request.method != .get
        return try await checkedExchange(request)
    }

    /// The successful response to one request. Its loss after sending gives another error than a failure to send.
    private func checkedExchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            return try Self.checked(await exchange(request))
        } catch RegistryError.unreachable(let cause) where cause.isUnanswered && request.method != .get {
            throw RegistryError.unanswered(cause)
        }
    }

    /// The maximum number of requests for one response: a request, and those that redirects lead to.
    private static let mostRequests = 4

    /// Sends one request; follows redirects to the same origin, and refuses all others. The response may have any status.
    func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        for _ in 0..<Self.mostRequests {
            let response: HTTPResponse
            do {
                response = try await send(request)
            } catch let error as HTTPError {
                throw RegistryError.unreachable(error)
            }
            guard let next = response.redirect, (300..<400).contains(response.status) else { return response }
            // 301…303 would turn a POST into a GET: only 307 and 308 keep it (RFC 9110, section 15.4).
            let keepsMethod = request.method == .get || response.status == 307 || response.status == 308
            guard Origin(next) == origin, keepsMethod else {
                throw RegistryError.redirectRefused(next.line(atMost: 300))
            }
            request.url = next
        }
        throw RegistryError.redirectRefused("itself repeatedly")
    }

    /// Sends one request over the transport, if there is one.
    private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let transport else { return try await sender.send(request) }
        return try await transport { [sender] in try await sender.send(request) }
    }

    /// Sends one request and passes on the response's body as it arrives; follows no redirect. A multiplexer has only whole
    /// bodies.
    func stream(
        _ request: HTTPRequest, _ sink: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> HTTPResponse {
        do {
            switch sender {
            case .connection(let http): return try await http.receive(request, into: sink)
            case .multiplexer(let http):
                let response = try await http.send(request)
                sink(response.body)
                return response
            }
        } catch let error as HTTPError {
            throw RegistryError.unreachable(error)
        }
    }

    /// A request with the header fields that all requests have.
    ///
    /// - Parameters:
    ///   - path: the path and the query, which are appended to ``url``.
    ///   - accept: the media type of a successful response.
    ///   - timeout: the time for the whole request; nil for that of the connection.
    func request(
        _ method: HTTPRequest.Method, _ path: String, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, contentType: String = MediaType.json, accept: String = MediaType.json,
        timeout: Duration? = nil
    ) -> HTTPRequest {
        var fields = headers
        if let token { fields.append(("Authorization", token.authorization)) }
        if body != nil { fields.append(("Content-Type", contentType)) }
        fields.append(("Accept", "\(accept), \(MediaType.problem)"))
        var request = HTTPRequest(method, url: url + path, headers: fields, body: body, timeout: timeout)
        request.responseLimit = responseLimit
        return request
    }

    /// Reads a resource.
    func get<Answer: Decodable>(_ path: String) async throws -> Answer {
        try Self.decode(await answer(to: request(.get, path)))
    }

    /// Sends a request that creates a resource: the same key creates the same resource, however often it is sent.
    func post<Body: Encodable, Answer: Decodable>(
        _ path: String, _ body: Body, idempotencyKey: String? = nil, recoveryCode: String? = nil,
        isRepeatable: Bool = false
    ) async throws -> Answer {
        let key = idempotencyKey.map { [(name: Self.idempotencyKey, value: $0)] } ?? []
        let headers = key + Self.confirmation(recoveryCode)
        let request = request(.post, path, headers: headers, body: try Self.encode(body))
        return try Self.decode(await answer(to: request, isRepeatable: isRepeatable))
    }

    /// Sends a request whose response is empty.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: some Encodable
    ) async throws {
        _ = try await answer(to: request(method, path, body: try Self.encode(body)))
    }

    /// Removes a resource; the response is empty.
    func delete(_ path: String) async throws {
        _ = try await answer(to: request(.delete, path))
    }

    /// The name of the header field with the key.
    static let idempotencyKey = "Idempotency-Key"

    /// A new key for a request that the program makes once; retries by the connection send the same key.
    public static var newIdempotencyKey: String { UUID().uuidString }
}

// The bodies of requests and responses.
extension RegistryConnection {
    /// The body of a request that has nothing to say: `{}`.
    struct EmptyBody: Encodable {}

    static func encode(_ body: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return [UInt8](try encoder.encode(body))
    }

    /// - Throws: ``RegistryError/malformedAnswer(_:)``.
    static func decode<Answer: Decodable>(_ response: HTTPResponse) throws(RegistryError) -> Answer {
        do {
            return try JSONDecoder().decode(Answer.self, from: Data(response.body))
        } catch {
            throw .malformedAnswer((error as? DecodingError)?.plainWords ?? "it is not in the expected format")
        }
    }

    /// Returns a successful response, and throws every other response as the error that it describes.
    static func checked(_ response: HTTPResponse) throws(RegistryError) -> HTTPResponse {
        guard !(200..<300).contains(response.status) else { return response }
        let isProblem = response[header: "content-type"]?.begins(with: MediaType.problem) ?? false
        guard isProblem, let problem: ProblemDetails = try? decode(response) else {
            throw .unexpectedStatus(response.status, retryAfter: response.retryAfter)
        }
        throw .refused(problem.bounded, retryAfter: response.retryAfter)
    }
}

/// Scheme, host and port of a URL. A token is sent only to the same origin.
private struct Origin: Equatable {
    let scheme: String
    let host: String
    let port: Int

    init?(_ url: String) {
        guard let components = URLComponents(string: url), let scheme = components.scheme?.lowercased(),
            let host = components.host?.lowercased(), !host.isEmpty, scheme == "https" || scheme == "http",
            components.user == nil, components.password == nil
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = components.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether only the receiver can read what is sent there.
    var isConfidential: Bool { scheme == "https" || WebAddress.isThisMachine(host) }
}

/// A token, which appears neither in logs nor in a debugger's dump of the values that contain it.
struct BearerToken: Sendable, CustomStringConvertible, CustomReflectable {
    private let token: String

    init(_ token: String) {
        self.token = token
    }

    /// The value of the `Authorization` header field (RFC 6750, section 2.1).
    var authorization: String { "Bearer \(token)" }

    var description: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
