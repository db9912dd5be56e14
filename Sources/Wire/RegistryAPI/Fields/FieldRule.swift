/// The rule of a whole body: how it is read, with all its errors, and its schema.
///
/// It hides the type of the ``ValueRule`` that it is made of, which is ``ObjectRule`` or that of a patch: a caller names
/// only the type of the value.
public struct FieldRule<Value> {
    private let now: Timestamp
    private let describe: (FieldContext) -> JSONSchema
    private let readBody: (inout FieldReader) -> Value?

    init<Rule: ValueRule<Value>>(_ rule: Rule, now: Timestamp) {
        self.now = now
        describe = rule.schema
        readBody = { rule.read(0, &$0) }
    }

    /// The contract's schema of the body.
    public func schema(unknownFields: UnknownFields) -> JSONSchema {
        describe(FieldContext(now: now, unknownFields: unknownFields))
    }

    /// The body's value.
    ///
    /// - Throws: ``RequestRefusal/fields(_:)``.
    func read(_ text: JSONText, unknownFields: UnknownFields) throws(RequestRefusal) -> Value {
        var reader = FieldReader(text, FieldContext(now: now, unknownFields: unknownFields))
        guard let value = readBody(&reader), reader.errors.count == 0 else { throw .fields(reader.errors.all) }
        return value
    }
}

extension WireObject {
    /// The rule of a body. Some bounds depend on the current time.
    public static func rule(now: Timestamp) -> FieldRule<Self> { FieldRule(ObjectRule(), now: now) }
}

/// The empty object, `{}`.
public struct EmptyObject: WireObject, Codable, Sendable {
    public static let blank = EmptyObject()
    public func describe(_ fields: inout some FieldCoder) {}
}
