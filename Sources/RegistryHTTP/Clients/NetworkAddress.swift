public import NIOCore

/// An address of the Internet in 128 bits; IPv4 as IPv4-mapped IPv6 (RFC 4291, section 2.5.5.2), so that a client has
/// one address whichever kind of socket took its connection.
public struct NetworkAddress: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses `192.0.2.1` or `2001:db8::1`, without port, brackets or zone.
    public init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// The address of a peer; nil where the socket is not one of the Internet.
    public init?(_ address: SocketAddress) {
        switch address {
        case .v4:
            self = address.withSockAddr { address, _ in NetworkAddress(v4: Self.load(UInt32.self, from: address, at: 4))
            }
        case .v6:
            self = address.withSockAddr { address, _ in
                NetworkAddress(
                    high: Self.load(UInt64.self, from: address, at: 8),
                    low: Self.load(UInt64.self, from: address, at: 16)
                )
            }
        case .unixDomainSocket: return nil
        }
    }

    /// A number in network order. `sockaddr_in` has the address after family and port, at 4; `sockaddr_in6` after the
    /// flow information too, at 8 (ip(7), ipv6(7)).
    private static func load<Number: FixedWidthInteger>(
        _ type: Number.Type, from socketAddress: UnsafeRawPointer, at offset: Int
    ) -> Number {
        Number(bigEndian: socketAddress.loadUnaligned(fromByteOffset: offset, as: type))
    }

    private init(v4 value: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(value)) }

    var isV4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// What counts as one client: an IPv4 address, or the /64 of an IPv6 address, which is what one connection to the
    /// Internet gets at least.
    var client: NetworkAddress { isV4 ? self : NetworkAddress(high: high, low: 0) }

    /// The /48 of an IPv6 address, the most that one subscriber gets as a rule; nil for IPv4. Its lower half differs from
    /// every ``client``.
    var network: NetworkAddress? { isV4 ? nil : NetworkAddress(high: high & ~0xFFFF, low: .max) }

    /// The bytes of what one subscriber has at most: an IPv4 address, or the /48 of an IPv6 address.
    var subscriber: [UInt8] {
        let address = network ?? self
        return [address.high, address.low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
        }
    }
}

/// Addresses with a common prefix: `10.0.0.0/8`, `2001:db8::/32` or a single address.
public struct AddressRange: Hashable, Sendable {
    private let first: NetworkAddress
    /// 0…128.
    private let prefixLength: Int

    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = NetworkAddress(parts[0]) else { return nil }
        let width = first.isV4 ? 32 : 128
        guard let length = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(length) else { return nil }
        prefixLength = length + 128 - width
        self.first = Self.masked(first, prefixLength)
        // Bits beyond the prefix are most often a typing error for a smaller range.
        guard self.first == first else { return nil }
    }

    func contains(_ address: NetworkAddress) -> Bool { Self.masked(address, prefixLength) == first }

    private static func masked(_ address: NetworkAddress, _ length: Int) -> NetworkAddress {
        // A shift by the whole width gives zero.
        NetworkAddress(
            high: address.high & ~(UInt64.max >> UInt64(min(length, 64))),
            low: address.low & ~(UInt64.max >> UInt64(max(length - 64, 0)))
        )
    }
}
