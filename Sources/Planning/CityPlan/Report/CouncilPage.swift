import Syntax

/// One page of HTML to hand to a council: readable on paper and on a phone, and complete in itself.
public struct CouncilPage: Sendable {
    let report: PlanReport
    private let streets: StreetNetwork

    /// - Parameter streets: those of the city for which the report was made.
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
        <meta name="color-scheme" content="light dark">
        <title>Finding stolen bikes in \(city)</title>
        <style>\(CouncilStyle.css)</style>
        </head>
        <body>
        <header>
        \(banner)
        <p class="kicker">FindMyBike · a plan for listening stations</p>
        <h1>Finding stolen bikes in \(city)</h1>
        \(lead)
        \(report.warnings.map { "<p class=\"warning\">\($0.escapedForMarkup)</p>" }.joined(separator: "\n"))
        </header>
        <main>
        <section class="figures">\(figures)</section>
        <p class="callout"><strong>Heard is not found.</strong> A station that hears a bike tells its owner where and when.
        Somebody still has to go there, so fewer bikes come back than are heard.</p>
        \(sections.joined(separator: "\n"))
        </main>
        <footer>\(basis)</footer>
        </body>
        </html>

        """
    }

    private var sections: [String] {
        let map = CouncilMap(report, streets)
        let top = CouncilChart.top(of: report)
        return [
            section("Where to put the stations", map.svg + map.legend, "map"),
            section(
                "What more stations achieve",
                """
                <p>Each chart shows what share of the stolen bikes with a beacon is heard in time, from the report of the
                theft on. The line is the share to expect. In 90 of 100 simulated cities, the share lies in the band.</p>
                <div class="charts">\(Horizon.allCases.map { CouncilChart(report, $0, top: top).svg }.joined())</div>
                """),
            section("The places", placeTable, "places"),
            section("Does it matter where they are?", comparison),
            section("What it depends on", models),
            existing,
            section("What this plan does not say", limits),
            section("All assumptions", assumptions, "assumptions"),
        ]
    }

    /// A section with a heading.
    ///
    /// - Parameters:
    ///   - content: HTML.
    ///   - kind: its class in the style.
    func section(_ title: String, _ content: String, _ kind: String = "") -> String {
        "<section\(kind.isEmpty ? "" : " class=\"\(kind)\"")>\n<h2>\(title)</h2>\n\(content)\n</section>"
    }

    private var city: String { report.basis.city.escapedForMarkup }

    /// Says that a city is made up.
    private var banner: String {
        guard report.basis.isMadeUp else { return "" }
        return """
            <p class="banner"><strong>This city is made up.</strong> The page shows what a plan looks like. Its streets, places
            and figures are those of no real city.</p>
            """
    }

    /// The most important figures in a sentence or two.
    private var lead: String {
        let (first, last) = (goal(0), goal(report.places.count))
        let within = "stolen bikes with a beacon within \(report.basis.goal.words)"
        let count = report.places.count
        let now =
            "\(present) hear\(presentCount == 1 ? "s" : "") about \(Percent.number(first.share)) of 100 \(within)."
        guard count > 0 else { return presentCount > 0 ? "<p class=\"lead\">\(now)</p>" : "" }
        let range = "\(Percent.number(last.low)) to \(Percent.number(last.high))"
        guard presentCount > 0 else {
            return """
                <p class="lead">With \(Plain.counted(count, "new station")), about <strong>\
                \(Percent.number(last.share)) of 100</strong> stolen bikes with a beacon are heard within \
                \(report.basis.goal.words). In 90 of 100 simulated cities it is \(range): nobody knows what thieves do.</p>
                """
        }
        let added = report.added
        return """
            <p class="lead">\(now) With \(Plain.counted(count, "new station")) it is about <strong>\
            \(Percent.number(last.share)) of 100</strong>, which is \(Percent.number(added.share)) more. In 90 of 100 \
            simulated cities the new \(count == 1 ? "station adds" : "stations add") \(Percent.number(added.low)) to \
            \(Percent.number(added.high)), and all together hear \(range): nobody knows what thieves do.</p>
            """
    }

    /// The number of stations and vehicles that are there already.
    private var presentCount: Int { report.basis.existing + report.basis.vehicles }

    /// What is there already, as the subject of a sentence.
    private var present: String {
        let basis = report.basis
        let stations = basis.existing == 1 ? "The existing station" : "The \(basis.existing) existing stations"
        let vehicles = Plain.counted(basis.vehicles, "vehicle") + " with a station"
        return switch (basis.existing, basis.vehicles) {
        case (_, 0): stations
        case (0, _): "The \(vehicles)"
        default: "\(stations) and the \(vehicles)"
        }
    }

    /// What this many new stations hear within the goal, with the existing ones.
    func goal(_ stations: Int) -> PlanReport.Heard {
        report.curve[stations].heard.first { $0.within == report.basis.goal } ?? report.added
    }

    /// What is heard within each horizon.
    private var figures: String {
        let (now, planned) = (report.curve[0].heard, report.curve[report.places.count].heard)
        return zip(now, planned).map { now, planned in
            let before =
                presentCount > 0 ? "<small>without new stations: \(Percent.number(now.share))&nbsp;%</small>" : ""
            return """
                <div><b>\(Percent.number(planned.share))&nbsp;%</b><span>heard within \(planned.within.words)</span>\
                <small>\(Percent.range(planned)) in 90 of 100 simulated cities</small>\(before)</div>
                """
        }.joined()
    }

    private var leftOut: String {
        let kilometres = report.basis.kilometresLeftOut
        return kilometres > 0 ? ", without \(Int(kilometres.rounded(.up))) km that do not connect with them" : ""
    }

    /// What was simulated, for those who want to do it again.
    private var basis: String {
        let basis = report.basis
        let thefts =
            basis.theftPlaces > 0
            ? "thefts at \(Plain.counted(basis.theftPlaces, "place")) of a list" : "thefts by the length of the streets"
        return """
            Simulated: \(basis.worlds) cities with \(basis.bikesPerWorld) stolen bikes each, on \
            \(Int(basis.kilometresOfStreets.rounded())) km of streets with \(basis.crossings) crossings\(leftOut); \
            \(Plain.counted(basis.candidates, "possible place")), \(Plain.counted(basis.existing, "existing station")), \
            \(Plain.counted(basis.vehicles, "vehicle")) with a station; \(thefts); beacons that send every \
            \(basis.beaconIntervalMilliseconds) ms, with \(basis.beaconPower) dBm at 1 m. Seed \(basis.seed): the same seed \
            and files give the same page.
            """
    }
}
