import RegistryAPI
import RegistryRules
import Syntax

/// An alert as the two parts of an e-mail, each with a last line for unsubscribing.
enum MailLayout {
    /// The alert as an HTML page: static, without images, scripts or external resources.
    ///
    /// - Parameter unsubscribe: nil if there is nothing to unsubscribe from yet.
    static func html(_ text: AlertText, unsubscribe: AlertText.Link?) -> String {
        let title = text.title.escapedForMarkup
        let paragraphs = text.paragraphs.map { "<p>\($0.escapedForMarkup.replacing(scalars: ["\n": "<br>"]))</p>" }
        let links = text.links.map { "<p>\(link($0))</p>" }
        let footer = unsubscribe.map { "<p style=\"color:#666;font-size:small\">\(link($0))</p>" }
        let body = ["<h1 style=\"font-size:1.3em\">\(title)</h1>"] + paragraphs + links + [footer ?? ""]
        return """
            <!DOCTYPE html>
            <html lang="\(text.language.rawValue)"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body style="font-family:sans-serif;max-width:40em;margin:1em auto;line-height:1.4">
            \(body.joined(separator: "\n"))
            </body></html>

            """
    }

    /// The alert as plain text. A line of “-- ” separates the signature (RFC 3676, section 4.3).
    static func plain(_ text: AlertText, unsubscribe: AlertText.Link?) -> String {
        let end = unsubscribe.map { ["-- ", "\($0.label): \($0.url)"] } ?? []
        return ([text.whole, ""] + end).joined(separator: "\r\n") + "\r\n"
    }

    private static func link(_ link: AlertText.Link) -> String {
        "<a href=\"\(link.url.escapedForMarkup)\">\(link.label.escapedForMarkup)</a>"
    }
}
