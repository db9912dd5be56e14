/// A resource, or a part of one, whose single description of its fields serves to read it with all errors, to write it,
/// and to generate the contract.
public protocol WireObject {
    /// The value before reading. Fields that may be absent have their defaults.
    static var blank: Self { get }

    /// Describes the fields in the order in which errors name them.
    mutating func describe(_ fields: inout some FieldCoder)
}

/// A visitor of the fields of a resource: the reader, the writer, or the generator of the contract.
public protocol FieldCoder {
    /// The current time: bounds can depend on it, such as next year.
    var now: Timestamp { get }
    /// Whether the object is being read and has no errors so far, so that rules about several fields can be checked.
    var isSound: Bool { get }

    /// Visits a field and returns its value from now on.
    ///
    /// - Parameter value: the value until now, which a writer writes.
    mutating func field<Rule: ValueRule>(
        _ name: StaticString, _ value: Rule.Value?, _ rule: Rule, _ presence: FieldPresence
    ) -> Rule.Value?

    /// Refuses a field because of a rule about several fields.
    ///
    /// - Parameter detail: what is wrong, as the end of a sentence about the field.
    mutating func refuse(_ name: StaticString, _ detail: StaticString)
}

/// The presence of a field.
public enum FieldPresence {
    case required
    /// The field may be absent or null.
    case optional
    /// The field is never refused: if it is absent, null or invalid, the value does not change.
    case tolerated
    /// Only the registry sets the field: it is written, never read.
    case answered
}

extension FieldCoder {
    /// A field that must be there.
    mutating func required<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .required) { value = new }
    }

    /// A field that may be absent or null, and then has no value.
    mutating func optional<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value?, _ rule: Rule) {
        value = field(name, value, rule, .optional)
    }

    /// A field that may be absent or null, and then does not change.
    mutating func defaulted<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .optional) { value = new }
    }

    /// A field that is never refused: if it is absent, null or invalid, the value does not change.
    mutating func tolerated<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .tolerated) { value = new }
    }

    mutating func tolerated<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value?, _ rule: Rule) {
        value = field(name, value, rule, .tolerated)
    }

    /// A field that is only written.
    mutating func answered<Rule: ValueRule>(_ name: StaticString, _ value: Rule.Value?, _ rule: Rule) {
        _ = field(name, value, rule, .answered)
    }
}

/// The rules for reading the fields of a request.
public struct FieldContext {
    var now: Timestamp
    var unknownFields: UnknownFields
    /// Whether the object is a merge patch (RFC 7396), in which absent fields stay unchanged.
    var isPatch = false

    /// The context within a field that a patch replaces as a whole.
    var whole: FieldContext {
        var context = self
        context.isPatch = false
        return context
    }
}

/// The treatment of fields that are not in the contract.
public enum UnknownFields: Sendable {
    /// Refused, so that owners and operators notice typing errors.
    case refused
    /// Ignored, because older registries and newer stations work together.
    case ignored
}

/// The rule for reading, writing and describing one value.
public protocol ValueRule<Value> {
    associatedtype Value

    /// The requirement for the value, as the end of a sentence.
    var expectation: String { get }

    /// The contract's schema of the value.
    func schema(_ context: FieldContext) -> JSONSchema

    /// The value of a token (``FieldReader``); nil if at least one error was added.
    func read(_ token: Int, _ reader: inout FieldReader) -> Value?

    func write(_ value: Value, to json: inout JSONWriter)

    /// The value of a token, onto a previous one; a patch may change only a part of the previous value.
    func read(_ token: Int, onto value: Value?, _ reader: inout FieldReader) -> Value?
}

extension ValueRule {
    public func read(_ token: Int, onto value: Value?, _ reader: inout FieldReader) -> Value? { read(token, &reader) }
}
