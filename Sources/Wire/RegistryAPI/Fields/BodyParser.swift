/// The reason why a request's body is refused as a whole.
public enum RequestRefusal: Error, Hashable, Sendable {
    /// The body is not JSON: 400.
    case malformed(JSONSyntaxError)
    /// The body is JSON but violates the contract: 422 with each refused field.
    case fields([FieldError])
    /// The batch has this many visits, more than ``VisitBatch/maximumCount``: 413.
    case tooManyVisits(Int)
}

/// Parses request bodies by the contract's rules.
public enum BodyParser {
    /// Parses a body.
    ///
    /// - Throws: ``RequestRefusal``, with every field that breaks a rule.
    public static func parse<Value>(
        _ body: [UInt8], as rule: FieldRule<Value>, unknownFields: UnknownFields
    ) throws(RequestRefusal) -> Value {
        try rule.read(try text(body), unknownFields: unknownFields)
    }

    /// - Throws: ``RequestRefusal/malformed(_:)``.
    static func text(_ body: [UInt8]) throws(RequestRefusal) -> JSONText {
        do {
            return try JSONText(body)
        } catch {
            throw .malformed(error)
        }
    }
}
