/// A JSON Schema (draft 2020-12), limited to what the contract needs.
public struct JSONSchema: Hashable, Sendable {
    /// The keywords with their values.
    public var keywords: [String: JSONValue]

    /// Without keywords, the schema accepts anything.
    public init(_ keywords: [String: JSONValue] = [:]) { self.keywords = keywords }

    /// The schema as a JSON object.
    public var value: JSONValue { .object(keywords) }

    /// A schema of this JSON type, with further keywords.
    public static func type(_ name: String, _ keywords: [String: JSONValue] = [:]) -> JSONSchema {
        JSONSchema(["type": .string(name)].merging(keywords) { $1 })
    }

    /// A string with a limited number of Unicode scalars.
    static func text(_ length: ClosedRange<Int>, pattern: String) -> JSONSchema {
        .type(
            "string",
            [
                "minLength": .integer(Int64(length.lowerBound)), "maxLength": .integer(Int64(length.upperBound)),
                "pattern": .string(pattern),
            ]
        )
    }

    public static func integer(_ range: ClosedRange<Int64>) -> JSONSchema {
        .type("integer", ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    static func number(_ range: ClosedRange<Int>) -> JSONSchema {
        .type(
            "number",
            ["minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))]
        )
    }

    /// One of these strings.
    public static func choice(_ values: [String]) -> JSONSchema {
        .type("string", ["enum": .array(values.map(JSONValue.string))])
    }

    /// - Parameter count: the permitted numbers of elements; nil for any.
    public static func array(of items: JSONSchema, _ count: ClosedRange<Int>? = nil) -> JSONSchema {
        var schema = JSONSchema.type("array", ["items": items.value])
        if let count {
            schema.keywords["minItems"] = .integer(Int64(count.lowerBound))
            schema.keywords["maxItems"] = .integer(Int64(count.upperBound))
        }
        return schema
    }

    public static func object(
        _ properties: [String: JSONSchema], required: [String], unknownFields: UnknownFields = .ignored
    ) -> JSONSchema {
        var schema = JSONSchema.type("object", ["properties": .object(properties.mapValues(\.value))])
        if !required.isEmpty { schema.keywords["required"] = .array(required.map(JSONValue.string)) }
        if unknownFields == .refused { schema.keywords["additionalProperties"] = .bool(false) }
        return schema
    }

    public static func anyOf(_ schemas: [JSONSchema]) -> JSONSchema {
        JSONSchema(["anyOf": .array(schemas.map(\.value))])
    }

    var withUniqueItems: JSONSchema { JSONSchema(keywords.merging(["uniqueItems": .bool(true)]) { $1 }) }

    /// The same schema, or null.
    var orNull: JSONSchema { .anyOf([self, .type("null")]) }

    /// Binary data.
    public static let binary = JSONSchema.type("string", ["contentMediaType": "application/octet-stream"])

    /// The schema of a UUID as text.
    public static let uuid = JSONSchema.type(
        "string", ["format": "uuid", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"]
    )
    /// A time (RFC 3339).
    public static let dateTime = JSONSchema.type("string", ["format": "date-time"])
    /// A date from the year 1000.
    public static let calendarDate = JSONSchema.type(
        "string", ["format": "date", "pattern": "^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$"]
    )
    /// A time of day in hours and minutes.
    public static let timeOfDay = JSONSchema.type("string", ["pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"])
    /// 32 hexadecimal digits, plain or grouped.
    public static let proximityUUID = JSONSchema.type(
        "string",
        ["pattern": "^([0-9A-Fa-f]{32}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$"]
    )
}

extension JSONValue: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
