/// What happens to a field that the contract does not know.
public enum UnknownFields: Sendable {
    /// Owners and operators learn of their typing errors.
    case refused
    /// Older registries and newer stations live side by side.
    case ignored
}

/// Collects the refused fields of one request, in the order in which they are read.
///
/// At most ``limit`` are named, so that the answer stays small however many fields are wrong.
final class FieldErrorCollector {
    /// Errors that one answer names at most.
    static let limit = 20

    let unknownFields: UnknownFields
    /// How many fields were refused.
    private(set) var count = 0
    /// The first of them.
    private var named: [FieldError] = []
    private let limit: Int
    /// Set where rules are not to be applied, but described: takes the schema of each field that is read.
    let record: ((JSONPointer, JSONSchema) -> Void)?

    init(
        unknownFields: UnknownFields, limit: Int = FieldErrorCollector.limit,
        record: ((JSONPointer, JSONSchema) -> Void)? = nil
    ) {
        self.unknownFields = unknownFields
        self.limit = limit
        self.record = record
    }

    func refuse(_ pointer: JSONPointer, _ detail: @autoclosure () -> String) {
        count += 1
        if count <= limit { named.append(FieldError(pointer: pointer.description, detail: detail())) }
    }

    /// The refused fields; where there are more than can be named, the last entry says how many.
    var errors: [FieldError] {
        guard count > named.count else { return named }
        let detail = "\(count - named.count) more fields are wrong; correct these first"
        return named + [FieldError(pointer: "", detail: detail)]
    }
}

/// Reads the fields of one JSON object by rules; what breaks a rule is collected and nil is returned.
struct FieldReader {
    private let members: [String: JSONValue]
    private let pointer: JSONPointer
    private let collector: FieldErrorCollector
    /// The fields that were asked for.
    private(set) var known: Set<String> = []

    init(_ members: [String: JSONValue], at pointer: JSONPointer, collector: FieldErrorCollector) {
        self.members = members
        self.pointer = pointer
        self.collector = collector
    }

    /// A field that must be there.
    mutating func required<Value>(_ name: String, _ rule: FieldRule<Value>) -> Value? {
        known.insert(name)
        guard let value = members[name], value != .null else {
            collector.refuse(pointer.appending(name), "is missing; it must be \(rule.expectation)")
            return nil
        }
        return rule.read(value, pointer.appending(name), collector)
    }

    /// A field that may be absent or null.
    mutating func optional<Value>(_ name: String, _ rule: FieldRule<Value>) -> Value? {
        known.insert(name)
        guard let value = members[name], value != .null else { return nil }
        return rule.read(value, pointer.appending(name), collector)
    }

    /// A field that nothing is refused for: nil where it is absent, null or breaks the rule.
    mutating func tolerated<Value>(_ name: String, _ rule: FieldRule<Value>) -> Value? {
        known.insert(name)
        guard let value = members[name], value != .null else { return nil }
        // What is wrong is forgotten, but the contract is to describe the field.
        let collector = collector.record == nil ? FieldErrorCollector(unknownFields: .ignored) : collector
        return rule.read(value, pointer.appending(name), collector)
    }

    /// A field of a merge patch: absent, null or a value.
    mutating func change<Value>(_ name: String, _ rule: FieldRule<Value>) -> Change<Value> {
        known.insert(name)
        guard let value = members[name] else { return .keep }
        guard value != .null else { return .remove }
        return rule.read(value, pointer.appending(name), collector).map(Change.set) ?? .keep
    }

    /// A field of a merge patch that can be absent, but not null.
    mutating func replacement<Value>(_ name: String, _ rule: FieldRule<Value>) -> Value? {
        known.insert(name)
        guard let value = members[name] else { return nil }
        guard value != .null else {
            collector.refuse(pointer.appending(name), "cannot be removed; leave it out, or send \(rule.expectation)")
            return nil
        }
        return rule.read(value, pointer.appending(name), collector)
    }

    /// Collects an error that needs more than one field to see.
    func refuse(_ name: String, _ detail: String) {
        collector.refuse(pointer.appending(name), detail)
    }

    /// Refuses what was not asked for, where the request's rule is to refuse it.
    func refuseUnknownFields() {
        guard collector.unknownFields == .refused else { return }
        let names = known.sorted().joined(separator: ", ")
        for name in members.keys.sorted() where !known.contains(name) {
            collector.refuse(pointer.appending(name), "is not a known field; leave it out. Known fields: \(names)")
        }
    }
}
