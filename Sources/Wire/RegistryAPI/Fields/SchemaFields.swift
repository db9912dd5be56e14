/// Collects the contract's schemas of a request's fields.
struct SchemaFields: FieldCoder {
    private(set) var properties: [String: JSONSchema] = [:]
    private(set) var required: [String] = []
    private let context: FieldContext

    /// Describes a blank value of the type.
    init<Value: WireObject>(of type: Value.Type, _ context: FieldContext) {
        self.context = context
        var blank = Value.blank
        blank.describe(&self)
    }

    var schema: JSONSchema { .object(properties, required: required, unknownFields: context.unknownFields) }

    /// The expectation of an object with these fields in words, as the end of a sentence.
    var expectation: String {
        if context.isPatch { return "an object with the fields to change" }
        if properties.isEmpty { return "an empty object" }
        guard let last = required.last else { return "an object, which may be empty" }
        let others = required.dropLast().joined(separator: ", ")
        return "an object with " + (others.isEmpty ? last : "\(others) and \(last)")
    }

    var now: Timestamp { context.now }

    var isSound: Bool { false }

    mutating func field<Rule: ValueRule>(
        _ name: StaticString, _ value: Rule.Value?, _ rule: Rule, _ presence: FieldPresence
    ) -> Rule.Value? {
        guard presence != .answered else { return value }
        let schema = rule.schema(context)
        properties["\(name)"] = presence == .required ? schema : schema.orNull
        if presence == .required, !context.isPatch { required.append("\(name)") }
        return value
    }

    func refuse(_ name: StaticString, _ detail: StaticString) {}
}
