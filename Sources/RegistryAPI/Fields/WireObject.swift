/// A resource, or a part of one, that describes its fields once: to be read with every error, to be written, and for the
/// contract.
public protocol WireObject {
    /// What reading begins with: fields that may be absent have the value that this means.
    static var blank: Self { get }

    /// Goes through the fields in the order in which errors name them.
    mutating func describe(_ fields: inout some FieldCoder)
}

/// What goes through the fields of a resource: the reader, the writer, or the one who writes the contract.
public protocol FieldCoder {
    /// Bounds can move with the time, such as next year.
    var now: Timestamp { get }
    /// Whether the object is being read and nothing of it was refused so far: then rules about several fields apply.
    var isSound: Bool { get }

    /// Takes a field; what it returns is the field's value from now on.
    mutating func field<Rule: ValueRule>(
        _ name: StaticString, _ value: Rule.Value?, _ rule: Rule, _ presence: FieldPresence
    ) -> Rule.Value?

    /// Refuses what needs more than one field to see.
    mutating func refuse(_ name: StaticString, _ detail: StaticString)
}

/// Whether a field must be there.
public enum FieldPresence {
    case required
    /// It may be absent or null.
    case optional
    /// Nothing is refused for it: what is absent, null or breaks the rule leaves the value as it is.
    case tolerated
    /// The registry alone says it: written, never read.
    case answered
}

extension FieldCoder {
    mutating func required<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .required) { value = new }
    }

    mutating func optional<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value?, _ rule: Rule) {
        value = field(name, value, rule, .optional)
    }

    /// A field that may be absent or null: then the value stays.
    mutating func defaulted<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .optional) { value = new }
    }

    mutating func tolerated<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value, _ rule: Rule) {
        if let new = field(name, value, rule, .tolerated) { value = new }
    }

    mutating func tolerated<Rule: ValueRule>(_ name: StaticString, _ value: inout Rule.Value?, _ rule: Rule) {
        value = field(name, value, rule, .tolerated)
    }

    mutating func answered<Rule: ValueRule>(_ name: StaticString, _ value: Rule.Value?, _ rule: Rule) {
        _ = field(name, value, rule, .answered)
    }
}

/// What is to be done with the fields of a request.
public struct FieldContext {
    var now: Timestamp
    var unknownFields: UnknownFields
    /// Whether the object is a merge patch (RFC 7396): what is absent stays as it is.
    var isPatch = false

    /// The same within a field that a patch replaces as a whole.
    var whole: FieldContext {
        var context = self
        context.isPatch = false
        return context
    }
}

/// What happens to a field that the contract does not know.
public enum UnknownFields: Sendable {
    /// Owners and operators learn of their typing errors.
    case refused
    /// Older registries and newer stations live side by side.
    case ignored
}

/// How one value is read, written and described.
public protocol ValueRule<Value> {
    associatedtype Value

    /// What the value must be, as the end of a sentence.
    var expectation: String { get }

    func schema(_ context: FieldContext) -> JSONSchema

    /// The value of a token, or nil and at least one entry among the errors.
    func read(_ token: Int, _ reader: inout FieldReader) -> Value?

    func write(_ value: Value, to json: inout JSONWriter)

    /// The value of a token, of which a patch may change a part alone.
    func read(_ token: Int, onto value: Value?, _ reader: inout FieldReader) -> Value?
}

extension ValueRule {
    public func read(_ token: Int, onto value: Value?, _ reader: inout FieldReader) -> Value? { read(token, &reader) }
}
