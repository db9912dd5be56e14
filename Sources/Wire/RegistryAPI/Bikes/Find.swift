public import Beacons

/// Body of `POST /v1/finds`: “I have found a bike with this beacon”.
public struct Find: Codable, Hashable, Sendable {
    public var identity: BeaconIdentity
    /// The message, at most 500 characters.
    public var message: String?
    /// The finder's contact details for the holder, at most 128 characters.
    public var contact: String?

    public init(identity: BeaconIdentity, message: String? = nil, contact: String? = nil) {
        self.identity = identity
        self.message = message
        self.contact = contact
    }
}

extension Find: WireObject {
    public static let blank = Find(identity: .blank)

    public mutating func describe(_ fields: inout some FieldCoder) {
        fields.required("identity", &identity, .object())
        fields.optional("message", &message, .text(0...500, multiline: true))
        fields.optional("contact", &contact, .text(0...128))
    }
}
