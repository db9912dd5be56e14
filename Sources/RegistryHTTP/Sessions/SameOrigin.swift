import HTTPTypes
import RegistryAPI

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
        // Typed by the user, which changes nothing.
        case "none" where isSafe: break
        case nil:
            guard isSafe || (origin != nil && request.headerFields[.origin] == origin) else { throw .crossSite }
        default: throw .crossSite
        }
        // A form of another site cannot send JSON or a picture without asking first.
        guard isSafe || request.method == .delete || Self.isUnlikeForms(request.headerFields.mediaType) else {
            throw .wrongMediaType
        }
    }

    private static func isUnlikeForms(_ mediaType: String?) -> Bool {
        [MediaType.json, MediaType.mergePatch, MediaType.jpeg].contains(mediaType)
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site") ?? .server
}
