import HTTPTypes
import RegistryAPI

/// A header field of a response.
struct HeaderField {
    let name: HTTPField.Name
    /// What the field says, for the contract.
    let summary: String
    let schema: JSONSchema

    private init(_ name: HTTPField.Name, _ summary: String, _ schema: JSONSchema = .type("string")) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }

    static let requestID = HeaderField(.requestID, "The request’s name in the registry’s log.")
    static let location = HeaderField(
        .location, "The path of the new resource.", .type("string", ["format": "uri-reference"]))
    static let eTag = HeaderField(.eTag, "The version of the resource, for If-Match and If-None-Match.")
    static let link = HeaderField(.link, "The next page, as rel=\"next\" (RFC 8288); absent on the last.")
    static let retryAfter = HeaderField(
        .retryAfter, "Seconds to wait.", .type("string", ["pattern": "^[0-9]+$"])
    )
    static let authenticate = HeaderField(.wwwAuthenticate, "How to send a token (RFC 6750).")
    static let instanceManipulation = HeaderField(.iM, "How the body differs from the whole resource (RFC 3229).")
    static let setCookie = HeaderField(
        .setCookie,
        "The session’s cookie, `\(SessionCookie.name)` or an operator’s `\(DeskCookie.name)`, or its removal.")
    static let allow = HeaderField(.allow, "The methods that the path accepts.")

    /// The fields that a problem can have.
    static let all = [requestID, location, eTag, link, retryAfter, authenticate, setCookie, allow]
}
