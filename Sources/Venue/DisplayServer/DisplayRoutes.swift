import Foundation
import Languages
import OperatingSystem
import RegistryAPI
import StationStatus
import Synchronization
import Syntax
import VenueHTTP
import WebPages

/// The display's page and its calls, in the same form as the registry's, so that the page works at both.
///
/// Everybody in the venue's network can connect, so nothing is revealed without a valid cookie, and a request counts
/// only if it is for an address, or a configured name, and from this server's own page.
struct DisplayRoutes: Sendable {
    /// The maximum number of codes that one address may try in an hour. A guest may have any number of IPv6 addresses,
    /// but a limit for all of a /64 would keep the venue from pairing a screen; and a code has 50 bits, and ends in 15
    /// minutes.
    static let codes = 30
    /// The maximum number of answers in an hour, as at the registry.
    static let answers = 60

    private struct Limits {
        var codes = Allowance<NetworkAddress>(DisplayRoutes.codes, capacity: 256)
        var answers = Allowance<Int>(DisplayRoutes.answers, capacity: 1)
    }

    /// What the copies of this value share.
    private final class Counted: Sendable {
        let limits = Mutex(Limits())
    }

    let register: DisplayRegister
    let source: any DisplaySource
    let pages: WebPages
    /// The names under which the page may be opened, in lower case; addresses may always be used.
    let names: Set<String>
    /// Where the page's pictures of bikes come from, besides this server; nil for nowhere.
    let pictures: String?
    /// The only one that may ask; nil if screens ask themselves.
    let gateway: DisplayGateway?
    let connections: ConnectionLimits
    let now: @Sendable () -> ContinuousClock.Instant
    private let counted = Counted()

    init(
        _ register: DisplayRegister, _ source: any DisplaySource, pages: WebPages, names: Set<String>,
        pictures: String? = nil, gateway: DisplayGateway? = nil, connections: ConnectionLimits,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.register = register
        self.source = source
        self.pages = pages
        self.names = names
        self.pictures = pictures
        self.gateway = gateway
        self.connections = connections
        self.now = now
    }

    /// The response to a request from an address.
    func respond(to request: ServerRequest, from peer: NetworkAddress) async -> ServerResponse {
        guard gateway != nil || isOwnHost(request.headers["host"]) else {
            return .problem(421, "This host name is not served here.")
        }
        guard isSameOrigin(request) else { return .problem(403, "Other sites may not use this display.") }
        do {
            switch request.method {
            case "GET", "HEAD": return try await read(request, from: peer)
            case "POST": return try await write(request, from: peer)
            default: return .problem(405, "This method is not allowed.")
            }
        } catch {
            return .problem(500, "The monitor cannot answer now.")
        }
    }

    private func read(_ request: ServerRequest, from peer: NetworkAddress) async throws -> ServerResponse {
        switch request.path {
        case "/":
            let isShown = if gateway == nil { true } else { await register.terms != nil }
            // Relative, because a gateway can have put it under another path.
            return ServerResponse(status: 302, headers: [("Location", isShown ? "display" : "status")])
        case "/status":
            guard let gateway else { return Self.unknown }
            return await statusPage(
                gateway.status(), in: StatusWords(AlertLanguage(accepted: request.headers["accept-language"])))
        case "/v1/display":
            guard let terms = await terms(request, peer) else { return Self.unpaired }
            var response = try ServerResponse.json(try await source.view(terms))
            // The cookie lasts a year from now.
            if let secret = Self.secret(in: request) { response.headers.append(Self.cookie(secret)) }
            return response
        default:
            guard let file = pages.file(at: request.path) else { return Self.unknown }
            // A screen that has a new address is known before it asks for the page's other files.
            _ = await terms(request, peer)
            return page(file, request)
        }
    }

    private func write(_ request: ServerRequest, from peer: NetworkAddress) async throws -> ServerResponse {
        let path = request.path.split(at: "/", omittingEmptySubsequences: false)
        if gateway == nil, request.path == "/v1/display/pairing" { return try await pair(request, from: peer) }
        guard path.count == 6, path[1] == "v1", path[2] == "display", path[3] == "visits", path[5] == "answer" else {
            return Self.unknown
        }
        guard await terms(request, peer) != nil else { return Self.unpaired }
        guard let answer = try? JSONDecoder().decode(DisplayAnswer.self, from: Data(request.body)) else {
            return .problem(422, "The answer must be seen or absent.")
        }
        guard let visit = VisitID(String(path[4])) else { return .problem(404, "This bike is not here.") }
        let wait = counted.limits.withLock { $0.answers.take(0, at: now()) }
        if let wait { return .problem(429, "Too many answers.", retryAfter: wait) }
        guard try await source.answer(visit, answer.answer) else { return .problem(404, "This bike is not here.") }
        return ServerResponse(status: 204)
    }

