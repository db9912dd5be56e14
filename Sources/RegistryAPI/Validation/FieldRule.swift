/// How one field is read: the value, or an entry in the collector.
public struct FieldRule<Value> {
    /// What the field must be, as the end of a sentence.
    let expectation: String
    private let describe: (UnknownFields) -> JSONSchema
    private let decide: (JSONValue, JSONPointer, FieldErrorCollector) -> Value?

    init(
        _ expectation: String, schema: @escaping (UnknownFields) -> JSONSchema = { _ in JSONSchema() },
        read: @escaping (JSONValue, JSONPointer, FieldErrorCollector) -> Value?
    ) {
        self.expectation = expectation
        describe = schema
        decide = read
    }

    func read(_ value: JSONValue, _ pointer: JSONPointer, _ collector: FieldErrorCollector) -> Value? {
        guard let record = collector.record else { return decide(value, pointer, collector) }
        record(pointer, schema(unknownFields: collector.unknownFields))
        return nil
    }

    /// What the contract says about the field.
    public func schema(unknownFields: UnknownFields) -> JSONSchema { describe(unknownFields) }

    /// A rule that a plain function of the value decides.
    static func value(
        _ expectation: String, _ schema: @autoclosure @escaping () -> JSONSchema = JSONSchema(),
        _ convert: @escaping (JSONValue) -> Value?
    ) -> FieldRule {
        FieldRule(expectation, schema: { _ in schema() }) { value, pointer, collector in
            guard let result = convert(value) else {
                collector.refuse(pointer, "must be \(expectation)")
                return nil
            }
            return result
        }
    }

    /// An object whose fields the closure reads; its result counts only where no field was refused.
    static func object(_ expectation: String, _ build: @escaping (inout FieldReader) -> Value?) -> FieldRule {
        FieldRule(expectation, schema: { Self.schema(ofObject: build, $0) }) { value, pointer, collector in
            guard case .object(let members) = value else {
                collector.refuse(pointer, "must be \(expectation)")
                return nil
            }
            let errorsBefore = collector.count
            var reader = FieldReader(members, at: pointer, collector: collector)
            let result = build(&reader)
            reader.refuseUnknownFields()
            return collector.count == errorsBefore ? result : nil
        }
    }

    /// An array with so many elements; each one that breaks the rule is collected by its index.
    static func array<Element>(
        of rule: FieldRule<Element>, count: ClosedRange<Int>, _ expectation: String
    ) -> FieldRule where Value == [Element] {
        let schema = { JSONSchema.array(of: rule.schema(unknownFields: $0), count) }
        return FieldRule(expectation, schema: schema) { value, pointer, collector in
            guard case .array(let elements) = value, count.contains(elements.count) else {
                collector.refuse(pointer, "must be \(expectation)")
                return nil
            }
            let results = elements.enumerated().map { rule.read($1, pointer.appending($0), collector) }
            let read = results.compactMap { $0 }
            return read.count == results.count ? read : nil
        }
    }
}

extension FieldRule where Value == Void {
    /// An object without fields.
    public static var emptyObject: FieldRule { .object("an empty object") { _ in () } }
}
