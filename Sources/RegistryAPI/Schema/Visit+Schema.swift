extension Visit {
    public static var schema: JSONSchema { rule.schema(unknownFields: .ignored) }
}

extension VisitBatch {
    /// A visit that breaks its rule does not make the batch invalid: each is judged, and answered, alone.
    public static var schema: JSONSchema {
        .object(
            ["visits": .array(of: .anyOf([.reference(to: "Visit"), JSONSchema()]), 0...maximumCount)],
            required: ["visits"]
        )
    }
}

extension JSONValue {
    /// The value of a JSON text; nil where it is none.
    public init?(text: [UInt8]) {
        guard let value = try? JSONParser.parse(text) else { return nil }
        self = value
    }
}
