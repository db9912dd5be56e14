import CPostgreSQL

/// A row of a result, read in place. Columns are numbered from 0.
///
/// libpq checks the indices of rows and columns: one that does not exist is NULL.
package struct Row {
    /// The kind of value that a column can be read as.
    package enum Kind: Sendable, Hashable {
        case null, integer, double, text, blob
        /// A type that is not supported here, such as `numeric` or an array: cast it in the statement.
        case other
    }

    private let results: Results
    private let index: CInt

    init(_ results: Results, _ index: CInt) {
        self.results = results
        self.index = index
    }

    package var columnCount: Int { Int(PQnfields(results.pointer)) }

    package func name(of column: Int) -> String {
        PQfname(results.pointer, CInt(clamping: column)).map { String(cString: $0) } ?? ""
    }

    package func isNull(_ column: Int) -> Bool {
        PQgetisnull(results.pointer, index, CInt(clamping: column)) != 0
    }

    package func kind(_ column: Int) -> Kind {
        guard !isNull(column) else { return .null }
        return switch PQftype(results.pointer, CInt(clamping: column)) {
        case ServerType.integer8, ServerType.integer4, ServerType.integer2, ServerType.boolean, ServerType.object,
            ServerType.transaction, ServerType.transaction8:
            .integer
        case ServerType.double8, ServerType.double4: .double
        case ServerType.bytes: .blob
        case ServerType.text, ServerType.varyingCharacters, ServerType.characters, ServerType.name, ServerType.json,
            ServerType.unknown:
            .text
        default: .other
        }
    }

    /// The integer; nil if the column is NULL, has no integer type, or a value beyond 63 bits.
    package func integer(_ column: Int) -> Int64? {
        let value = blob(column)
        switch PQftype(results.pointer, CInt(clamping: column)) {
        case ServerType.integer8: return Self.read(value, Int64.self)
        case ServerType.integer4: return Self.read(value, Int32.self).map(Int64.init)
        case ServerType.integer2: return Self.read(value, Int16.self).map(Int64.init)
        case ServerType.boolean: return Self.read(value, UInt8.self).map(Int64.init)
        case ServerType.object, ServerType.transaction: return Self.read(value, UInt32.self).map(Int64.init)
        case ServerType.transaction8: return Self.read(value, UInt64.self).flatMap(Int64.init(exactly:))
        default: return nil
        }
    }

    /// The number; nil if the column is NULL or no number.
    package func double(_ column: Int) -> Double? {
        let value = blob(column)
        switch PQftype(results.pointer, CInt(clamping: column)) {
        case ServerType.double8: return Self.read(value, UInt64.self).map(Double.init(bitPattern:))
        case ServerType.double4: return Self.read(value, UInt32.self).map { Double(Float(bitPattern: $0)) }
        default: return integer(column).map(Double.init)
        }
    }

    /// The text; nil if the column is NULL or no text.
    package func text(_ column: Int) -> String? {
        kind(column) == .text ? String(decoding: blob(column), as: UTF8.self) : nil
    }

    /// The bytes as the server sent them, valid while the results live; empty for NULL.
    package func blob(_ column: Int) -> UnsafeRawBufferPointer {
        let column = CInt(clamping: column)
        return UnsafeRawBufferPointer(
            start: PQgetvalue(results.pointer, index, column),
            count: Int(max(0, PQgetlength(results.pointer, index, column))))
    }

    private static func read<Value: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _: Value.Type) -> Value? {
        guard bytes.count == MemoryLayout<Value>.size else { return nil }
        return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
}
