/// Why a request's body is refused as a whole.
public enum RequestRefusal: Error, Hashable, Sendable {
    /// Not JSON: 400.
    case malformed(JSONSyntaxError)
    /// JSON that breaks the contract: 422 with each refused field.
    case fields([FieldError])
    /// A batch of so many visits, more than ``VisitBatch/maximumCount``: 413.
    case tooManyVisits(Int)
}

/// Reads request bodies by the contract's rules.
public enum BodyParser {
    /// The body's value, or every field that breaks a rule.
    public static func parse<Value>(
        _ body: [UInt8], as rule: FieldRule<Value>, unknownFields: UnknownFields
    ) throws(RequestRefusal) -> Value {
        try rule.read(try text(body), unknownFields: unknownFields)
    }

    static func text(_ body: [UInt8]) throws(RequestRefusal) -> JSONText {
        do {
            return try JSONText(body)
        } catch {
            throw .malformed(error)
        }
    }
}
