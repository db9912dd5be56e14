public import Simulation
import Syntax

/// Tables with commas (RFC 4180) whose first line names the columns: places for stations, thefts, searches.
public struct PlaceTable: Sendable {
    /// The maximum size of a table: 64 MiB.
    public static let maximumFileSize = 64 << 20
    private static let maximumRows = 1_000_000
    private static let maximumColumns = 64
    /// Each cell needs 16 bytes of memory, even if it is empty.
    private static let maximumCells = 16_000_000
    /// The maximum size of a cell in bytes.
    private static let maximumCell = 4096

    /// A line of the table.
    struct Row: Sendable {
        /// The number of its first line in the file, from 1.
        let line: Int
        /// As many as there are columns.
        let cells: [String]

        /// Whether it is an empty line.
        fileprivate var isEmpty: Bool { cells.count == 1 && cells[0].isEmpty }
    }

    /// The name of the file in errors.
    let source: String
    /// Without the first line.
    let rows: [Row]
    /// The names of the columns as they are written, shortened for messages.
    private let names: [String]

    /// Reads a table from the contents of a file.
    ///
    /// - Parameter source: the name of the file in errors.
    /// - Throws: ``ScenarioError`` with the line of what is wrong.
    public init(_ bytes: [UInt8], source: String) throws(ScenarioError) {
        func refuse(_ line: Int?, _ problem: String) -> ScenarioError {
            ScenarioError(source: source, line: line, problem: problem)
        }
        guard !bytes.contains(0) else {
            throw refuse(nil, "is no plain text: save the table as CSV, in the encoding UTF-8")
        }
        guard !bytes.beginsAsJSON else {
            throw refuse(nil, "is no table: the name of a file with GeoJSON must end in .geojson")
        }
        var reader = TableReader(bytes: bytes)
        var names: [String] = []
        var rows: [Row] = []
        var cells = 0
        while let row = reader.row(most: Self.maximumColumns) {
            guard !reader.isUnterminated else { throw refuse(row.line, "a quotation mark is not closed") }
            guard row.cells.allSatisfy({ $0.utf8.count <= Self.maximumCell }) else {
                throw refuse(row.line, "a cell has more than \(Self.maximumCell) bytes: is a quotation mark missing?")
            }
            // In a table of one column, an empty line is a row: a bike that was not heard.
            guard !row.isEmpty || names.count == 1 else { continue }
            guard !names.isEmpty else {
                names = try Self.names(row, source)
                continue
            }
            cells += row.cells.count
            guard rows.count < Self.maximumRows, cells <= Self.maximumCells else {
                throw refuse(
                    row.line,
                    "more than \(Self.maximumRows) rows or \(Self.maximumCells) cells: leave out what is not needed")
            }
            guard row.cells.count == names.count else {
                throw refuse(
                    row.line,
                    "has \(row.cells.count) cells, but the first line names \(names.count) columns: write numbers with a "
                        + "point, as in 52.37, and put names with a comma in quotation marks")
            }
            rows.append(row)
        }
        guard !names.isEmpty else { throw refuse(nil, "the file is empty: its first line names the columns") }
        (self.source, self.names, self.rows) = (source, names, rows)
    }

    /// The names of the columns, from the first line.
    private static func names(_ row: Row, _ source: String) throws(ScenarioError) -> [String] {
        func refuse(_ problem: String) -> ScenarioError {
            ScenarioError(source: source, line: row.line, problem: problem)
        }
        guard row.cells.count <= maximumColumns else { throw refuse("more than \(maximumColumns) columns") }
        guard row.cells.count > 1 || !row.cells[0].utf8.contains(where: { ";\t".utf8.contains($0) }) else {
            throw refuse(
                "the columns must be separated by commas, and numbers must be written with a point, as in 52.37: save the "
                    + "table again with these settings")
        }
        let names = row.cells.map { String($0.trimming { $0.properties.isWhitespace }).line(atMost: 40) }
        var seen: Set<String> = []
        for name in names where !name.isEmpty && !seen.insert(name.lowercased()).inserted {
            throw refuse("names the column ‘\(name)’ twice")
        }
        return names
    }

    /// The index of the column with one of these names, in capitals or not; nil if there is none.
    func column(_ names: String...) -> Int? { column(names) }

    private func column(_ wanted: [String]) -> Int? {
        names.firstIndex { name in
            wanted.contains { $0.lowercased().utf8.elementsEqual(name.lowercased().utf8) }
        }
    }

    /// The index of the column with one of these names, which must be there.
    func required(_ wanted: String...) throws(ScenarioError) -> Int {
        if let column = column(wanted) { return column }
        throw ScenarioError(
            source: source, line: 1,
            problem: "a column ‘\(wanted[0])’ is needed: the columns are \(names.prefix(8).joined(separator: ", "))")
    }

    /// The number in a cell.
    ///
    /// - Parameter example: what to write, for the error.
    func number(
        _ row: Row, _ column: Int, in bounds: ClosedRange<Double>, as example: String
    ) throws(ScenarioError) -> Double {
        let text = row.cells[column].trimming { $0.properties.isWhitespace }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let value = Double(String(text)),
            bounds.contains(value)
        else {
            throw refusal(
                row, column,
                "‘\(String(text).line(atMost: 40))’ is invalid: write a number from \(Plain.number(bounds.lowerBound)) to "
                    + "\(Plain.number(bounds.upperBound)), \(example)")
        }
        return value
    }

    /// The error that a cell is wrong.
    func refusal(_ row: Row, _ column: Int, _ problem: String) -> ScenarioError {
        ScenarioError(source: source, line: row.line, key: names[column], problem: problem)
    }
}

extension [UInt8] {
    /// Whether a file can be JSON: the first byte after a mark and white space is a bracket.
    public var beginsAsJSON: Bool {
        let first = withoutByteOrderMark.first { ![0x20, 0x09, 0x0A, 0x0D, 0x1E].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
