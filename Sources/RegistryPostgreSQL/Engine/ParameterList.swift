import PostgreSQL
import RegistrySQL
import Syntax

/// Collects the values of a statement's parameters for the connection.
final class ParameterList: ParameterBinder {
    private var values: [PostgreSQL.Parameter] = []

    static func values(_ parameters: Parameters) throws -> [PostgreSQL.Parameter] {
        guard !parameters.values.isEmpty else { return [] }
        let list = ParameterList()
        list.values.reserveCapacity(parameters.values.count)
        let binder: any ParameterBinder = list
        for value in parameters.values {
            if let value { try value.bind(to: binder, at: list.values.count + 1) } else { list.values.append(.null) }
        }
        return list.values
    }

    func bind(_ integer: Int64, at index: Int) { values.append(.integer(integer)) }
    func bind(_ double: Double, at index: Int) { values.append(.double(double)) }

    /// PostgreSQL has no U+0000 in texts. The API accepts it in none of its fields (`TextRule`), but an error's text may
    /// come from another server: there U+FFFD takes its place.
    func bind(_ text: String, at index: Int) {
        let isClean = !text.utf8.contains(0)
        values.append(.text(isClean ? text : text.replacing(scalars: ["\u{0}": "\u{FFFD}"])))
    }

    func bind(blob: UnsafeRawBufferPointer, at index: Int) { values.append(.bytes(Array(blob))) }

    func bind(_ array: ParameterArray, at index: Int) throws {
        let elements = try Self.values(Parameters(array.values))
        switch array.type {
        case .integer: values.append(.integers(try elements.map { try $0.element(\.integer) }))
        case .double: values.append(.doubles(try elements.map { try $0.element(\.number) }))
        case .text: values.append(.texts(try elements.map { try $0.element(\.text) }))
        case .blob: values.append(.blobs(try elements.map { try $0.element(\.bytes) }))
        }
    }
}

extension PostgreSQL.Parameter {
    /// The value of an array's element; nil for NULL.
    ///
    /// - Throws: ``UnfitElement`` if it has another type.
    fileprivate func element<Value>(_ read: (Self) -> Value?) throws -> Value? {
        if case .null = self { return nil }
        guard let value = read(self) else { throw UnfitElement() }
        return value
    }

    fileprivate var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
    fileprivate var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    fileprivate var number: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
}

/// A value that does not have the type of its column in a set of rows: a mistake in a statement.
struct UnfitElement: Error {}
