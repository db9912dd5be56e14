/// The type of a column.
package enum ColumnType: Sendable {
    case integer
    case double
    case text
    case blob

    /// The name of the type in PostgreSQL.
    package var name: String {
        switch self {
        case .integer: "bigint"
        case .double: "double precision"
        case .text: "text"
        case .blob: "bytea"
        }
    }
}

/// The values of a column of many rows, as one parameter. SQLite has no such parameters.
package struct ParameterArray: Bindable {
    package let type: ColumnType
    /// Values that bind themselves as this type, or nil for NULL.
    package let values: [(any Bindable)?]

    package init(_ type: ColumnType, _ values: [(any Bindable)?]) {
        self.type = type
        self.values = values
    }

    package func bind(to statement: any ParameterBinder, at index: Int) throws {
        try statement.bind(self, at: index)
    }
}
