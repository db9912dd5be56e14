public import Simulation
import Syntax

/// Tables with commas (RFC 4180) whose first line names the columns: places for stations, thefts, searches.
public struct PlaceTable: Sendable {
    /// The maximum size of a table: 64 MiB.
    public static let maximumFileSize = 64 << 20
    private static let maximumRows = 1_000_000
    private static let maximumColumns = 64

    /// A line of the table.
    private struct Row {
        let line: Int
        let cells: [String]
    }

    private let source: String
    private let columns: [String]
    private let rows: [Row]

    /// - Throws: ``ScenarioError`` with the line of what is wrong.
    public init(_ bytes: [UInt8], source: String) throws(ScenarioError) {
        var reader = Reader(bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        var rows: [Row] = []
        while let (line, cells) = reader.row() {
            guard !reader.isUnterminated else {
                throw ScenarioError(source: source, line: line, problem: "a quotation mark is not closed")
            }
            guard cells.count <= Self.maximumColumns, rows.count <= Self.maximumRows else {
                throw ScenarioError(
                    source: source, line: line,
                    problem: "more than \(Self.maximumColumns) columns or \(Self.maximumRows) rows")
            }
            if cells.count > 1 || cells.first?.isEmpty == false { rows.append(Row(line: line, cells: cells)) }
        }
        guard let header = rows.first else {
            throw ScenarioError(source: source, problem: "the file is empty: its first line names the columns")
        }
        self.source = source
        columns = header.cells.map { String($0.trimming { $0.properties.isWhitespace }).lowercased() }
        self.rows = Array(rows.dropFirst())
        for row in self.rows where row.cells.count != columns.count {
            throw ScenarioError(
                source: source, line: row.line,
                problem: "has \(row.cells.count) cells, but the first line names \(columns.count) columns")
        }
    }

    /// The index of the column with one of these names.
    private func column(_ names: String...) -> Int? {
        columns.firstIndex { column in names.contains { $0.utf8.elementsEqual(column.utf8) } }
    }

    private func required(_ names: String...) throws(ScenarioError) -> Int {
        for name in names { if let column = column(name) { return column } }
        throw ScenarioError(
            source: source, line: 1,
            problem: "a column ‘\(names[0])’ is needed: the columns are \(columns.prefix(8).joined(separator: ", "))")
    }

    private func number(_ row: Row, _ column: Int, in bounds: ClosedRange<Double>) throws(ScenarioError) -> Double {
        let text = row.cells[column].trimming { $0.properties.isWhitespace }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(String(text)),
            bounds.contains(value)
        else {
            throw ScenarioError(
                source: source, line: row.line, key: columns[column],
                problem: "‘\(String(text).line(atMost: 40))’ is invalid: write a number from \(bounds.lowerBound) to "
                    + "\(bounds.upperBound)")
        }
        return value
    }

    private func places() throws(ScenarioError) -> [(row: Row, place: Coordinates)] {
        let (latitude, longitude) = (try required("latitude", "lat"), try required("longitude", "lon", "lng"))
        var places: [(row: Row, place: Coordinates)] = []
        for row in rows {
            let place = Coordinates(
                within: try number(row, latitude, in: -85...85), try number(row, longitude, in: -180...180))
            places.append((row, place))
        }
        return places
    }

    /// Places with the columns `latitude`, `longitude`, and optionally `name`, `kind`, `opens` and `closes` (hours).
    public func sites() throws(ScenarioError) -> [Site] {
        let (name, kind, opens, closes) = (column("name"), column("kind"), column("opens"), column("closes"))
        var sites: [Site] = []
        for (row, place) in try places() {
            var hours: ClosedRange<Double>?
            if let opens, let closes, !row.cells[opens].isEmpty {
                let (from, to) = (try number(row, opens, in: 0...24), try number(row, closes, in: 0...24))
                guard from < to else {
                    throw ScenarioError(source: source, line: row.line, problem: "it closes before it opens")
                }
                hours = from...to
            }
            let text = name.map { row.cells[$0].line(atMost: 80) } ?? ""
            sites.append(
                Site(
                    name: text.isEmpty ? "line \(row.line)" : text,
                    kind: kind.map { row.cells[$0].line(atMost: 40) } ?? "",
                    place: place, hours: hours))
        }
        guard sites.count <= PlanRequest.maximumSites else {
            throw ScenarioError(source: source, problem: "has more than \(PlanRequest.maximumSites) places")
        }
        return sites
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
                        try number(row, column, in: 0.000_001...1e9)
                    } ?? 1))
        }
        return thefts
    }

    /// Closed searches with the column `heardAfterHours`, which is empty for a bike that was not heard, and optionally
    /// `closedAfterHours`; without it they lasted 30 days.
    public func experience() throws(ScenarioError) -> Experience {
        let heard = try required("heardafterhours", "heard_after_hours")
        let closed = column("closedafterhours", "closed_after_hours")
        var searches: [Experience.Search] = []
        for row in rows {
            let hours = try [heard, closed].map { column throws(ScenarioError) -> Double? in
                guard let column, !row.cells[column].isEmpty else { return nil }
                return try number(row, column, in: 0...100_000)
            }
            searches.append(Experience.Search(heardAfter: hours[0], lasted: hours[1]))
        }
        return Experience(searches)
    }
}

/// Splits a table into rows.
private struct Reader {
    let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private(set) var isUnterminated = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func row() -> (line: Int, cells: [String])? {
        guard offset < bytes.count else { return nil }
        let start = line
        var cells: [String] = []
        while true {
            cells.append(cell())
            guard offset < bytes.count else { return (start, cells) }
            let end = bytes[offset]
            offset += 1
            if end == UInt8(ascii: "\n") {
                line += 1
                return (start, cells)
            }
            guard cells.count <= 1000 else { return (start, cells) }
        }
    }

    /// The text up to a comma or the end of the line.
    private mutating func cell() -> String {
        var text: [UInt8] = []
        let isQuoted = offset < bytes.count && bytes[offset] == UInt8(ascii: "\"")
        if isQuoted {
            offset += 1
            quoted(&text)
        }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: ","), bytes[offset] != UInt8(ascii: "\n") {
            if bytes[offset] != UInt8(ascii: "\r") { text.append(bytes[offset]) }
            offset += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func quoted(_ text: inout [UInt8]) {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") {
                guard offset < bytes.count, bytes[offset] == byte else { return }
                offset += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            text.append(byte)
        }
        isUnterminated = true
    }
}
