public import Simulation
import Syntax

extension PlaceTable {
    /// The place of each row.
    private func places() throws(ScenarioError) -> [(row: Row, place: Coordinates)] {
        let latitude = try required("latitude", "lat")
        let longitude = try required("longitude", "lon", "lng")
        var places: [(row: Row, place: Coordinates)] = []
        for row in rows {
            let place = Coordinates(
                within: try number(row, latitude, in: -85...85, as: "as in 52.37"),
                try number(row, longitude, in: -180...180, as: "as in 4.89"))
            places.append((row, place))
        }
        return places
    }

    /// Places with the columns `latitude`, `longitude`, and optionally `name`, `kind`, `opens` and `closes` (hours).
    public func sites() throws(ScenarioError) -> [Site] {
        let (name, kind) = (column("name"), column("kind"))
        let hours = try hourColumns()
        var sites: [Site] = []
        for (row, place) in try places() {
            let text = name.map { row.cells[$0].line(atMost: 80) } ?? ""
            sites.append(
                Site(
                    name: text.isEmpty ? "line \(row.line)" : text,
                    kind: kind.map { row.cells[$0].line(atMost: 40) } ?? "",
                    place: place,
                    hours: try hours.flatMap { columns throws(ScenarioError) in
                        try self.hours(row, columns.opens, columns.closes)
                    }))
        }
        return sites
    }

    /// The columns of the hours; nil if there are none.
    private func hourColumns() throws(ScenarioError) -> (opens: Int, closes: Int)? {
        switch (column("opens"), column("closes")) {
        case (let opens?, let closes?): return (opens, closes)
        case (nil, nil): return nil
        default:
            throw ScenarioError(
                source: source, line: 1, problem: "the columns ‘opens’ and ‘closes’ are needed both, or neither of them"
            )
        }
    }

    /// The hours of a row; nil if both cells are empty.
    private func hours(_ row: Row, _ opens: Int, _ closes: Int) throws(ScenarioError) -> ClosedRange<Double>? {
        guard !row.cells[opens].isEmpty || !row.cells[closes].isEmpty else { return nil }
        let example = "as in 7.5 for half past seven"
        let from = try number(row, opens, in: 0...24, as: example)
        let to = try number(row, closes, in: 0...24, as: example)
        guard from < to else {
            throw refusal(row, closes, "it closes before it opens: write at most 24, also if it closes after midnight")
        }
        return from...to
    }

    /// Places with the columns `latitude`, `longitude`, and optionally `weight` or `count`.
    public func thefts() throws(ScenarioError) -> [TheftPlace] {
        let weight = column("weight", "count")
        var thefts: [TheftPlace] = []
        for (row, place) in try places() {
            thefts.append(
                TheftPlace(
                    place: place,
                    weight: try weight.map { column throws(ScenarioError) in
                        try number(row, column, in: 0...1e9, as: "as in 3")
                    } ?? 1))
        }
        return thefts
    }

    /// Closed searches with the column `heardAfterHours`, which is empty for a bike that was not heard, and optionally
    /// `closedAfterHours`; without it they lasted 30 days.
    public func experience() throws(ScenarioError) -> Experience {
        let heard = try required("heardAfterHours", "heard_after_hours")
        let closed = column("closedAfterHours", "closed_after_hours")
        guard (1...Experience.maximum).contains(rows.count) else {
            throw ScenarioError(
                source: source, problem: "has \(rows.count) searches, but 1 to \(Experience.maximum) are needed")
        }
        var searches: [Experience.Search] = []
        for row in rows {
            let heardAfter = try optionalHours(row, heard)
            let lasted = try optionalHours(row, closed)
            if let heardAfter, let lasted, heardAfter > lasted {
                throw refusal(row, heard, "the bike was heard after the search was closed: exchange the two times")
            }
            searches.append(Experience.Search(heardAfter: heardAfter, lasted: lasted))
        }
        return Experience(searches)
    }

    /// A number of hours; nil if there is no such column, or the cell is empty.
    private func optionalHours(_ row: Row, _ column: Int?) throws(ScenarioError) -> Double? {
        guard let column, !row.cells[column].isEmpty else { return nil }
        return try number(row, column, in: 0...100_000, as: "as in 7.5")
    }
}
