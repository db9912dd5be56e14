import HTTPTypes
import Hummingbird
import RegistryAPI
import Syntax

/// Refuses requests that another site makes a browser send (cross-site request forgery, CSRF).
struct SameOriginCheck: Sendable {
    /// The origin of the registry's own pages, such as `https://registry.example`. Nil if the operator has not set a
    /// public URL: then browsers without `Sec-Fetch-Site` can only read.
    let origin: String?

    /// Checks a request that a browser sends with its session, or to get one.
    ///
    /// Browsers state the origin of a request in `Sec-Fetch-Site` (W3C, “Fetch Metadata Request Headers”), older ones
    /// in `Origin`. A page can set neither.
    ///
    /// - Throws: `crossSite`; `wrongMediaType` if a form of another site could have sent the body.
    func check(_ request: HTTPRequest) throws(RequestError) {
        let isSafe = request.method == .get || request.method == .head
        switch request.headerFields[.secFetchSite] {
        case "same-origin": break
        // The user typed the address, and the request changes nothing.
        case "none" where isSafe: break
        case nil:
            guard isSafe || (origin != nil && request.headerFields[.origin] == origin) else { throw .crossSite }
        default: throw .crossSite
        }
        // A form sends neither DELETE nor these media types, and a script of another site needs a preflight request
        // for them.
        guard isSafe || request.method == .delete || Self.needsPreflight(request.headerFields.mediaType) else {
            throw .wrongMediaType
        }
    }

    /// Whether the media type is one that the registry accepts, and that a form cannot send (Fetch Standard,
    /// “CORS-safelisted request-header”).
    private static func needsPreflight(_ mediaType: String?) -> Bool {
        [MediaType.json, MediaType.mergePatch, MediaType.jpeg].contains(mediaType)
    }
}

extension Request {
    /// Whether a form was sent from the registry's own pages; true if the browser does not say.
    ///
    /// Browsers send `Sec-Fetch-Site`, but not over plain HTTP, and old browsers never do. `Origin` is `null` in forms
    /// of these pages, since they send no referrer.
    ///
    /// - Parameter publicURL: the registry's public URL; nil if the operator has not set it.
    func isOwnForm(of publicURL: String?) -> Bool {
        if let site = headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = headers[.origin], origin != "null" else { return true }
        let host = origin.split(at: "/", maxSplits: 2).last.map(String.init)
        return origin == publicURL?.webOrigin || host == head.authority
    }
}

extension String {
    /// The origin of a URL: its scheme, host and port.
    fileprivate var webOrigin: String { split(at: "/", maxSplits: 3).prefix(2).joined(separator: "//") }
}
