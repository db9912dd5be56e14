import Crypto
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Languages
import NIOCore
import RegistryAPI
import RegistryRules
import Syntax

/// The page behind a link in a message: a text and, if there is something to do, one button.
struct LinkPage {
    /// Of this and all other pages that the server makes.
    static let mediaType = "text/html"

    let language: AlertLanguage
    let title: String
    let text: String
    /// The label of the button, which posts to the page's own address; nil for no button.
    var button: String?

    /// The whole page.
    var html: String {
        let form = button.map { "<form method=\"post\"><button>\($0.escapedForMarkup)</button></form>" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
            <title>\(title.escapedForMarkup)</title>
            <style>\(Self.style)</style></head>
            <body><h1>\(title.escapedForMarkup)</h1><p>\(text.escapedForMarkup)</p>\(form)</body></html>

            """
    }

    /// The page as a response. It loads nothing, cannot be framed, and its address, which contains a code,
    /// is not sent as the referrer.
    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentSecurityPolicy] = Self.policy
        headers[.referrerPolicy] = "no-referrer"
        return .body(ByteBuffer(string: html), "\(Self.mediaType); charset=utf-8", status: status, headers: headers)
    }

    private static let style =
        "body{font-family:sans-serif;max-width:36em;margin:3em auto;padding:0 1em;line-height:1.5}"
        + "button{font-size:1.2em;padding:.5em 1em}"

    /// A policy that allows no resources except this style (Content Security Policy Level 3, section 2.3.1).
    private static let policy: String = {
        let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; "
            + "base-uri 'none'"
    }()
}
