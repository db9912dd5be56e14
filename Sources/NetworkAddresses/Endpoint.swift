/// An address of this machine and a port, as in `192.168.1.20:8090` or `[fd00::20]:8090`.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    public let address: NetworkAddress
    public let port: UInt16

    /// - Returns: nil for a name instead of an address, and for a port that needs special rights.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy(\.isNumber),
            let port = UInt16(text[colon...].dropFirst()), port >= 1024,
            let address = NetworkAddress(inURL: text[..<colon])
        else { return nil }
        self.init(address, port: port)
    }

    public init(_ address: NetworkAddress, port: UInt16) {
        (self.address, self.port) = (address, port)
    }

    public var description: String { "\(address.v4 == nil ? "[\(address)]" : "\(address)"):\(port)" }

    /// Whether it stands for all addresses of this machine.
    public var isEveryAddress: Bool { address.value == 0 || address.v4 == 0 }
}

extension NetworkAddress {
    /// Parses an address as a URL contains it: IPv6 in brackets.
    public init?(inURL text: some StringProtocol) {
        guard text.hasPrefix("[") else {
            self.init(text)
            guard v4 != nil, !text.contains(":") else { return nil }
            return
        }
        guard text.hasSuffix("]"), text.contains(":") else { return nil }
        self.init(text.dropFirst().dropLast())
    }
}
