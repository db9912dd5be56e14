import RegistryAPI
import RegistryRules
import Syntax

/// An alert as an HTML page: static, without images, scripts or external resources.
enum MailLayout {
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

    static func plain(_ text: AlertText, unsubscribe: AlertText.Link?) -> String {
        let end = unsubscribe.map { ["-- ", "\($0.label): \($0.url)"] } ?? []
        return ([text.whole, ""] + end).joined(separator: "\r\n") + "\r\n"
    }

    private static func link(_ link: AlertText.Link) -> String {
        "<a href=\"\(link.url.escapedForMarkup)\">\(link.label.escapedForMarkup)</a>"
    }
}
