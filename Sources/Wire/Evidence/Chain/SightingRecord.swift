public import RegistryAPI

/// The registry's record of a sighting: what a station heard, which station and when, without anything derived from it.
///
/// An audit entry holds the salted digest of the record (``digestKey``). The salt is stored with the sighting and
/// deleted with it; after that, the content cannot be found by guessing.
public struct SightingRecord: Hashable, Sendable {
    /// A value of the record, named like the field of the wire format.
    public struct Field: Sendable {
        public let name: String
        let content: Content

        public init(_ name: String, _ value: String) { self.init(name, .text(value)) }

        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// The value as a text.
        public var value: String { content.description }
    }

    /// A value that becomes a text only when it is read. Most records are only written, as JSON to be hashed.
    public enum Content: Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        case time(Timestamp)
        /// The bits of a ``ResourceID``.
        case id(high: UInt64, low: UInt64)

        public static func id<Resource>(_ id: ResourceID<Resource>) -> Content { .id(high: id.high, low: id.low) }
    }

    /// The key of the entry's detail that holds the digest in hexadecimal digits.
    public static let digestKey = "digest"

    /// The fields, sorted by name; absent values are left out.
    public let fields: [Field]

    /// - Parameter fields: fields in any order, each name once.
    public init(_ fields: [Field]) {
        self.init(sorted: fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    /// - Parameter fields: fields in the order of the bytes of their names in UTF-8, each name once. This is not checked, and
    ///   the digest depends on it.
    public init(sorted fields: [Field]) { self.fields = fields }

    /// The value of a field; nil if it is absent.
    public subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The values as JSON in the canonical form of RFC 8785; all are strings, as in ``AuditEntry/Event``.
    public var canonical: [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            for field in fields { json.member(named: field.name) { field.content.write(to: &$0) } }
        }
        return json.bytes
    }

    /// SHA-256 over `fmb-sighting-1`, a zero byte, the salt and ``canonical``.
    public func digest(salt: [UInt8]) -> HashValue {
        let canonical = canonical
        var input: [UInt8] = []
        input.reserveCapacity(Self.tag.count + salt.count + canonical.count)
        input += Self.tag
        input += salt
        input += canonical
        return HashValue(of: input)
    }

    private static let tag = Array("fmb-sighting-1\0".utf8)
}

extension SightingRecord.Field: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name && left.value == right.value }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(value)
    }
}

extension SightingRecord.Content: CustomStringConvertible {
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): integer.description
        case .number(let number): number.description
        case .boolean(let boolean): boolean.description
        case .time(let time): time.description
        case .id(let high, let low): VisitID(high: high, low: low).description
        }
    }

    /// Writes the text as a JSON string.
    func write(to json: inout JSONWriter) {
        switch self {
        case .text(let text): json.string(text)
        case .time(let time): json.time(time)
        case .id(let high, let low): json.id(VisitID(high: high, low: low))
        case .integer, .number, .boolean: json.string(description)
        }
    }
}

extension SightingRecord: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([String: String].self).map { Field($0.key, $0.value) })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first })
    }
}

/// A sighting's record with the data that shows that the audit committed to it.
public struct CommittedRecord: Codable, Hashable, Sendable {
    /// The index of the sighting's latest audit entry, which holds the digest.
    public var entry: Int64
    /// The salt of the digest, in 32 hexadecimal digits.
    public var salt: String
    public var record: SightingRecord

    public init(entry: Int64, salt: String, record: SightingRecord) {
        self.entry = entry
        self.salt = salt
        self.record = record
    }

    /// The visit and its station: two stations may use the same identifier of a visit.
    var name: String { "\(record["sighting"] ?? "") \(record["station"] ?? "")" }

    /// Whether an audit entry commits to this record.
    public func isCommitted(by entry: AuditEntry) -> Bool {
        guard entry.index == self.entry, let event = entry.event, let salt = Hexadecimal.bytes(salt) else {
            return false
        }
        return event.details["sighting"] == record["sighting"] && event.station?.description == record["station"]
            && event.report?.description == record["report"]
            && event.details[SightingRecord.digestKey] == record.digest(salt: salt).description
    }

    /// Whether a sighting agrees with the record. Values that grow during a visit may have grown since.
    public func agrees(with sighting: Sighting) -> Bool {
        guard sighting.lastingValues.allSatisfy({ name, value in record[name] == value }),
            let last = record["lastSeen"].flatMap({ Timestamp($0) }), last <= sighting.lastSeen,
            let count = record["count"].flatMap({ Int64($0) }), count <= sighting.count
        else { return false }
        if let place = sighting.receiver?.place, !agrees(withReceiverAt: place) { return false }
        guard record["ended"] == "true" else { return true }
        return sighting.ended && last == sighting.lastSeen && count == sighting.count
    }

    /// Whether the record has this place of the receiver.
    private func agrees(withReceiverAt place: Place) -> Bool {
        record["receiverLatitude"] == "\(place.latitude)" && record["receiverLongitude"] == "\(place.longitude)"
            && record["receiverAccuracy"] == place.accuracy.map { "\($0)" }
    }
}

extension Sighting {
    /// The name of its record (``CommittedRecord/name``).
    var recordName: String { "\(id) \(station.id)" }

    /// The values that do not grow during a visit, by the names of the record's fields; nil for absent ones.
    fileprivate var lastingValues: [(name: String, value: String?)] {
        [
            ("sighting", "\(id)"), ("report", "\(report)"), ("station", "\(station.id)"),
            ("received", "\(received)"), ("firstSeen", "\(firstSeen)"), ("timeUncertain", "\(timeUncertain)"),
            ("answer", confirmation?.answer.rawValue), ("answered", confirmation.map { "\($0.time)" }),
            ("receiver", receiver?.name),
        ]
    }
}

extension AuditEntry.Event {
    /// The station and its surveyed place, if the entry is about a survey; otherwise nil.
    public var surveyedPlace: (station: StationID, place: Place)? {
        guard let station, report == nil, let latitude = details["latitude"].flatMap({ Double($0) }),
            let longitude = details["longitude"].flatMap({ Double($0) })
        else { return nil }
        let accuracy = details["accuracy"].flatMap { Double($0) }
        return (station, Place(latitude: latitude, longitude: longitude, accuracy: accuracy))
    }
}
