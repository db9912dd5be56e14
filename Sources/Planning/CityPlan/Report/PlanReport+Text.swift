extension PlanReport {
    /// A table for a terminal.
    public struct TextTable: Sendable {
        public let title: String
        public let header: [String]
        public let rows: [[String]]
    }

    /// What a person reads in a terminal.
    public var tables: [TextTable] { [curveTable, placeTable, comparisonTable, modelTable] + existingTable }

    private var curveTable: TextTable {
        TextTable(
            title:
                "Share of the stolen bikes with a beacon that are heard, and its range in 90 of 100 simulated cities",
            header: ["NEW STATIONS"] + Horizon.allCases.map { "WITHIN \($0.words.uppercased())" },
            rows: Self.milestones(places.count).map { stations in
                ["\(stations)"] + curve[stations].heard.map { "\(Percent.text($0.share)) (\(Percent.range($0)))" }
            })
    }

    private var placeTable: TextTable {
        let shown = places.prefix(25)
        return TextTable(
            title: shown.count < places.count
                ? "The first \(shown.count) of \(places.count) places (--html, --geojson and --json have all)"
                : "The best places, in order",
            header: ["NO.", "PLACE", "LATITUDE", "LONGITUDE", "ADDS WITHIN \(basis.goal.words.uppercased())"],
            rows: shown.map {
                [
                    "\($0.number)", $0.name, Plain.degrees($0.latitude), Plain.degrees($0.longitude),
                    Percent.text($0.adds),
                ]
            })
    }

    private var comparisonTable: TextTable {
        TextTable(
            title: "Heard within \(basis.goal.words), by how the places are chosen",
            header: ["STATIONS", "PLANNED", "MOST TRAFFIC", "RANDOM"], rows: comparisonRows)
    }

    /// For each number of stations the shares heard at planned, busy and random places.
    var comparisonRows: [[String]] {
        Self.milestones(places.count).dropFirst().map { stations in
            ["\(stations)"]
                + ["planned", "mostTraffic", "random"].map { way in
                    comparisons.first { $0.stations == stations && $0.way == way }.map { Percent.text($0.share) } ?? "–"
                }
        }
    }

    private var modelTable: TextTable {
        TextTable(
            title: "Heard within \(basis.goal.words), if all thieves were of one kind",
            header: [
                "KIND", "SHARE OF THIEVES", "NO NEW STATION", "\(places.count) PLANNED", "\(places.count) RANDOM",
            ],
            rows: models.map { model in
                [
                    model.model, Percent.text(model.weight), Percent.text(model.existing),
                    Percent.text(planned(of: model)), Percent.text(model.random),
                ]
            })
    }

    /// What the planned stations would hear within the goal if all thieves were of this kind.
    func planned(of model: ModelResult) -> Double { model.planned.first { $0.within == basis.goal }?.share ?? 0 }

    /// Empty if no station exists.
    private var existingTable: [TextTable] {
        guard !existing.isEmpty else { return [] }
        return [
            TextTable(
                title:
                    "Existing stations that add the least: bikes that no other existing station hears within 30 days",
                header: ["STATION", "ONLY HERE"], rows: leastUseful)
        ]
    }

    /// The existing stations that add the least, and what each adds.
    var leastUseful: [[String]] {
        existing.sorted { ($0.onlyHere, $0.name) < ($1.onlyHere, $1.name) }.prefix(10)
            .map { [$0.name, Percent.text($0.onlyHere)] }
    }

    /// What belongs beside the first figures: that something is missing, or that they are rough.
    public var warnings: [String] {
        var lines: [String] = []
        if places.isEmpty, basis.budget > 0 {
            lines.append("No place for a new station hears any of the simulated bikes.")
        } else if places.count < basis.budget {
            let stations = Plain.counted(places.count, "new station")
            lines.append(
                basis.candidates <= places.count
                    ? "There are only \(Plain.counted(basis.candidates, "possible place")), so the plan has \(stations), "
                        + "not \(basis.budget)."
                    : "The plan has \(stations), not \(basis.budget): no other place adds any of the simulated bikes.")
        }
        let (left, all) = (basis.kilometresLeftOut, basis.kilometresOfStreets + basis.kilometresLeftOut)
        if left >= 0.01 * all {
            lines.append(
                "\(Plain.number(left.rounded(.up))) of \(Plain.number(all.rounded(.up))) km of streets do not connect with the "
                    + "others. The plan leaves them out, with what happens there.")
        }
        return lines + (experience?.warnings(worlds: basis.worlds) ?? [])
    }

    /// What a person must know to judge the figures.
    public var remarks: [String] {
        var lines: [String] = []
        if delay.heard > 0 {
            lines.append(
                "Of the bikes that are heard within 30 days, half are heard within "
                    + "\(Plain.time(delay.halfWithinHours)), three quarters within "
                    + "\(Plain.time(delay.threeQuartersWithinHours)).")
        }
        if !places.isEmpty {
            lines.append(
                "The places hear at least \(Percent.text(guarantee.proved)) as many bikes as the best choice of as many "
                    + "places, among the bikes that they were chosen with (proved)."
                    + (guarantee.exact.map { " Compared with the computed best choice: \(Percent.text($0))." } ?? ""))
        }
        if let experience {
            lines.append(
                "The simulated cities are weighted by \(experience.searches) closed searches: those that agree with them "
                    + "count more, and the places are chosen for them. \(Int(experience.effectiveWorlds.rounded())) of "
                    + "\(basis.worlds) remain likely, and \(experience.compatibleWorlds) could well have brought about these "
                    + "searches.")
        }
        return lines
    }
}

extension PlanReport.ExperienceResult {
    /// That the ranges are wider than they could be, or rough, or that the simulated cities fit badly.
    fileprivate func warnings(worlds: Int) -> [String] {
        var lines: [String] = []
        if evidence < 0.99 {
            lines.append(
                "Few of the \(worlds) simulated cities agree with all of the \(searches) searches. So each search counts as "
                    + "only \(Percent.text(evidence)) of one, and the ranges are wider than they could be. Simulate more "
                    + "cities.")
        }
        if effectiveWorlds < 39.5, effectiveWorlds < 0.9 * Double(worlds) {
            lines.append(
                "Only \(max(1, Int(effectiveWorlds))) of \(worlds) simulated cities agree with the searches so far, so the "
                    + "ranges are rough. Simulate more cities.")
        }
        if let worst = spans.min(by: { min($0.fewer, 1 - $0.fewer) < min($1.fewer, 1 - $1.fewer) }),
            min(worst.fewer, 1 - worst.fewer) < 0.01
        {
            lines.append(
                "The simulated cities fit the searches badly: of \(worst.searches) bikes that were still searched for, "
                    + "\(worst.heard) were heard within \(worst.within.words), where \(Percent.text(worst.expected)) are "
                    + "expected. The true share can lie outside of the ranges. Compare the assumptions with what you know."
            )
        }
        return lines
    }
}
