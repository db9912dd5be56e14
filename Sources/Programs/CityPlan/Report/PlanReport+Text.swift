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
            title: "Of the stolen bikes with a beacon, so many are heard (in 90 of 100 cities like this: from–to)",
            header: ["NEW STATIONS"] + Horizon.allCases.map { "WITHIN \($0.words.uppercased())" },
            rows: Self.milestones(places.count).map { stations in
                ["\(stations)"] + curve[stations].heard.map { "\(Percent.text($0.share)) (\(Percent.range($0)))" }
            })
    }

    private var placeTable: TextTable {
        TextTable(
            title: "The best places, in order",
            header: ["NO.", "PLACE", "LATITUDE", "LONGITUDE", "ADDS WITHIN \(basis.goal.words.uppercased())"],
            rows: places.prefix(25).map {
                [
                    "\($0.number)", $0.name, Self.degrees($0.latitude), Self.degrees($0.longitude),
                    Percent.text($0.adds),
                ]
            })
    }

    private var comparisonTable: TextTable {
        let rows = Self.milestones(places.count).dropFirst().map { stations in
            ["\(stations)"]
                + ["planned", "mostTraffic", "random"].map { way in
                    comparisons.first { $0.stations == stations && $0.way == way }.map { Percent.text($0.share) } ?? "–"
                }
        }
        return TextTable(
            title: "Other ways to choose, heard within \(basis.goal.words)",
            header: ["STATIONS", "PLANNED", "MOST TRAFFIC", "RANDOM"], rows: Array(rows))
    }

    private var modelTable: TextTable {
        TextTable(
            title: "If all thieves were of one kind, heard within \(basis.goal.words)",
            header: ["KIND", "WEIGHT", "NO NEW STATION", "\(places.count) PLANNED", "\(places.count) RANDOM"],
            rows: models.map { model in
                let planned = model.planned.first { $0.within == basis.goal }?.share ?? 0
                return [
                    model.model, Percent.text(model.weight), Percent.text(model.existing), Percent.text(planned),
                    Percent.text(model.random),
                ]
            })
    }

    private var existingTable: [TextTable] {
        guard !existing.isEmpty else { return [] }
        let least = existing.sorted { ($0.onlyHere, $0.name) < ($1.onlyHere, $1.name) }.prefix(10)
        return [
            TextTable(
                title: "Existing stations that add the least: heard within 30 days by no other existing station",
                header: ["STATION", "ONLY HERE"], rows: least.map { [$0.name, Percent.text($0.onlyHere)] })
        ]
    }

    /// What a person must know to judge the figures.
    public var remarks: [String] {
        var lines = [
            "Half of the bikes that are heard at all are heard within \(Waiting.text(delay.halfWithinHours)), "
                + "three quarters within \(Waiting.text(delay.threeQuartersWithinHours)).",
            "The choice of places hears at least \(Percent.text(guarantee.proved)) of what the best possible choice "
                + "would, for the bikes from which it was made (proved)."
                + (guarantee.exact.map { " Compared with the computed optimum: \(Percent.text($0))." } ?? ""),
        ]
        if let experience {
            lines.append(
                "The models are weighted by \(experience.searches) searches; \(Int(experience.effectiveWorlds)) of "
                    + "\(basis.worlds) worlds remain likely."
                    + (experience.effectiveWorlds < 40 ? " These are few: give more --worlds." : ""))
        }
        return lines
    }

    /// Degrees with five decimals, which is a metre.
    static func degrees(_ value: Double) -> String {
        let parts = Int((abs(value) * 100_000).rounded())
        let fraction = String(parts % 100_000)
        return "\(value < 0 && parts > 0 ? "-" : "")\(parts / 100_000)."
            + String(repeating: "0", count: 5 - fraction.utf8.count) + fraction
    }
}
