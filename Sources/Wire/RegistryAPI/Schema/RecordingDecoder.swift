/// A decoder that gives every type the values that it requests, and records the requests.
final class RecordingDecoder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    fileprivate let recorder: SchemaRecorder
    fileprivate var properties: [String: JSONSchema] = [:]
    fileprivate var required: [String] = []
    /// The names of values that were asked whether they are null.
    fileprivate var optional: Set<String> = []
    /// The schema of a value that is not an object.
    fileprivate var single = JSONSchema()
    /// Whether the type has requested named values.
    private(set) var isObject = false

    init(recorder: SchemaRecorder) { self.recorder = recorder }

    /// The schema of what the type has requested.
    var schema: JSONSchema {
        isObject ? .object(properties, required: required.filter { !optional.contains($0) }) : single
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        isObject = true
        return KeyedDecodingContainer(RecordingObject(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { RecordingArray(decoder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { RecordingValue(decoder: self) }

    /// The error for a type whose form cannot be recorded.
    fileprivate func unsupported() -> DecodingError {
        .dataCorrupted(
            .init(codingPath: codingPath, debugDescription: "the form has no schema; make the type SchemaDescribed")
        )
    }
}

private struct RecordingObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    /// Called only for values that may be absent.
    func decodeNil(forKey key: Key) -> Bool {
        decoder.optional.insert(key.stringValue)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        decoder.required.append(key.stringValue)
        return try record(type, key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try record(type, key)
    }

    private func record<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        let (schema, value) = try decoder.recorder.schema(of: type)
        decoder.properties[key.stringValue] = schema
        return value
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw decoder.unsupported() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.unsupported() }
    func superDecoder() throws -> any Decoder { throw decoder.unsupported() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unsupported() }
}

/// One element represents all elements.
private struct RecordingArray: UnkeyedDecodingContainer {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(decoder: RecordingDecoder) {
        self.decoder = decoder
        decoder.single = .type("array")
    }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        let (schema, value) = try decoder.recorder.schema(of: type)
        decoder.single = .array(of: schema)
        return value
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw decoder.unsupported()
    }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw decoder.unsupported() }
    func superDecoder() throws -> any Decoder { throw decoder.unsupported() }
}

private struct RecordingValue: SingleValueDecodingContainer {
    let decoder: RecordingDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) -> String { record(.type("string"), "") }
    func decode(_ type: Bool.Type) -> Bool { record(.type("boolean"), false) }
    func decode(_ type: Double.Type) -> Double { record(.type("number"), 0) }
    func decode(_ type: Float.Type) -> Float { record(.type("number"), 0) }
    func decode(_ type: Int.Type) -> Int { record(.type("integer"), 0) }
    func decode(_ type: Int8.Type) -> Int8 { record(.integer(-128...127), 0) }
    func decode(_ type: Int16.Type) -> Int16 { record(.integer(-32_768...32_767), 0) }
    func decode(_ type: Int32.Type) -> Int32 { record(.type("integer"), 0) }
    func decode(_ type: Int64.Type) -> Int64 { record(.type("integer"), 0) }
    func decode(_ type: UInt.Type) -> UInt { record(.type("integer", ["minimum": .integer(0)]), 0) }
    func decode(_ type: UInt8.Type) -> UInt8 { record(.integer(0...255), 0) }
    func decode(_ type: UInt16.Type) -> UInt16 { record(.integer(0...65_535), 0) }
    func decode(_ type: UInt32.Type) -> UInt32 { record(.type("integer", ["minimum": .integer(0)]), 0) }
    func decode(_ type: UInt64.Type) -> UInt64 { record(.type("integer", ["minimum": .integer(0)]), 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (schema, value) = try decoder.recorder.schema(of: type)
        decoder.single = schema
        return value
    }

    private func record<Value>(_ schema: JSONSchema, _ value: Value) -> Value {
        decoder.single = schema
        return value
    }
}
