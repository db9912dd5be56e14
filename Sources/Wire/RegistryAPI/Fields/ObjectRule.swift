/// An object that describes its fields; its value is used only if no field was refused.
public struct ObjectRule<Value: WireObject>: ValueRule {
    /// Whether a patch changes parts of the object instead of replacing it.
    var isMerged = false

    public var expectation: String {
        // The names do not depend on the time.
        SchemaFields(of: Value.self, FieldContext(now: .specimen, unknownFields: .ignored)).expectation
    }

    public func schema(_ context: FieldContext) -> JSONSchema {
        SchemaFields(of: Value.self, isMerged ? context : context.whole).schema
    }

    public func read(_ token: Int, _ reader: inout FieldReader) -> Value? { read(token, onto: nil, &reader) }

    public func read(_ token: Int, onto value: Value?, _ reader: inout FieldReader) -> Value? {
        guard reader.text.kind(token) == .object else { return reader.refuse(token, self) }
        let isPatched = isMerged && reader.context.isPatch
        var value = isPatched ? value ?? .blank : .blank
        let context = isPatched ? reader.context : reader.context.whole
        return reader.read(token, into: &value, context) ? value : nil
    }

    public func write(_ value: Value, to json: inout JSONWriter) { json.object(value) }
}

/// A list with a limited number of elements. Each element that breaks its rule is refused by its index.
struct ArrayRule<Element: ValueRule>: ValueRule {
    let element: Element
    /// The permitted numbers of elements.
    let count: ClosedRange<Int>
    let expectation: String
    /// Whether no element may occur twice, which the resource's description checks.
    var isSet = false

    func schema(_ context: FieldContext) -> JSONSchema {
        let schema = JSONSchema.array(of: element.schema(context), count)
        return isSet ? schema.withUniqueItems : schema
    }

    func read(_ token: Int, _ reader: inout FieldReader) -> [Element.Value]? {
        guard reader.text.kind(token) == .array else { return reader.refuse(token, self) }
        let tokens = reader.text.elements(of: token)
        guard count.contains(tokens.count) else { return reader.refuse(token, self) }
        var elements: [Element.Value] = []
        for token in tokens {
            if let value = element.read(token, &reader) { elements.append(value) }
        }
        return elements.count == tokens.count ? elements : nil
    }

    func write(_ elements: [Element.Value], to json: inout JSONWriter) {
        json.array(elements) { element.write($1, to: &$0) }
    }
}

extension ValueRule {
    static func object<Object>() -> ObjectRule<Object> where Self == ObjectRule<Object> { ObjectRule() }

    /// The rule of an object of which a patch can change a part.
    static func merged<Object>() -> ObjectRule<Object> where Self == ObjectRule<Object> { ObjectRule(isMerged: true) }

    static func array<Element: ValueRule>(
        of element: Element, _ count: ClosedRange<Int> = 0...Int.max, _ expectation: String = "a list"
    ) -> ArrayRule<Element> where Self == ArrayRule<Element> {
        ArrayRule(element: element, count: count, expectation: expectation)
    }

    static func set<Element: ValueRule>(
        of element: Element, _ count: ClosedRange<Int>, _ expectation: String
    ) -> ArrayRule<Element> where Self == ArrayRule<Element> {
        ArrayRule(element: element, count: count, expectation: expectation, isSet: true)
    }
}
