import Beacons

/// A value with its own text format, such as a time.
struct FormRule<Value: CustomStringConvertible>: ValueRule {
    /// The format in words, as the end of a sentence.
    let form: StaticString
    /// The schema of the format.
    let contract: () -> JSONSchema
    /// Parses the bytes of a string; nil if they have another format.
    let parse: (ArraySlice<UInt8>) -> Value?

    var expectation: String { "\(form)" }

    func schema(_ context: FieldContext) -> JSONSchema { contract() }

    func read(_ token: Int, _ reader: inout FieldReader) -> Value? {
        guard reader.text.isString(token), let value = parse(reader.text.characters(token)) else {
            return reader.refuse(token, self)
        }
        return value
    }

    func write(_ value: Value, to json: inout JSONWriter) { json.string(value.description) }
}

extension ValueRule where Self == FormRule<Timestamp> {
    static var timestamp: Self {
        FormRule(form: "a time as in 2026-11-21T06:13:05Z (RFC 3339)", contract: { .dateTime }) { Timestamp(ascii: $0) }
    }
}

extension ValueRule where Self == FormRule<CalendarDate> {
    static var calendarDate: Self {
        FormRule(form: "a date as in 2027-03-31", contract: { .calendarDate }) {
            // The contract has no years before 1000.
            $0.first == UInt8(ascii: "0") ? nil : CalendarDate(String(decoding: $0, as: UTF8.self))
        }
    }
}

extension ValueRule where Self == FormRule<TimeOfDay> {
    static var timeOfDay: Self {
        FormRule(form: "a time of day as in 22:30", contract: { .timeOfDay }) {
            TimeOfDay(String(decoding: $0, as: UTF8.self))
        }
    }
}

extension ValueRule where Self == FormRule<ProximityUUID> {
    static var proximityUUID: Self {
        FormRule(
            form: "a UUID of 32 hexadecimal digits, plain or grouped 8-4-4-4-12", contract: { .proximityUUID }
        ) { ProximityUUID(ascii: $0) }
    }
}

/// An identifier created by the registry or a station.
struct IDRule<Resource>: ValueRule {
    var expectation: String { "an identifier as in 019aa4e1-1c2d-7a3b-8c4d-5e6f70819203 (UUID)" }

    func schema(_ context: FieldContext) -> JSONSchema { .uuid }

    func read(_ token: Int, _ reader: inout FieldReader) -> ResourceID<Resource>? {
        guard reader.text.isString(token), let id = ResourceID<Resource>(ascii: reader.text.characters(token)) else {
            return reader.refuse(token, self)
        }
        return id
    }

    func write(_ value: ResourceID<Resource>, to json: inout JSONWriter) { json.id(value) }
}

/// One of a closed list of values, which the error names.
struct ChoiceRule<Value: RawRepresentable<String> & CaseIterable & Equatable>: ValueRule {
    /// The value that only the registry can set; nil if there is none.
    var exception: Value?

    /// Longer than every value, in bytes.
    private var longestName: Int { 64 }

    private var names: [String] { Value.allCases.filter { $0 != exception }.map(\.rawValue) }

    var expectation: String { "one of \(names.joined(separator: ", "))" }

    func schema(_ context: FieldContext) -> JSONSchema { .choice(names) }

    func read(_ token: Int, _ reader: inout FieldReader) -> Value? {
        guard reader.text.isString(token) else { return reader.refuse(token, self) }
        let name = reader.text.characters(token)
        // Swift compares strings in normalised form. A long string would take seconds, and different bytes could be
        // equal.
        guard name.count <= longestName, let value = Value(rawValue: String(decoding: name, as: UTF8.self)),
            value.rawValue.utf8.elementsEqual(name), value != exception
        else { return reader.refuse(token, self) }
        return value
    }

    func write(_ value: Value, to json: inout JSONWriter) { json.string(value.rawValue) }
}

extension ValueRule {
    static func id<Resource>() -> IDRule<Resource> where Self == IDRule<Resource> { IDRule() }

    static func choice<Choice>(except exception: Choice? = nil) -> ChoiceRule<Choice>
    where Self == ChoiceRule<Choice> { ChoiceRule(exception: exception) }
}
