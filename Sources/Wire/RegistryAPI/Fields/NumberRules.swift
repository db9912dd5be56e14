/// An integer within a range; `5.0` is accepted as an integer.
struct IntegerRule<Value: FixedWidthInteger>: ValueRule {
    let range: ClosedRange<Int>
    /// Whether any number is accepted, as the nearest integer of the range.
    var isClamped = false

    private var bounds: ClosedRange<Int64> { Int64(range.lowerBound)...Int64(range.upperBound) }

    var expectation: String { "a whole number from \(range.lowerBound) to \(range.upperBound)" }

    func schema(_ context: FieldContext) -> JSONSchema { .integer(bounds) }

    func read(_ token: Int, _ reader: inout FieldReader) -> Value? {
        let number = isClamped ? clamped(token, reader.text) : reader.text.integer(token)
        guard let number, bounds.contains(number) else { return reader.refuse(token, self) }
        return Value(clamping: number)
    }

    /// The nearest integer of the range; nil if the token is not a number.
    private func clamped(_ token: Int, _ text: JSONText) -> Int64? {
        if let integer = text.integer(token) { return min(max(integer, bounds.lowerBound), bounds.upperBound) }
        guard let number = text.number(token) else { return nil }
        if number >= Double(bounds.upperBound) { return bounds.upperBound }
        return number > Double(bounds.lowerBound) ? Int64(exactly: number.rounded()) : bounds.lowerBound
    }

    func write(_ value: Value, to json: inout JSONWriter) { json.integer(value) }
}

/// A number within a range, with or without a fraction.
struct NumberRule: ValueRule {
    let range: ClosedRange<Int>
    /// The unit in words.
    let unit: StaticString

    var expectation: String { "a number from \(range.lowerBound) to \(range.upperBound) (\(unit))" }

    func schema(_ context: FieldContext) -> JSONSchema { .number(range) }

    func read(_ token: Int, _ reader: inout FieldReader) -> Double? {
        guard let number = reader.text.number(token), number >= Double(range.lowerBound),
            number <= Double(range.upperBound)
        else { return reader.refuse(token, self) }
        // A database does not store the sign of zero, and the audit's record must match the value, so zero is never
        // negative.
        return number + 0
    }

    func write(_ value: Double, to json: inout JSONWriter) { json.number(value) }
}

/// `true` or `false`.
struct BooleanRule: ValueRule {
    var expectation: String { "true or false" }

    func schema(_ context: FieldContext) -> JSONSchema { .type("boolean") }

    func read(_ token: Int, _ reader: inout FieldReader) -> Bool? {
        switch reader.text.kind(token) {
        case .yes: true
        case .no: false
        default: reader.refuse(token, self)
        }
    }

    func write(_ value: Bool, to json: inout JSONWriter) { json.boolean(value) }
}

extension ValueRule {
    /// An integer within a range; any other value is refused.
    static func integer<Integer>(_ range: ClosedRange<Int>) -> IntegerRule<Integer>
    where Self == IntegerRule<Integer> { IntegerRule(range: range) }

    /// Any number, read as the nearest integer of a range.
    static func clamped<Integer>(to range: ClosedRange<Int>) -> IntegerRule<Integer>
    where Self == IntegerRule<Integer> { IntegerRule(range: range, isClamped: true) }
}

extension ValueRule where Self == NumberRule {
    /// A number within a range, with the unit in words.
    static func number(_ range: ClosedRange<Int>, _ unit: StaticString) -> NumberRule {
        NumberRule(range: range, unit: unit)
    }
}

extension ValueRule where Self == BooleanRule {
    static var boolean: BooleanRule { BooleanRule() }
}
