public import Beacons

/// A type whose JSON form differs from that of its stored properties.
public protocol SchemaDescribed {
    static var schema: JSONSchema { get }
    /// Any value, so that decoding can continue.
    static var specimen: Self { get }
}

extension ResourceID: SchemaDescribed {
    public static var schema: JSONSchema { .uuid }
    public static var specimen: Self { ResourceID(high: 0x019A_A4E1_1C2D_7A3B, low: 0x8C4D_5E6F_7081_9203) }
}

extension Timestamp: SchemaDescribed {
    public static var schema: JSONSchema { .dateTime }
    public static var specimen: Self { Timestamp(milliseconds: 1_795_262_400_000) }
}

extension CalendarDate: SchemaDescribed {
    public static var schema: JSONSchema { .calendarDate }
    public static var specimen: Self { CalendarDate(Timestamp.specimen) }
}

extension TimeOfDay: SchemaDescribed {
    public static var schema: JSONSchema { .timeOfDay }
    public static var specimen: Self { TimeOfDay(minute: 0) }
}

extension ProximityUUID: SchemaDescribed {
    public static var schema: JSONSchema { .proximityUUID }
    public static var specimen: Self { ProximityUUID(high: 0, low: 0) }
}

extension [String: String]: SchemaDescribed {
    public static var schema: JSONSchema {
        .type("object", ["additionalProperties": JSONSchema.type("string").value])
    }
    public static var specimen: Self { [:] }
}

extension JSONSchema {
    /// The schema of the JSON that a type decodes, and therefore encodes. Objects are added to `components` by their
    /// types' names.
    ///
    /// The type is decoded from a recorder: the values that it requests are its fields.
    public init(of type: any Decodable.Type, components: inout [String: JSONSchema]) throws {
        let recorder = SchemaRecorder(components: components)
        self = try recorder.schema(of: type).schema
        components = recorder.components
    }

    /// The schema of a component, by the name of its type.
    public static func reference(to component: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(component)")])
    }
}

/// Records the values that types request while they are decoded.
final class SchemaRecorder {
    private(set) var components: [String: JSONSchema]

    init(components: [String: JSONSchema]) { self.components = components }

    /// The schema of a type and any value of it.
    func schema<Value: Decodable>(of type: Value.Type) throws -> (schema: JSONSchema, value: Value) {
        if let described = type as? any SchemaDescribed.Type, let value = described.specimen as? Value {
            return (described.schema, value)
        }
        if let choice = type as? any CaseIterable.Type,
            let (names, first) = Self.cases(of: choice) as? ([String], Value)
        {
            return (.choice(names), first)
        }
        let decoder = RecordingDecoder(recorder: self)
        let value = try type.init(from: decoder)
        let schema = decoder.schema
        guard decoder.isObject else { return (schema, value) }
        let name = Self.name(of: type)
        components[name] = schema
        return (.reference(to: name), value)
    }

    /// The names of the cases of an enumeration of strings, and its first case; nil for any other type.
    private static func cases<Choice: CaseIterable>(of type: Choice.Type) -> ([String], Choice)? {
        let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard let first = type.allCases.first, !names.isEmpty else { return nil }
        return (names, first)
    }

    /// The name of a type, such as `BikePage` for `Page<Bike>`.
    private static func name(of type: any Decodable.Type) -> String {
        let parts = "\(type)".split { $0 == "<" || $0 == ">" }
        return parts.reversed().joined()
    }
}
