import Languages
import RegistryAPI
import StationStatus
import Syntax
import VenueHTTP
import WebPages

extension DisplayRoutes {
    /// The monitor's state for the people who look after the station. It has no script, so that it works whatever is wrong.
    func statusPage(_ topics: [StatusTopic], in words: StatusWords) async -> ServerResponse {
        let state = await source.health().state
        let isShown = await register.terms != nil
        let isWell = state == .listening && topics.allSatisfy(\.problems.isEmpty)
        let sentence = state == .listening && !isWell ? words.impaired : words.state(state)
        let rows = topics.map { topic in
            let lines = topic.lines.enumerated().map { index, line in
                let text = Self.escaped(line)
                return topic.problems.contains(index) ? "<strong class=\"bad\">\(text)</strong>" : text
            }.joined(separator: "<br>")
            return topic.name.isEmpty ? "<p>\(lines)</p>" : "<dt>\(Self.escaped(topic.name))</dt><dd>\(lines)</dd>"
        }
        // Topics without a name are paragraphs; there are either such ones or named ones.
        let hasNames = topics.contains { !$0.name.isEmpty }
        let list = hasNames ? "<dl class=\"values\">\(rows.joined())</dl>" : rows.joined()
        let styles = ["style.css", "display.css"].compactMap { pages.address(of: $0) }
            .map { "<link rel=\"stylesheet\" href=\".\($0)\">" }
        let page = """
            <!doctype html>
            <html lang="\(words.language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta http-equiv="refresh" content="15">
            <title>\(words.title) · FindMyBike</title>
            <link rel="icon" href=".\(pages.address(of: "icon.svg") ?? "")" type="image/svg+xml">
            \(styles.joined(separator: "\n"))
            </head>
            <body>
            <header class="top">
            <span class="brand"><img src=".\(pages.address(of: "icon.svg") ?? "")" alt="">FindMyBike</span>
            \(isShown ? "<a href=\"display\">\(words.display)</a>" : "")
            </header>
            <main class="status">
            <h1>\(words.title)</h1>
            <p class="notice \(isWell ? "good" : "warn")">\(sentence)</p>
            <section class="card" lang="en"><h2 lang="\(words.language.rawValue)">\(words.details)</h2>\(list)</section>
            \(isShown || state == .starting ? "" : "<p class=\"soft small\">\(words.noDisplay)</p>")
            </main>
            </body>
            </html>

            """
        return ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", policy), ("Vary", "Accept-Language"),
            ], body: Array(page.utf8))
    }

    /// Text for the content of an HTML element.
    private static func escaped(_ text: String) -> String {
        text.replacing(scalars: ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
    }
}
