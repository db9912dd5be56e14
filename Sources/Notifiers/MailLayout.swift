import Registry
import RegistryAPI

/// An alert as an HTML page: static, without images, scripts or external resources.
enum MailLayout {
    static func html(_ text: AlertText, unsubscribe: AlertText.Link?) -> String {
        let paragraphs = text.paragraphs.map { "<p>\(escaped($0).replacing("\n", with: "<br>"))</p>" }
        let links = text.links.map { "<p><a href=\"\(escaped($0.url))\">\(escaped($0.label))</a></p>" }
        let footer = unsubscribe.map {
            "<p style=\"color:#666;font-size:small\"><a href=\"\(escaped($0.url))\">\(escaped($0.label))</a></p>"
        }
        let body = ["<h1 style=\"font-size:1.3em\">\(escaped(text.title))</h1>"] + paragraphs + links + [footer ?? ""]
        return """
            <!DOCTYPE html>
            <html lang="\(text.language.rawValue)"><head><meta charset="utf-8"><title>\(escaped(text.title))</title></head>
            <body style="font-family:sans-serif;max-width:40em;margin:1em auto;line-height:1.4">
            \(body.joined(separator: "\n"))
            </body></html>

            """
    }

    static func plain(_ text: AlertText, unsubscribe: AlertText.Link?) -> String {
        let end = unsubscribe.map { ["-- ", "\($0.label): \($0.url)"] } ?? []
        return ([text.whole, ""] + end).joined(separator: "\r\n") + "\r\n"
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}

extension AlertLanguage {
    /// The text of the unsubscribe link.
    var unsubscribeLabel: String {
        switch self {
        case .en: "Stop alerts to this address"
        case .de: "Keine Meldungen mehr an diese Adresse"
        }
    }
}
