import HTTPTypes
public import OperatingSystem
import RegistryRules

/// The proxies that are trusted to state their clients' addresses.
public struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]
    private let field: ForwardingField

    /// - Parameters:
    ///   - ranges: the proxies' own addresses; without any, each peer is the client.
    ///   - field: the only field that is trusted. A proxy passes on the other one as its client wrote it.
    public init(_ ranges: [AddressRange] = [], field: ForwardingField = .xForwardedFor) {
        self.ranges = ranges
        self.field = field
    }

    /// The client of a request: the peer or, behind trusted proxies, the address that they state.
    func client(peer: NetworkAddress?, headers: HTTPFields) -> NetworkAddress? {
        guard let peer, isTrusted(peer), let name = HTTPField.Name(field.rawValue) else { return peer }
        let values = headers[values: name]
        return values.isEmpty ? peer : field.client(behind: peer, values.joined(separator: ","), isTrusted: isTrusted)
    }

    /// The network of a request's client; nil if the client has no address.
    func network(peer: NetworkAddress?, headers: HTTPFields) -> ClientNetwork? {
        client(peer: peer, headers: headers).map { ClientNetwork(subscriber: $0.subscriber, area: $0.area) }
    }

    /// Whether an address is that of such a proxy.
    func isTrusted(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }
}
