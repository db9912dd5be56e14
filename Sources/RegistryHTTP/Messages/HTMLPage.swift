import HTTPTypes
import Hummingbird
import NIOCore
import RegistryAPI

/// A small page for people who follow a link in a message: text and at most one button, which posts to the page's own
/// address. It needs no script, loads nothing, and is shown in no frame.
struct HTMLPage {
    var language: AlertLanguage
    var title: String
    var paragraphs: [String]
    /// What the button says; nil for none.
    var button: String?

    static let mediaType = "text/html"

    var html: String {
        let text = paragraphs.map { "<p>\(Self.escaped($0))</p>" }.joined()
        let form = button.map { "<form method=\"post\"><button>\(Self.escaped($0))</button></form>" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width"><title>\(Self.escaped(title))</title></head>\
            <body><main><h1>\(Self.escaped(title))</h1>\(text)\(form)</main></body></html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

extension Response {
    static func page(_ page: HTMLPage, status: HTTPResponse.Status = .ok) -> Response {
        var headers: HTTPFields = [
            .contentSecurityPolicy: "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        ]
        // The address holds a code.
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        if let robots = HTTPField.Name("X-Robots-Tag") { headers[robots] = "noindex" }
        return .body(
            ByteBuffer(string: page.html), "\(HTMLPage.mediaType); charset=utf-8", status: status, headers: headers
        )
    }
}
