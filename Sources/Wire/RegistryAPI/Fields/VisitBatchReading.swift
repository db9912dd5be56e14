/// A received batch of visits, each of which is accepted or refused separately.
public struct VisitBatchReading: Hashable, Sendable {
    /// One item of the batch.
    public enum Entry: Hashable, Sendable {
        case visit(Visit)
        /// The visit's identifier, if it was readable, and each refused field.
        case invalid(VisitID?, [FieldError])
    }

    /// The entries, in the order of the batch.
    public let entries: [Entry]
    /// Whether the venue lets partner registries get the visits. Without a value that can be understood, it does not.
    public let isForPartners: Bool

    /// Visits that were read already, and are not shared.
    public init(_ visits: [Visit]) {
        entries = visits.map { .visit($0) }
        isForPartners = false
    }

    /// Reads the body of `POST /v1/sightings`. Unknown fields are ignored: stations may be newer than the registry.
    ///
    /// - Throws: ``RequestRefusal`` if the body is not a batch. Wrong visits are ``Entry/invalid(_:_:)`` instead.
    public init(_ body: [UInt8]) throws(RequestRefusal) {
        let text = try BodyParser.text(body)
        let visits = try Self.visits(in: text)
        isForPartners = Self.isForPartners(text)
        guard visits.count <= VisitBatch.maximumCount else { throw .tooManyVisits(visits.count) }
        let (rule, context) = (ObjectRule<Visit>(), FieldContext(now: .specimen, unknownFields: .ignored))
        // Name at least one error for each visit, but in total no more than fit into a response.
        var room = FieldErrors.limit
        entries = visits.map { token in
            var reader = FieldReader(text, context, errors: FieldErrors(limit: max(1, room)))
            if let visit = rule.read(token, &reader) { return .visit(visit) }
            room -= reader.errors.count
            return .invalid(Self.id(of: token, in: text), reader.errors.all)
        }
    }

    /// Absent and null mean yes; anything but true means no.
    private static func isForPartners(_ text: JSONText) -> Bool {
        guard let partners = text.member("partners", of: 0) else { return true }
        return text.kind(partners) == .yes || text.kind(partners) == .null
    }

    /// The tokens of the visits.
    private static func visits(in text: JSONText) throws(RequestRefusal) -> [Int] {
        guard text.kind(0) == .object else {
            throw .fields([FieldError(pointer: "", detail: "must be an object with visits")])
        }
        guard let visits = text.member("visits", of: 0), text.kind(visits) == .array else {
            let detail = "must be a list of at most \(VisitBatch.maximumCount) visits"
            throw .fields([FieldError(pointer: "/visits", detail: detail)])
        }
        return text.elements(of: visits)
    }

    /// The visit's identifier; nil if it is unreadable.
    private static func id(of visit: Int, in text: JSONText) -> VisitID? {
        guard text.kind(visit) == .object, let id = text.member("id", of: visit), text.isString(id) else { return nil }
        return VisitID(ascii: text.characters(id))
    }
}
