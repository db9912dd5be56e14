/// A JSON text as values (RFC 8259). The names of an object are unique: the parser refuses duplicates.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; infinite if it exceeds the range of a double.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

/// The position and the reason of an error in a JSON text.
public struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The column in bytes, counted from 1.
    public let column: Int
    public let reason: String

    public init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONValue {
    /// Parses a JSON text; nil if it is invalid.
    public init?(text: [UInt8]) {
        guard let text = try? JSONText(text) else { return nil }
        self = text.value()
    }
}
