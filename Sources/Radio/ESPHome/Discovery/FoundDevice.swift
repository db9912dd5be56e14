/// An ESPHome device that answered in the network. Only a connection shows whether it is a Bluetooth proxy.
public struct FoundDevice: Hashable, Sendable {
    /// The device's name: `bar`.
    public let name: String
    /// Its IPv4 address; nil if it did not say.
    public let address: String?
    public let port: UInt16
    /// Its host name: `bar.local`.
    public let host: String
    /// Whether connections to it need a key.
    public let needsKey: Bool
    /// The name for people; nil if it has none.
    public let title: String?

    /// Whether an address in the settings is this device's.
    public func isAt(_ other: ProxyAddress) -> Bool {
        other.port == port && [address, host].contains { $0?.lowercased() == other.host.lowercased() }
    }

    /// How to reach it, for the settings: by its address if it has said it.
    public var reachedAt: ProxyAddress { ProxyAddress(host: address ?? host, port: port) }
}
