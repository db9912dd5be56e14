/// An Internet address without a port.
public enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    /// The first and the last 64 bits.
    case v6(UInt64, UInt64)

    /// Whether the address is reachable from the whole Internet and belongs to no special purpose
    /// (IANA's registries for IPv4 and IPv6 special-purpose addresses, RFC 6890 and its updates).
    public var isPublic: Bool {
        switch self {
        case .v4(let value):
            return !Self.reservedV4.contains { value >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
        case .v6(let high, _):
            if let embedded = embeddedV4 { return embedded.isPublic }
            // Only 2000::/3 is handed out; inside it some blocks are not.
            guard high >> 61 == 0b001 else { return false }
            return !Self.reservedV6.contains { high >> (64 - $0.bits) == $0.prefix >> (64 - $0.bits) }
        }
    }

    /// The IPv4 address inside an IPv4-mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96) address.
    private var embeddedV4: IPAddress? {
        guard case .v6(let high, let low) = self else { return nil }
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        let isTranslated = high == 0x0064_FF9B_0000_0000 && low >> 32 == 0
        return isMapped || isTranslated ? .v4(UInt32(truncatingIfNeeded: low)) : nil
    }

    private static let reservedV4: [(prefix: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by carriers
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link-local, with the clouds' metadata services
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocol assignments
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // 6to4 relays
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // multicast
        (0xF000_0000, 4),  // reserved, broadcast
    ]

    private static let reservedV6: [(prefix: UInt64, bits: UInt64)] = [
        (0x2001_0000_0000_0000, 23),  // protocol assignments, Teredo
        (0x2001_0DB8_0000_0000, 32),  // documentation
        (0x2002_0000_0000_0000, 16),  // 6to4, which embeds any IPv4 address
        (0x3FFF_0000_0000_0000, 20),  // documentation
    ]
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or eight groups in hexadecimal without compression.
    public var description: String {
        switch self {
        case .v4(let value):
            (0..<4).map { String(value >> UInt32(24 - 8 * $0) & 0xFF) }.joined(separator: ".")
        case .v6(let high, let low):
            (0..<8).map { String(($0 < 4 ? high : low) >> UInt64(48 - 16 * ($0 % 4)) & 0xFFFF, radix: 16) }
                .joined(separator: ":")
        }
    }
}

/// Which addresses a connection may be made to. Checked on the address that is really connected, after the name was
/// resolved, so that no name can lead inside.
public enum AddressPolicy: Hashable, Sendable {
    case any
    /// For URLs that strangers give.
    case publicOnly

    func allows(_ address: IPAddress) -> Bool {
        self == .any || address.isPublic
    }
}
