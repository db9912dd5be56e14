import GRDB

/// One row of a result, by the names of its columns.
///
/// GRDB's own row looks a name up without regard to case and converts each value by way of several generic layers; at
/// eight rows for each visit that is most of a visit's time. This one has the same form.
struct Row {
    let names: [String]
    let values: [DatabaseValue]

    /// The value of a column, an optional one where it can be NULL.
    ///
    /// - Throws: ``CorruptRow`` where it has another type. The tables are strict, so that only a file that other hands
    ///   have changed can hold such a value; it must not end the process.
    subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value {
        get throws {
            guard let value = Value.fromDatabaseValue(stored(column)) else { throw CorruptRow(column: column) }
            return value
        }
    }

    func hasNonNull(_ column: String) -> Bool { !stored(column).isNull }

    private func stored(_ column: String) -> DatabaseValue { names.firstIndex(of: column).map { values[$0] } ?? .null }
}

/// The values of a statement's parameters, in their order.
struct StatementArguments: ExpressibleByArrayLiteral {
    private(set) var values: [(any Bindable)?]

    init(_ values: [(any Bindable)?]) { self.values = values }

    init(arrayLiteral elements: (any Bindable)?...) { values = elements }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.values += right.values
        return sum
    }
}
