/// Response to `GET /v1/partner/numbers`: the numbers of missing bikes that buyers can check, hidden by a key of the
/// registry and of this partnership. Finding a number behind them needs a request to the registry for each guess.
public struct SharedNumbers: Codable, Hashable, Sendable {
    /// A point for each number: 64 hexadecimal digits, sorted.
    public var exact: [String]
    /// The same for the numbers as somebody may have misread them.
    public var folded: [String]

    public init(exact: [String], folded: [String]) {
        self.exact = exact
        self.folded = folded
    }
}

/// Body of `POST /v1/partner/checks`, and the response: a number that a buyer checks, hidden by a key of the sender;
/// and the same, hidden by the key of the receiver, too.
public struct HiddenNumber: Codable, Hashable, Sendable {
    /// 64 hexadecimal digits.
    public var exact: String
    /// The number as somebody may have misread it.
    public var folded: String

    public init(exact: String, folded: String) {
        self.exact = exact
        self.folded = folded
    }
}

extension HiddenNumber: WireObject {
    public static let blank = HiddenNumber(exact: "", folded: "")

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("exact", &exact, .text(64...64))
        fields.required("folded", &folded, .text(64...64))
    }
}