    private func pair(_ request: ServerRequest, from peer: NetworkAddress) async throws -> ServerResponse {
        guard let terms = await register.terms else {
            return .problem(403, "The registry’s operator does not allow displays of this monitor.")
        }
        let wait = counted.limits.withLock { $0.codes.take(peer, at: now()) }
        if let wait { return .problem(429, "Too many codes.", retryAfter: wait) }
        guard let pairing = try? JSONDecoder().decode(DisplayPairing.self, from: Data(request.body)),
            pairing.code.utf8.count <= 64,
            let secret = await register.pair(
                pairing.code, attempt: request.headers["idempotency-key"], former: Self.secret(in: request))
        else { return .problem(403, "This code is mistyped, used or too old.") }
        connections.note(peer)
        var response = try ServerResponse.json(try await source.view(terms), status: 201)
        response.headers.append(Self.cookie(secret))
        return response
    }

    /// What the registry allows, if the request has the cookie of a display, or comes through the gateway.
    private func terms(_ request: ServerRequest, _ peer: NetworkAddress) async -> DisplayTerms? {
        guard gateway == nil else { return await register.terms }
        guard let terms = await register.open(Self.secret(in: request)) else { return nil }
        connections.note(peer)
        return terms
    }
}

// Who may ask.
extension DisplayRoutes {
    /// Whether an address may connect: any, or only the gateway's.
    func admits(_ peer: NetworkAddress) -> Bool { gateway.map { $0.address == peer } ?? true }

    /// A site on the Internet can give its name this machine's address (DNS rebinding), but not an address another one.
    private func isOwnHost(_ host: String?) -> Bool {
        guard let host else { return false }
        // The port begins at the first colon, or at the first after an IPv6 address in brackets.
        let addressEnd = host.begins(with: "[") ? host.utf8.firstIndex(of: UInt8(ascii: "]")) : host.startIndex
        guard let addressEnd else { return false }
        let nameEnd = host[addressEnd...].part(beforeScalar: { $0 == ":" }).endIndex
        let name = host[..<nameEnd]
        return NetworkAddress(inURL: name) != nil || names.contains(name.lowercased())
    }

    /// Over plain HTTP browsers do not send `Sec-Fetch-Site`, but they send `Origin` with each POST and with each
    /// request of another site's script. A form cannot send JSON.
    private func isSameOrigin(_ request: ServerRequest) -> Bool {
        if let site = request.headers["sec-fetch-site"], site != "same-origin",
            request.method == "POST" || site != "none"
        {
            return false
        }
        let isJSON =
            request.headers["content-type"]?.part(beforeScalar: { $0 == ";" }).lowercased() == "application/json"
        // A gateway is encrypted or not, and has any name. It knows its users by a cookie that other sites cannot use.
        guard gateway == nil else { return request.method != "POST" || isJSON }
        let own = request.headers["host"].map { "http://\($0)" }
        guard request.method == "POST" else {
            return request.headers["origin"].map { $0 == own } ?? true
        }
        return request.headers["origin"] == own && isJSON
    }
}

// Files and cookies.
extension DisplayRoutes {
    private static let unknown = ServerResponse.problem(404, "There is nothing here.")
    private static let unpaired = ServerResponse.problem(401, "This screen is not connected.")
    /// Without TLS a cookie can have neither `Secure` nor the prefix `__Host-`.
    private static let cookieName = "findmybike-display"

    /// The header that gives a screen its secret, for as long as a display lives without being used.
    static func cookie(_ secret: String) -> (name: String, value: String) {
        let lifetime = DisplayRules.lifetime.components.seconds
        return ("Set-Cookie", "\(cookieName)=\(secret); Max-Age=\(lifetime); Path=/; HttpOnly; SameSite=Strict")
    }

    /// The secret in a request's cookie; nil if there is none.
    static func secret(in request: ServerRequest) -> String? {
        let pairs = (request.headers["cookie"] ?? "").split(at: ";").map { $0.trimming(scalars: \.isBlank) }
        return pairs.lazy.compactMap { $0.dropping(prefix: cookieName + "=") }.first.map { String($0) }
    }

    /// A file of the page, or 304 if the browser has it.
    private func page(_ file: WebFile, _ request: ServerRequest) -> ServerResponse {
        let tag = "W/\"\(pages.build)\""
        var headers = [
            (name: "Cache-Control", value: file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"),
            (name: "ETag", value: tag), (name: "Content-Security-Policy", value: policy),
        ]
        guard request.headers["if-none-match"] != tag else { return ServerResponse(status: 304, headers: headers) }
        headers.append(("Content-Type", file.mediaType))
        return ServerResponse(status: 200, headers: headers, body: file.bytes)
    }

    /// The content security policy, as for the registry's pages. A picture of a bike comes from the registry, which knows whether it may still be
    /// shown; without a connection there is none.
    var policy: String {
        // Home Assistant shows a page of its ingress in a frame of another page, which is at the same origin.
        let ancestors = gateway == nil ? "'none'" : "'self'"
        return """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'\(pictures.map { " \($0)" } ?? ""); \
            connect-src 'self'; \
            form-action 'self'; base-uri 'none'; frame-ancestors \(ancestors); require-trusted-types-for 'script'; \
            trusted-types default
            """
    }
}
