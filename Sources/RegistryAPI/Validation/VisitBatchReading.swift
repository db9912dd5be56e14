/// A batch of visits as it was received: each one stands or falls alone.
public struct VisitBatchReading: Hashable, Sendable {
    public enum Entry: Hashable, Sendable {
        case visit(Visit)
        /// The visit's identifier where it was readable, and each refused field.
        case invalid(VisitID?, [FieldError])
    }

    /// In the order of the batch.
    public let entries: [Entry]

    /// Reads the body of `POST /v1/sightings`. Unknown fields are ignored: stations may be newer than the registry.
    public init(_ body: [UInt8]) throws(RequestRefusal) {
        if let visits = PlainVisitReader.visits(in: body) {
            self.init(entries: visits.map(Entry.visit))
        } else {
            try self.init(byRules: body)
        }
    }

    private init(entries: [Entry]) { self.entries = entries }

    /// The way that names every refused field.
    init(byRules body: [UInt8]) throws(RequestRefusal) {
        let visits = try Self.visits(in: BodyParser.parseJSON(body))
        guard visits.count <= VisitBatch.maximumCount else { throw .tooManyVisits(visits.count) }
        let rule = Visit.rule
        // Each visit says at least one thing that is wrong with it; all together no more than an answer can hold.
        var room = FieldErrorCollector.limit
        entries = visits.enumerated().map { index, json in
            let pointer = JSONPointer().appending("visits").appending(index)
            let collector = FieldErrorCollector(unknownFields: .ignored, limit: max(1, room))
            defer { room -= collector.count }
            return Self.entry(json, at: pointer, rule, collector)
        }
    }

    private static func visits(in json: JSONValue) throws(RequestRefusal) -> [JSONValue] {
        guard case .object(let members) = json else {
            throw .fields([FieldError(pointer: "", detail: "must be an object with visits")])
        }
        guard case .array(let visits) = members["visits"] else {
            let detail = "must be a list of at most \(VisitBatch.maximumCount) visits"
            throw .fields([FieldError(pointer: "/visits", detail: detail)])
        }
        return visits
    }

    private static func entry(
        _ json: JSONValue, at pointer: JSONPointer, _ rule: FieldRule<Visit>, _ collector: FieldErrorCollector
    ) -> Entry {
        guard let visit = rule.read(json, pointer, collector) else {
            return .invalid(id(of: json), collector.errors)
        }
        return .visit(visit)
    }

    private static func id(of json: JSONValue) -> VisitID? {
        guard case .object(let members) = json, case .string(let text) = members["id"] else { return nil }
        return VisitID(text)
    }
}
