public import Beacons

/// Body of `POST /v1/finds`: “I have found a bike with this beacon”.
public struct Find: Codable, Hashable, Sendable {
    public var identity: BeaconIdentity
    /// At most 500 characters.
    public var message: String?
    /// How the holder can reach the finder, at most 128 characters.
    public var contact: String?

    public init(identity: BeaconIdentity, message: String? = nil, contact: String? = nil) {
        self.identity = identity
        self.message = message
        self.contact = contact
    }
}
