/// Response to `POST /v1/bikes/{id}/transfer`: the code that lets a new owner take over a bike, shown only once. A newer
/// code replaces it.
public struct Transfer: Codable, Hashable, Sendable {
    public var bike: BikeID
    /// A one-time code with hyphens (``OneTimeCode/text``).
    public var code: String
    /// When the code stops working, after ``OneTimeCode/lifetime``.
    public var expires: Timestamp

    public init(bike: BikeID, code: String, expires: Timestamp) {
        self.bike = bike
        self.code = code
        self.expires = expires
    }
}

/// Body of `POST /v1/transfers`. The response is the bike.
public struct TransferAcceptance: Codable, Hashable, Sendable {
    /// The code, as a person typed it (``OneTimeCode/init(typed:)``).
    public var code: String

    public init(code: String) {
        self.code = code
    }
}

extension TransferAcceptance: WireObject {
    public static let blank = TransferAcceptance(code: "")

    public mutating func describe(_ fields: inout some FieldCoder) { fields.required("code", &code, .text(1...64)) }
}
