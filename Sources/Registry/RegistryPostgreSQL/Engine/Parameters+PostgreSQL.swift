import PostgreSQL
import RegistrySQL
import Syntax

extension Parameters {
    /// The values for the connection.
    var forConnection: [PostgreSQL.Parameter] {
        values.map { value in
            switch value {
            case .null: .null
            case .integer(let integer): .integer(integer)
            case .double(let double): .double(double)
            case .text(let place): .text(text(place))
            case .blob(let place): .bytes(Array(bytes[place]))
            }
        }
    }

    /// The rows of a set as an array for each column.
    ///
    /// - Throws: ``UnfitElement`` for a value that does not have the type of its column.
    func columns(of types: [ColumnType]) throws -> [PostgreSQL.Parameter] {
        try types.indices.map { column in
            let cells = stride(from: column, to: values.count, by: types.count).map { values[$0] }
            return switch types[column] {
            case .integer:
                .integers(try elements(cells) { if case .integer(let integer) = $0 { integer } else { nil } })
            case .double: .doubles(try elements(cells) { $0.number })
            case .text: .texts(try elements(cells) { if case .text(let place) = $0 { text(place) } else { nil } })
            case .blob:
                .blobs(try elements(cells) { if case .blob(let place) = $0 { Array(bytes[place]) } else { nil } })
            }
        }
    }

    private func elements<Element>(_ cells: [Value], _ read: (Value) -> Element?) throws -> [Element?] {
        try cells.map { cell in
            if case .null = cell { return nil }
            guard let element = read(cell) else { throw UnfitElement() }
            return element
        }
    }

    /// PostgreSQL has no U+0000 in texts. The API accepts it in none of its fields (`TextRule`), but an error's text may
    /// come from another server: there U+FFFD takes its place.
    private func text(_ place: Range<Int>) -> String {
        let text = String(decoding: bytes[place], as: UTF8.self)
        return bytes[place].contains(0) ? text.replacing(scalars: ["\u{0}": "\u{FFFD}"]) : text
    }
}

extension Parameters.Value {
    fileprivate var number: Double? {
        switch self {
        case .double(let double): double
        case .integer(let integer): Double(integer)
        default: nil
        }
    }
}

/// A value that does not have the type of its column in a set of rows: a mistake in a statement.
struct UnfitElement: Error {}
