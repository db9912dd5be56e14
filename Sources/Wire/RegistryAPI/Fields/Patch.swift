import FoundationEssentials

public typealias BikePatch = Patch<Bike>
public typealias OwnerPatch = Patch<Owner>
public typealias MissingReportPatch = Patch<MissingReport>

/// A merge patch (RFC 7396): absent fields stay, null removes a field, and an object is merged recursively if the
/// description of its resource allows it.
public struct Patch<Resource: WireObject>: Hashable, Sendable {
    /// The fields that the patch names.
    public private(set) var fields: [String: JSONValue]

    public init(_ fields: [String: JSONValue] = [:]) { self.fields = fields }

    public var isEmpty: Bool { fields.isEmpty }

    /// Returns the resource with these changes; a field that breaks its rule does not change.
    public func applied(to resource: Resource, at now: Timestamp) -> Resource {
        guard let text = try? JSONText(Array(JSONValue.object(fields).text.utf8)) else { return resource }
        var resource = resource
        let context = FieldContext(now: now, unknownFields: .ignored, isPatch: true)
        var reader = FieldReader(text, context)
        _ = reader.read(0, into: &resource, context)
        return resource
    }

    /// The rule of a patch. Some bounds depend on the current time.
    public static func rule(now: Timestamp) -> FieldRule<Patch> { FieldRule(PatchRule(), now: now) }
}

extension Patch: Encodable {
    public func encode(to encoder: any Encoder) throws { try JSONValue.object(fields).encode(to: encoder) }
}

/// Checks a patch without the resource that it changes.
private struct PatchRule<Resource: WireObject>: ValueRule {
    /// The same context, but for a patch.
    private func patching(_ context: FieldContext) -> FieldContext {
        FieldContext(now: context.now, unknownFields: context.unknownFields, isPatch: true)
    }

    var expectation: String { "an object with the fields to change" }

    func schema(_ context: FieldContext) -> JSONSchema {
        SchemaFields(of: Resource.self, patching(context)).schema
    }

    func read(_ token: Int, _ reader: inout FieldReader) -> Patch<Resource>? {
        guard reader.text.kind(token) == .object else { return reader.refuse(token, self) }
        var resource = Resource.blank
        guard reader.read(token, into: &resource, patching(reader.context)),
            case .object(let fields) = reader.text.value(token)
        else { return nil }
        return Patch(fields)
    }

    func write(_ patch: Patch<Resource>, to json: inout JSONWriter) { JSONValue.object(patch.fields).write(to: &json) }
}

extension Patch {
    /// Sets a field as a client does: to its new value or, if there is none, to be removed or left out.
    ///
    /// - Parameter isRemoved: whether the field is removed if the value is nil; otherwise it stays as it is.
    /// - Throws: `EncodingError` if the value cannot be JSON.
    public mutating func set(_ field: String, _ value: (some Encodable)?, isRemoved: Bool = false) throws {
        if let value {
            fields[field] = JSONValue(text: [UInt8](try JSONEncoder().encode(value)))
        } else if isRemoved {
            fields[field] = .null
        }
    }
}
