import HTTPTypes
import Hummingbird
import RegistryAPI
import Syntax

/// Protects against requests that another site makes a browser send (“cross-site request forgery”).
struct SameOrigin: Sendable {
    /// The origin of the registry's own pages; nil if the operator has not set a public URL for it.
    let origin: String?

    /// Checks a request that a browser sends with its session, or to get one.
    ///
    /// A browser says itself where a request comes from: in `Sec-Fetch-Site` (W3C, “Fetch Metadata Request Headers”), or
    /// in `Origin` if it is older. Neither can be set by a page.
    func check(_ request: HTTPRequest) throws(RequestError) {
        let isSafe = request.method == .get || request.method == .head
        let site = request.headerFields[.secFetchSite]
        switch site {
        case "same-origin": break
        // The user typed the address, and the request changes nothing.
        case "none" where isSafe: break
        case nil:
            guard isSafe || (origin != nil && request.headerFields[.origin] == origin) else { throw .crossSite }
        default: throw .crossSite
        }
        // Another site's form cannot send JSON or a picture without a preflight request.
        guard isSafe || request.method == .delete || Self.isUnlikeForms(request.headerFields.mediaType) else {
            throw .wrongMediaType
        }
    }

    private static func isUnlikeForms(_ mediaType: String?) -> Bool {
        [MediaType.json, MediaType.mergePatch, MediaType.jpeg].contains(mediaType)
    }
}

extension Request {
    /// Whether a form was sent from the registry's own pages, as far as the browser says.
    ///
    /// Browsers send this in `Sec-Fetch-Site` (Fetch Metadata Request Headers), but not over plain HTTP, and old ones
    /// never. `Origin` is `null` in forms of these pages, since they send no referrer.
    func isOwnForm(of publicURL: String?) -> Bool {
        if let site = headers[.secFetchSite] { return site == "same-origin" || site == "none" }
        guard let origin = headers[.origin], origin != "null" else { return true }
        let host = origin.split(at: "/", maxSplits: 2).last.map(String.init)
        return origin == publicURL?.webOrigin || host == head.authority
    }
}

extension String {
    /// The scheme, host and port of an address.
    fileprivate var webOrigin: String { split(at: "/", maxSplits: 3).prefix(2).joined(separator: "//") }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site") ?? .server
}
