import NIOCore
import OperatingSystem

extension NetworkAddress {
    /// The address of a peer; nil if the socket is not an Internet socket.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4:
            self = address.withSockAddr { address, _ in NetworkAddress(v4: Self.load(UInt32.self, from: address, at: 4))
            }
        case .v6:
            self = address.withSockAddr { address, _ in NetworkAddress(Self.load(UInt128.self, from: address, at: 8)) }
        case .unixDomainSocket: return nil
        }
    }

    /// Reads a number in network byte order. `sockaddr_in` has the address after family and port, at offset 4;
    /// `sockaddr_in6` has it after the flow information, at offset 8 (ip(7), ipv6(7)).
    private static func load<Number: FixedWidthInteger>(
        _ type: Number.Type, from socketAddress: UnsafeRawPointer, at offset: Int
    ) -> Number {
        Number(bigEndian: socketAddress.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// The /48 of an IPv6 address, usually the largest network that a subscriber gets; nil for IPv4. Its lower half
    /// differs from every ``client``.
    var network: NetworkAddress? { v4 != nil ? nil : NetworkAddress(high: high & ~0xFFFF, low: .max) }

    /// The bytes that identify a subscriber: an IPv4 address, or the /48 of an IPv6 address.
    var subscriber: [UInt8] {
        withUnsafeBytes(of: (network ?? self).value.bigEndian) { Array($0) }
    }

    /// The bytes that identify a wider network: the /16 of an IPv4 address, or the /32 of an IPv6 address.
    var area: [UInt8] { Array(subscriber.prefix(v4 != nil ? 14 : 4)) }
}
