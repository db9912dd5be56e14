import Syntax
import WebPages

extension DisplayRoutes {
    /// The monitor's state for the people who look after the station, as text.
    func statusPage(_ lines: [String]) -> DisplayResponse {
        let text = lines.joined(separator: "\n").replacing(scalars: ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
        let style = pages.address(of: "style.css") ?? ""
        let page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="refresh" content="15">
            <title>Status · FindMyBike</title>
            <link rel="stylesheet" href=".\(style)">
            </head>
            <body>
            <main><h1>Status</h1><pre>\(text)</pre><p><a href="display">Display</a></p></main>
            </body>
            </html>

            """
        return DisplayResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", policy),
            ], body: Array(page.utf8))
    }
}
