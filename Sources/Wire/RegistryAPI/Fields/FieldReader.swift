/// Reads the fields of a JSON text by their rules and collects the errors, in the order of reading.
///
/// A token is an index into ``JSONText/tokens``; the token 0 is the whole text.
public struct FieldReader {
    let text: JSONText
    private(set) var context: FieldContext
    private(set) var errors: FieldErrors
    /// The object whose fields are being read.
    private var object = Object(token: 0, cursor: 1, found: 0, errorsBefore: 0)
    /// Whether errors are only counted, because they will be discarded.
    private var isTolerant = false

    /// An object that is being read.
    private struct Object {
        let token: Int
        /// The token of the name after the last one found: most bodies have the fields in the same order.
        var cursor: Int
        /// The number of members that are known fields.
        var found: Int
        /// The number of errors before the object.
        let errorsBefore: Int
    }

    init(_ text: JSONText, _ context: FieldContext, errors: FieldErrors = FieldErrors()) {
        self.text = text
        self.context = context
        self.errors = errors
    }

    /// Refuses a value that breaks its rule; returns nil.
    mutating func refuse<Rule: ValueRule>(_ token: Int, _ rule: Rule) -> Rule.Value? {
        refuse(token, "must be \(rule.expectation)")
        return nil
    }

    /// Refuses a value.
    ///
    /// - Parameter detail: what is wrong, as the end of a sentence about the value.
    mutating func refuse(_ token: Int, _ detail: @autoclosure () -> String) {
        errors.add(isTolerant ? nil : FieldError(pointer: text.pointer(to: token), detail: detail()))
    }

    /// Refuses a member of the object that is not allowed.
    private mutating func refuse(member name: String, _ detail: @autoclosure () -> String) {
        let pointer = text.pointer(to: object.token) + JSONText.pointer(to: name)
        errors.add(isTolerant ? nil : FieldError(pointer: pointer, detail: detail()))
    }

    /// Reads an object into a value; false if anything was refused.
    mutating func read<Value: WireObject>(_ token: Int, into value: inout Value, _ context: FieldContext) -> Bool {
        let (outer, outerContext) = (object, self.context)
        defer { (object, self.context) = (outer, outerContext) }
        object = Object(token: token, cursor: token + 1, found: 0, errorsBefore: errors.count)
        self.context = context
        value.describe(&self)
        if context.unknownFields == .refused { refuseUnknownFields(of: Value.self) }
        return isSound
    }

    /// Refuses the members of the object that the type does not describe.
    private mutating func refuseUnknownFields<Value: WireObject>(of type: Value.Type) {
        let members = text.members(of: object.token)
        guard object.found < members.count else { return }
        let known = SchemaFields(of: type, context).properties.keys
        let names = known.sorted().joined(separator: ", ")
        for name in members.map(\.name).sorted() where !known.contains(name) {
            refuse(member: name, "is not a known field; leave it out. Known fields: \(names)")
        }
    }

    /// Finds the value of a member, which may be null; nil if there is no such member.
    private mutating func find(_ name: StaticString) -> Int? {
        let end = text.next(object.token)
        var candidate = object.cursor
        while candidate < end {
            if text.isName(candidate, name) { return noteFound(candidate) }
            candidate = text.next(candidate + 1)
        }
        // Not behind the last one found, so before it.
        candidate = object.token + 1
        while candidate < object.cursor {
            if text.isName(candidate, name) { return noteFound(candidate) }
            candidate = text.next(candidate + 1)
        }
        return nil
    }

    /// Notes that a member is a known field; returns the token of its value.
    private mutating func noteFound(_ name: Int) -> Int {
        object.cursor = text.next(name + 1)
        object.found += 1
        return name + 1
    }
}

extension FieldReader: FieldCoder {
    public var now: Timestamp { context.now }

    public var isSound: Bool { errors.count == object.errorsBefore }

    public mutating func field<Rule: ValueRule>(
        _ name: StaticString, _ value: Rule.Value?, _ rule: Rule, _ presence: FieldPresence
    ) -> Rule.Value? {
        guard presence != .answered else { return value }
        guard let token = find(name) else {
            if presence == .required, !context.isPatch {
                refuse(member: "\(name)", "is missing; it must be \(rule.expectation)")
            }
            return value
        }
        guard text.kind(token) != .null else {
            if presence == .required {
                let reason = context.isPatch ? "cannot be removed; leave it out, or send" : "is missing; it must be"
                refuse(token, "\(reason) \(rule.expectation)")
            }
            return presence == .optional ? nil : value
        }
        guard presence == .tolerated else { return rule.read(token, onto: value, &self) ?? value }
        return tolerating { rule.read(token, onto: value, &$0) } ?? value
    }

    /// Reads a value and discards the errors.
    private mutating func tolerating<Value>(_ read: (inout FieldReader) -> Value?) -> Value? {
        let (wasTolerant, count, unknownFields) = (isTolerant, errors.count, context.unknownFields)
        (isTolerant, context.unknownFields) = (true, .ignored)
        defer {
            (isTolerant, context.unknownFields) = (wasTolerant, unknownFields)
            errors.forget(after: count)
        }
        return read(&self)
    }

    public mutating func refuse(_ name: StaticString, _ detail: StaticString) { refuse(member: "\(name)", "\(detail)") }
}

/// The refused fields of one request.
///
/// At most ``limit`` are named, so that the response stays small however many fields are wrong.
struct FieldErrors {
    /// The maximum number of errors in one response.
    static let limit = 20

    /// The number of refused fields.
    private(set) var count = 0
    /// The first refused fields.
    private var named: [FieldError] = []
    private let limit: Int

    init(limit: Int = FieldErrors.limit) { self.limit = limit }

    /// Adds an error; nil is only counted.
    mutating func add(_ error: @autoclosure () -> FieldError?) {
        count += 1
        if count <= limit, let error = error() { named.append(error) }
    }

    /// Resets the count, to discard errors that were only counted.
    mutating func forget(after count: Int) { self.count = count }

    /// The refused fields. If there are too many, the last entry gives their number.
    var all: [FieldError] {
        guard count > named.count else { return named }
        let detail = "\(count - named.count) more fields are wrong; correct these first"
        return named + [FieldError(pointer: "", detail: detail)]
    }
}
