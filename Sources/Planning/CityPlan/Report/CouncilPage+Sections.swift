import Syntax

extension CouncilPage {
    /// A cell with small print below.
    private struct Cell {
        let text: String
        var small = ""

        var html: String {
            text.escapedForMarkup + (small.isEmpty ? "" : "<small>\(small.escapedForMarkup)</small>")
        }
    }

    /// - Parameter kind: the classes of the table in the style.
    private func table(_ header: [String], _ rows: [[Cell]], _ kind: String) -> String {
        let head = header.map { "<th scope=\"col\">\($0.escapedForMarkup)</th>" }.joined()
        let body = rows.map { row in "<tr>\(row.map { "<td>\($0.html)</td>" }.joined())</tr>" }.joined(separator: "\n")
        return "<table class=\"\(kind)\"><thead><tr>\(head)</tr></thead><tbody>\n\(body)\n</tbody></table>"
    }

    // The contents of the page’s sections, as HTML.

    var placeTable: String {
        guard !report.places.isEmpty else { return "<p>The plan has no new station.</p>" }
        let rows = report.places.map { place in
            [
                Cell(text: "\(place.number)"), Cell(text: place.name, small: Self.details(place)),
                Cell(text: Percent.text(place.adds)), Cell(text: Percent.text(goal(place.number).share)),
            ]
        }
        return table(["No.", "Place", "Adds", "In all"], rows, "figures-right numbered")
            + "<p class=\"note\">Share of the stolen bikes heard within \(report.basis.goal.words): what the station adds to "
            + "all before it, and what all of them hear together. Below each name are latitude and longitude.</p>"
    }

    /// The kind, unless the name says it, and where the place is.
    private static func details(_ place: PlanReport.Place) -> String {
        let position = "\(Plain.degrees(place.latitude)), \(Plain.degrees(place.longitude))"
        let isSaid = place.kind.isEmpty || place.name.lowercased().contains(place.kind.lowercased())
        return isSaid ? position : "\(place.kind) · \(position)"
    }

    var comparison: String {
        guard !report.places.isEmpty else { return "<p>The plan has no new station.</p>" }
        return table(
            ["New stations", "As planned here", "Where most traffic is", "At random places"],
            report.comparisonRows.map { $0.map { Cell(text: $0) } }, "figures-right")
            + "<p class=\"note\">Share of the stolen bikes heard within \(report.basis.goal.words).</p>"
    }

    var models: String {
        let rows = report.models.map { model in
            [
                Cell(text: model.model, small: model.description), Cell(text: Percent.text(model.weight)),
                Cell(text: Percent.text(report.planned(of: model))), Cell(text: Percent.text(model.random)),
            ]
        }
        let words = """
            <p>Nobody knows what thieves do with the bikes. The plan has \(Plain.counted(report.models.count, "kind")) of
            thieves, and each simulated city has another mixture of them. This is the main reason why the ranges are wide.</p>
            """
        let header = ["Kind of thieves", "Share of thieves", "Planned places", "Random places"]
        return words + table(header, rows, "figures-right first-wide")
            + "<p class=\"note\">The last two columns say what share of the stolen bikes is heard within "
            + "\(report.basis.goal.words), with all new stations, if all thieves are of that kind.</p>"
    }

    var existing: String {
        guard !report.existing.isEmpty else { return "" }
        return section(
            "Existing stations that add little",
            "<p>Share of the stolen bikes that this station hears within 30 days, and no other existing one:</p>"
                + table(
                    ["Station", "Only here"], report.leastUseful.map { $0.map { Cell(text: $0) } },
                    "figures-right first-wide"))
    }

    var limits: String {
        let remarks = report.remarks.map { "<li>\($0.escapedForMarkup)</li>" }.joined(separator: "\n")
        return """
            <ul>
            <li>It does not say how many bikes come back. It counts those that a station hears.</li>
            <li>It counts only bikes with a beacon, from the time when the owner reports the theft.</li>
            <li>Walls, radio noise and thieves differ from city to city. Many of the assumptions below are guesses. Compare them
            with what the first stations hear, and plan again.</li>
            \(remarks)
            </ul>
            """
    }

    var assumptions: String {
        var models: [String] = []
        for assumption in report.assumptions where models.last != assumption.model { models.append(assumption.model) }
        return "<p>Each simulated city has a value from each range; all values of a range are equally likely.</p>"
            + "<div class=\"columns\">"
            + models.map { model in
                let rows = report.assumptions.filter { $0.model == model }.map {
                    [
                        Cell(text: $0.words, small: $0.source),
                        Cell(text: "\(Plain.number($0.from))–\(Plain.number($0.to))\($0.unit)"),
                    ]
                }
                return "<h3>\(model.escapedForMarkup)</h3>\n"
                    + table(["Assumption and its source", "Range"], rows, "ranges")
            }.joined(separator: "\n") + "</div>"
    }
}
