import Syntax

/// One page of HTML to hand to a council: readable on paper and on a phone, and complete in itself.
public struct CouncilPage: Sendable {
    private let report: PlanReport
    private let streets: StreetNetwork

    public init(_ report: PlanReport, streets: StreetNetwork) {
        self.report = report
        self.streets = streets
    }

    /// The page. Names from files are escaped.
    public var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Finding stolen bikes in \(city)</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <header>
        <p class="kicker">FindMyBike · a plan for listening stations</p>
        <h1>Finding stolen bikes in \(city)</h1>
        \(lead)
        </header>
        <main>
        <section class="figures">\(figures)</section>
        <section>
        <h2>Where to put the stations</h2>
        \(CouncilMap(report, streets).svg)
        <p class="note">Numbers are the proposed places, best first. Hollow squares are stations that exist. A circle is a
        part of the city: the larger it is, the more bikes are stolen there; the darker, the more of them are heard within
        \(report.basis.goal.words). A station hears about \(Int(report.reachMetres.rounded())) metres.</p>
        </section>
        <section>
        <h2>What stations achieve</h2>
        <div class="charts">\(Horizon.allCases.map { CouncilChart(report, $0).svg }.joined())</div>
        <p class="note">Share of the stolen bikes with a beacon that are heard within this time after the report, by the
        number of new stations. The line is the expected share. In 90 of 100 cities like this, the share is within the
        band.</p>
        </section>
        <section>
        <h2>The places</h2>
        \(places)
        </section>
        <section>
        <h2>Does it matter where they are?</h2>
        \(comparison)
        </section>
        <section>
        <h2>What it depends on</h2>
        <p>Nobody knows what thieves do with bikes. The plan uses \(report.models.count) kinds of thieves. Each city that is
        simulated has another mixture of them; this is most of the width of the bands.</p>
        \(models)
        </section>
        \(existing)
        <section>
        <h2>What this plan does not say</h2>
        <ul>
        <li>To be heard is not to be found: somebody has to go there. The share of bikes that come back is smaller.</li>
        <li>Only bikes with a beacon are counted, from the time when the owner reports the theft.</li>
        <li>Walls, radio noise and thieves differ from city to city. The figures rest on the assumptions below, many of which
        are guesses; compare them with what the first stations hear, and make the plan again.</li>
        \(report.remarks.map { "<li>\($0.escapedForMarkup)</li>" }.joined(separator: "\n"))
        </ul>
        </section>
        <section class="assumptions">
        <h2>All assumptions</h2>
        \(assumptions)
        </section>
        </main>
        <footer>\(basis)</footer>
        </body>
        </html>

