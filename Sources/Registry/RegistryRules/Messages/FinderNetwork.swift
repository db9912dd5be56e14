/// The network of a finder, as two numbers that are valid for one day (``FindSenders``).
public struct FinderNetwork: Hashable, Sendable {
    /// An IPv4 address, or the /48 of an IPv6 address.
    public var subscriber: Int64
    /// The /16 of an IPv4 address, or the /32 of an IPv6 address.
    public var area: Int64

    public init(subscriber: Int64 = 0, area: Int64 = 0) {
        self.subscriber = subscriber
        self.area = area
    }
}

/// The network of a client, as bytes that its addresses have in common. Never stored: ``FindSenders`` makes a
/// ``FinderNetwork`` of it.
public struct ClientNetwork: Hashable, Sendable {
    /// The bytes that all addresses of the client's subscriber have in common.
    public let subscriber: [UInt8]
    /// The bytes that all addresses of its wider network have in common.
    public let area: [UInt8]

    public init(subscriber: [UInt8], area: [UInt8]) {
        self.subscriber = subscriber
        self.area = area
    }
}
