/// Body of `POST /v1/checks`: the number of a bike that somebody thinks of buying.
public struct NumberCheckDraft: Codable, Hashable, Sendable {
    /// A serial number, frame number or VIN, as it is on the bike.
    public var number: String

    public init(number: String) { self.number = number }
}

/// Response to `POST /v1/checks`. It proves nothing in either case.
public struct NumberCheck: Codable, Hashable, Sendable {
    /// Whether a bike with this number is reported as missing here. False for most missing bikes, too: they are in no
    /// register, or their owners do not let buyers check.
    public var missing: Bool

    public init(missing: Bool) { self.missing = missing }
}

extension NumberCheckDraft: WireObject {
    public static let blank = NumberCheckDraft(number: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("number", &number, .text(1...64)) }
}
