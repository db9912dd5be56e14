import HTTPTypes
import Hummingbird
import Languages
import NIOCore
import RegistryAPI
import WebPages

/// Serves the web pages: static files without data, so they need no token and have no limit. The data that they show
/// comes from the API.
struct PageResponder: Sendable {
    /// The route in the log and in the metrics: one for all files, because strangers choose the paths.
    private static let route = "/pages"

    let pages: WebPages
    let answering: Answering

    /// Whether a request is for a page or one of its files.
    func serves(_ request: Request) -> Bool {
        (request.method == .get || request.method == .head) && pages.file(at: request.uri.path) != nil
    }

    /// Responds to a request that ``serves(_:)`` accepts; a HEAD request gets no body.
    func respond(to request: Request, context: RegistryContext) async throws -> Response {
        let response = try await answering.answer(request, context, route: Self.route) { request, context in
            let language = request.pageLanguage.rawValue
            guard let file = pages.file(at: request.uri.path, language: language) else { throw HTTPError(.notFound) }
            return answer(to: request, with: file, over: context.connection)
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Whether a browser shows a response to a person, who could not read a problem for programs.
    func isWrongAddress(_ request: Request, _ response: Response) -> Bool {
        request.method == .get && response.status == .notFound
            && response.headers[.contentType] == MediaType.problem
            && Preference.all(in: request.headers[values: .accept])
                .contains { $0.name == "text/html" && $0.quality > 0 }
    }

    /// The page that says that there is nothing at this address.
    ///
    /// - Parameter response: the response for programs, which is logged already.
    func missing(_ request: Request, _ response: Response, _ context: RegistryContext) -> Response {
        guard let file = pages.file(at: Self.noPage, language: request.pageLanguage.rawValue) else { return response }
        var page = answer(to: request, with: file, isFound: false, over: context.connection)
        page.status = .notFound
        for field in response.headers where page.headers[field.name] == nil { page.headers.append(field) }
        return page
    }

    /// A path at which the pages themselves show that there is no page.
    private static let noPage = "/my/nothing"

    /// A file in the best form that the browser accepts.
    ///
    /// - Parameter isFound: whether the file is what is at the address, so that it may have an entity tag.
    private func answer(
        to request: Request, with file: WebFile, isFound: Bool = true, over connection: any NIOCore.Channel
    ) -> Response {
        var headers: HTTPFields = [
            .vary: file.isImmutable ? "Accept-Encoding" : "Accept-Encoding, Accept-Language, Cookie"
        ]
        headers[.cacheControl] = file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"
        for (name, value) in Self.protection { headers[name] = value }
        if isFound {
            let tag = "\"\(pages.build)\""
            headers[.eTag] = "W/" + tag
            if EntityTag.isNamed(tag, by: request.headers[.ifNoneMatch]) {
                return Response(status: .notModified, headers: headers)
            }
        }
        let codings = Preference.all(in: request.headers[values: .acceptEncoding])
        let accepted = codings.filter { $0.quality > 0 }.map(\.name)
        var bytes = file.bytes
        if accepted.contains("br"), let brotli = file.brotli {
            (bytes, headers[.contentEncoding]) = (brotli, "br")
        } else if accepted.contains("gzip"), let gzip = file.gzip {
            (bytes, headers[.contentEncoding]) = (gzip, "gzip")
        }
        return .pieces(of: bytes.count, file.mediaType, headers: headers, over: connection) { [bytes] offset, count in
            ByteBuffer(bytes: bytes[offset..<offset + count])
        }
    }

    /// The pages load nothing from elsewhere, cannot be framed, and turn no text into HTML (Content Security Policy
    /// Level 3; Trusted Types). Only they may ask for the phone's position.
    private static let protection: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy), (.referrerPolicy, "no-referrer"), (.permissionsPolicy, "geolocation=(self)"),
        (.crossOriginOpenerPolicy, "same-origin"),
    ]

    private static let policy = """
        default-src 'none'; script-src 'self' 'sha256-\(WebPages.inlineScriptHash)'; style-src 'self' 'sha256-\(WebPages.inlineStyleHash)'; img-src 'self' blob:; connect-src 'self'; \
        manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types default
        """
}