        """
    }

    private var city: String { report.basis.city.escapedForMarkup }

    private var last: [PlanReport.Heard] { report.curve.last?.heard ?? [] }

    private var lead: String {
        guard let goal = last.first(where: { $0.within == report.basis.goal }) else { return "" }
        let count = report.places.count
        let stations = count == 1 ? "one new station" : "\(count) new stations"
        return """
            <p class="lead">With \(stations), of 100 stolen bikes that carry a beacon about
            <strong>\(Percent.number(goal.share))</strong> are heard within \(goal.within.words). It could be as few as
            \(Percent.number(goal.low)) or as many as \(Percent.number(goal.high)): it depends on the thieves.</p>
            """
    }

    private var figures: String {
        last.map { heard in
            """
            <div><b>\(Percent.text(heard.share))</b><span>within \(heard.within.words)</span>\
            <small>\(Percent.range(heard))</small></div>
            """
        }.joined()
    }

    private func table(_ header: [String], _ rows: [[String]], _ kind: String = "") -> String {
        let head = header.map { "<th>\($0.escapedForMarkup)</th>" }.joined()
        let body = rows.map { row in
            "<tr>\(row.map { "<td>\($0.escapedForMarkup)</td>" }.joined())</tr>"
        }.joined(separator: "\n")
        return "<div class=\"wide\"><table class=\"\(kind)\"><thead><tr>\(head)</tr></thead><tbody>\n\(body)\n</tbody>"
            + "</table></div>"
    }

    private var places: String {
        let goals = report.curve.map { step in step.heard.first { $0.within == report.basis.goal } }
        return table(
            ["", "Place", "Kind", "Latitude", "Longitude", "Adds", "Together"],
            report.places.map { place in
                [
                    "\(place.number)", place.name, place.kind, PlanReport.degrees(place.latitude),
                    PlanReport.degrees(place.longitude), Percent.text(place.adds),
                    goals[place.number].map { Percent.text($0.share) } ?? "",
                ]
            }, "places")
    }

    private var comparison: String {
        let rows = PlanReport.milestones(report.places.count).dropFirst().map { stations in
            ["\(stations)"]
                + ["planned", "mostTraffic", "random"].map { way in
                    report.comparisons.first { $0.stations == stations && $0.way == way }.map { Percent.text($0.share) }
                        ?? "–"
                }
        }
        return table(
            ["Stations", "As planned here", "Where most traffic is", "At random places"], Array(rows), "numbers")
            + "<p class=\"note\">Share heard within \(report.basis.goal.words).</p>"
    }

    private var models: String {
        let rows = report.models.map { model in
            let planned = model.planned.first { $0.within == report.basis.goal }?.share ?? 0
            return [
                model.model, model.description, Percent.text(model.weight), Percent.text(planned),
                Percent.text(model.random),
            ]
        }
        return table(
            [
                "Thieves", "What they do", "Weight", "Heard within \(report.basis.goal.words)",
                "With random places",
            ], rows, "models")
    }

    private var existing: String {
        guard !report.existing.isEmpty else { return "" }
        let least = report.existing.sorted { ($0.onlyHere, $0.name) < ($1.onlyHere, $1.name) }.prefix(10)
        return """
            <section>
            <h2>Stations that add little</h2>
            <p>Bikes that are heard within 30 days by this station and by no other existing one:</p>
            \(table(["Station", "Only here"], least.map { [$0.name, Percent.text($0.onlyHere)] }, "numbers"))
            </section>
            """
    }

    private var assumptions: String {
        table(
            ["Model", "Assumption", "From", "To", "Source"],
            report.assumptions.map {
                [
                    $0.model, $0.words, Self.short($0.from) + $0.unit, Self.short($0.to) + $0.unit, $0.source,
                ]
            })
    }

    private static func short(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }

    private var basis: String {
        let basis = report.basis
        return """
            Simulated: \(basis.worlds) cities with \(basis.bikesPerWorld) stolen bikes each, on \
            \(Int(basis.kilometresOfStreets.rounded())) km of streets with \(basis.crossings) crossings; \
            \(basis.candidates) possible places, \(basis.existing) existing stations, \(basis.vehicles) vehicles with a \
            station; beacons that send every \(basis.beaconIntervalMilliseconds) ms with \(basis.beaconPower) dBm at 1 m. \
            Seed \(basis.seed): the same seed and files give the same page.
            """
    }

    private static let style = """
        :root{--ink:#1c2430;--soft:#5c6773;--line:#d9dee4;--blue:#1d5fa8;--band:#c9dcf1;--paper:#fff}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:60rem;padding:1.2rem;font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;\
        color:var(--ink);background:var(--paper)}
        h1{font-size:1.9rem;line-height:1.15;margin:.1em 0 .4em}h2{font-size:1.2rem;margin:2rem 0 .6rem}
        .kicker{color:var(--blue);font-weight:600;margin:0;font-size:.9rem}
        .lead{font-size:1.15rem;max-width:46rem}.note,footer{color:var(--soft);font-size:.85rem}
        .figures{display:grid;grid-template-columns:repeat(4,1fr);gap:.8rem;margin:1.2rem 0}
        .figures div{border-top:3px solid var(--blue);padding-top:.4rem}
        .figures b{display:block;font-size:1.7rem;line-height:1.2}.figures span,.figures small{display:block}
        .figures small{color:var(--soft)}
        svg{width:100%;height:auto;display:block}
        .charts{display:grid;grid-template-columns:repeat(2,1fr);gap:1rem}
        .wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
        th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
        th{font-weight:600;color:var(--soft)}td{font-variant-numeric:tabular-nums}
        .assumptions table{font-size:.75rem}footer{margin-top:2rem;border-top:1px solid var(--line);padding-top:.6rem}
        @media (max-width:40rem){.figures{grid-template-columns:repeat(2,1fr)}.charts{grid-template-columns:1fr}\
        h1{font-size:1.5rem}}
        @media print{body{max-width:none;padding:0;font-size:10.5pt}section{break-inside:avoid}\
        .assumptions,section:has(.places){break-inside:auto}tr{break-inside:avoid}h2{break-after:avoid}}
        """
}
