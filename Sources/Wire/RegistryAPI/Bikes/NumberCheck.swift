/// Body of `POST /v1/checks`: the number of a bike that somebody thinks of buying.
public struct NumberCheckDraft: Codable, Hashable, Sendable {
    /// A serial number, frame number or VIN, as it is on the bike.
    public var number: String

    public init(number: String) { self.number = number }
}

/// Response to `POST /v1/checks`. Neither result proves anything.
public struct NumberCheck: Codable, Hashable, Sendable {
    /// Whether a bike with this number is reported missing here. False even for most missing bikes: they are in no
    /// register, or their owners do not let buyers check.
    public var missing: Bool
    /// Numbers of missing bikes that differ from the checked one only in characters that are easily misread (O and 0, I,
    /// L and 1; in a VIN also Q and 0); absent if there is none, or if a bike with exactly this number is missing.
    public var similar: [SimilarNumber]?
    /// The partner registries where a bike with this number or a similar one is reported missing; absent if there is
    /// none, and if a bike with exactly this number is missing here. They do not learn which number was checked.
    public var elsewhere: [NumberElsewhere]?
    /// The partner registries that could not be asked, by their names; absent if all were.
    public var unasked: [String]?

    public init(
        missing: Bool, similar: [SimilarNumber]? = nil, elsewhere: [NumberElsewhere]? = nil, unasked: [String]? = nil
    ) {
        self.missing = missing
        self.similar = similar
        self.elsewhere = elsewhere
        self.unasked = unasked
    }
}

/// A partner registry that misses a bike with the number that was checked.
public struct NumberElsewhere: Codable, Hashable, Sendable {
    /// Its name, as this registry's operator calls it.
    public var registry: String
    /// Its address. On its page `/check`, a check of the number leads to a message to the owner.
    public var url: String
    /// True if only a similar number is reported there; its page shows which.
    public var similar: Bool?

    public init(registry: String, url: String, similar: Bool? = nil) {
        self.registry = registry
        self.url = url
        self.similar = similar
    }
}

/// The number of a missing bike that may be the one that was checked.
public struct SimilarNumber: Codable, Hashable, Sendable {
    /// The number in upper case, without spaces, dots, hyphens and slashes.
    public var number: String
    /// Where it differs from the checked number.
    public var differences: [Difference]

    /// A character that differs.
    public struct Difference: Codable, Hashable, Sendable {
        /// The position in the number, counted from 1.
        public var position: Int
        /// The character that was checked, and the one of the missing bike's number.
        public var checked: String
        public var reported: String

        public init(position: Int, checked: String, reported: String) {
            self.position = position
            self.checked = checked
            self.reported = reported
        }
    }

    public init(number: String, differences: [Difference]) {
        self.number = number
        self.differences = differences
    }
}

extension NumberCheckDraft: WireObject {
    public static let blank = NumberCheckDraft(number: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("number", &number, .text(1...64)) }
}
