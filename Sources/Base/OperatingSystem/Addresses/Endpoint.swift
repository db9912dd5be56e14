import Syntax

/// An address of this machine and a port, as in `192.168.1.20:8090` or `[fd00::20]:8090`.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    public let address: NetworkAddress
    public let port: UInt16

    /// Parses an address and a port from 1024.
    ///
    /// - Returns: nil for a name instead of an address, and for a port that needs special rights.
    public init?(_ text: String) {
        guard let colon = text.unicodeScalars.lastIndex(of: ":"),
            let port = UInt16(digits: text[text.unicodeScalars.index(after: colon)...]), port >= 1024,
            let address = NetworkAddress(inURL: text[..<colon])
        else { return nil }
        self.init(address, port: port)
    }

    public init(_ address: NetworkAddress, port: UInt16) {
        (self.address, self.port) = (address, port)
    }

    public var description: String {
        let host = address.v4 == nil ? "[\(address)]" : "\(address)"
        return "\(host):\(port)"
    }

    /// Whether it stands for all addresses of this machine: `0.0.0.0` or `[::]`.
    public var isEveryAddress: Bool { address.value == 0 || address.v4 == 0 }
}

extension NetworkAddress {
    /// Parses an address as a URL contains it: IPv6 in brackets, IPv4 without; nil for anything else.
    public init?(inURL text: some StringProtocol) {
        let inner = text.dropping(prefix: "[")?.dropping(suffix: "]")
        let isV6 = text.unicodeScalars.contains(":")
        guard isV6 == (inner != nil) else { return nil }
        if let inner { self.init(inner) } else { self.init(text) }
    }
}
