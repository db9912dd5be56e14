import RegistrySQL

/// The rows of all tables that a registry's SQLite database has, in a form in which both databases can be compared.
struct StoredRows {
    /// The names of the tables' columns.
    let columns: [String: [String]]

    /// The tables of an SQLite database.
    init(ofTablesIn sqlite: any Transaction) throws {
        let names = try sqlite.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'",
            [])
        columns = try names.reduce(into: [:]) { columns, row in
            let name: String = try row["name"]
            columns[name] = try sqlite.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [name])
                .map { try $0["name"] }
        }
    }

    /// The rows of each table as texts, in a fixed order.
    func all(in database: any Transaction) throws -> [String: [String]] {
        try columns.reduce(into: [:]) { all, table in
            let list = table.value.map { "\"\($0)\"" }.joined(separator: ", ")
            var rows: [String] = []
            try database.eachRow("SELECT \(list) FROM \"\(table.key)\"", []) { row in
                rows.append(row.values.map(Self.text).joined(separator: "|"))
            }
            all[table.key] = rows.sorted()
        }
    }

    private static func text(_ value: StoredValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double) \(double.bitPattern)"
        case .text(let text): "'\(text)'"
        case .blob(let data): data.map { String($0, radix: 16) }.joined(separator: " ")
        }
    }
}
