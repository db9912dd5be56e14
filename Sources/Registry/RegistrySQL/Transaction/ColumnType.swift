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
