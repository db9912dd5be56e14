extension FieldRule {
    /// The schema of an object, found out by asking: which fields it reads, which of them it misses where they are not
    /// there, and which it refuses where they are null. So the contract says what the rule does.
    static func schema(ofObject build: (inout FieldReader) -> Value?, _ unknownFields: UnknownFields) -> JSONSchema {
        let (names, required) = answers(of: build, to: [:])
        let nulls = Dictionary(uniqueKeysWithValues: names.map { ($0, JSONValue.null) })
        let notNull = Set(answers(of: build, to: nulls).refused)
        var properties: [String: JSONSchema] = [:]
        let collector = FieldErrorCollector(unknownFields: unknownFields) { pointer, schema in
            let name = String(pointer.description.dropFirst())
            properties[name] = notNull.contains(name) ? schema : schema.orNull
        }
        var reader = FieldReader(nulls.mapValues { _ in .bool(true) }, at: JSONPointer(), collector: collector)
        _ = build(&reader)
        return .object(properties, required: required, unknownFields: unknownFields)
    }

    /// Which fields a rule asks for, and which of them it refuses in an object.
    private static func answers(
        of build: (inout FieldReader) -> Value?, to members: [String: JSONValue]
    ) -> (known: [String], refused: [String]) {
        let collector = FieldErrorCollector(unknownFields: .ignored, limit: .max)
        var reader = FieldReader(members, at: JSONPointer(), collector: collector)
        _ = build(&reader)
        return (reader.known.sorted(), collector.errors.map { String($0.pointer.dropFirst()) })
    }
}

extension JSONSchema {
    var withUniqueItems: JSONSchema { JSONSchema(keywords.merging(["uniqueItems": .bool(true)]) { $1 }) }
}
