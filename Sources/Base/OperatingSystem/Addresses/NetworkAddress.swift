public import Glibc
import Syntax

/// An Internet address in 128 bits, without a port. IPv4 is stored as IPv4-mapped IPv6 (RFC 4291, section 2.5.5.2), so
/// that a peer has the same address on either kind of socket.
public struct NetworkAddress: Hashable, Sendable {
    /// The address as a number, whose highest byte is sent first.
    public let value: UInt128

    public init(_ value: UInt128) {
        self.value = value
    }

    /// An IPv4 address as a number: 127.0.0.1 is 0x7F00_0001.
    public init(v4: UInt32) {
        value = 0xFFFF_0000_0000 | UInt128(v4)
    }

    public init(high: UInt64, low: UInt64) {
        value = UInt128(high) << 64 | UInt128(low)
    }

    /// 127.0.0.1, which only programs of this machine can reach.
    public static let loopback = NetworkAddress(v4: 0x7F00_0001)

    /// Parses `192.0.2.1` or `2001:db8::1`, without port, brackets or zone; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        // inet_pton(3) reads up to a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    public init(_ address: in6_addr) {
        value = withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }

    /// The first 64 bits.
    public var high: UInt64 { UInt64(truncatingIfNeeded: value >> 64) }
    /// The last 64 bits.
    public var low: UInt64 { UInt64(truncatingIfNeeded: value) }

    /// The IPv4 address; nil if the address is IPv6.
    public var v4: UInt32? { value >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: value) : nil }
}

extension NetworkAddress: CustomStringConvertible {
    /// The address in dotted decimal, or as eight uncompressed groups in hexadecimal.
    public var description: String {
        guard let v4 else {
            return stride(from: 112, through: 0, by: -16).map { String(value >> $0 & 0xFFFF, radix: 16) }
                .joined(separator: ":")
        }
        return stride(from: 24, through: 0, by: -8).map { String(v4 >> $0 & 0xFF) }.joined(separator: ".")
    }
}

extension NetworkAddress {
    /// The address in its recommended form, of which there is only one: IPv4 in dotted decimal, IPv6 with `::` for the
    /// longest run of two or more zeros, and for the first of several that are equally long (RFC 5952, section 4).
    public var canonicalText: String {
        guard v4 == nil else { return description }
        let groups = description.split(at: ":")
        // A single zero is not shortened.
        var longest = 0..<1
        var begin = 0
        for (index, group) in groups.enumerated() {
            if group != "0" {
                begin = index + 1
            } else if index + 1 - begin > longest.count {
                longest = begin..<index + 1
            }
        }
        guard longest.count > 1 else { return description }
        let sides = [groups[..<longest.lowerBound], groups[longest.upperBound...]]
        return sides.map { $0.joined(separator: ":") }.joined(separator: "::")
    }
}

extension NetworkAddress {
    /// The address that counts as one client: an IPv4 address, or the /64 of an IPv6 address, the smallest network
    /// that an Internet connection gets.
    public var client: NetworkAddress { v4 != nil ? self : NetworkAddress(high: high, low: 0) }
}

/// Addresses with a common prefix: `10.0.0.0/8`, `2001:db8::/32` or a single address.
public struct AddressRange: Hashable, Sendable {
    private let first: NetworkAddress
    /// The length of the prefix in bits, 0…128: 96 more than in the text of an IPv4 range.
    private let prefixLength: Int

    /// Parses an address, with or without the length of a prefix; nil if the address has bits beyond the prefix.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(at: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = NetworkAddress(parts[0]) else { return nil }
        let width = first.v4 == nil ? 128 : 32
        guard let length = parts.count == 2 ? Int(digits: parts[1]) : width, (0...width).contains(length) else {
            return nil
        }
        self.first = first
        prefixLength = length + 128 - width
        // Bits beyond the prefix are usually a mistake: a smaller range was meant.
        guard Self.masked(first, prefixLength) == first else { return nil }
    }

    public func contains(_ address: NetworkAddress) -> Bool { Self.masked(address, prefixLength) == first }

    private static func masked(_ address: NetworkAddress, _ length: Int) -> NetworkAddress {
        // A shift by the whole width gives zero.
        NetworkAddress(address.value & ~(UInt128.max >> UInt128(length)))
    }
}
