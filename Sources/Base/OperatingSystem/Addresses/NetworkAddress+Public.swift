extension NetworkAddress {
    /// Whether the address is globally reachable and not reserved for a special purpose (IANA's registries of IPv4 and
    /// IPv6 special-purpose addresses, RFC 6890 and its updates).
    public var isPublic: Bool {
        // NAT64 (64:ff9b::/96) embeds an IPv4 address.
        let isTranslated = value >> 32 == 0x0064_FF9B_0000_0000_0000_0000
        let address = isTranslated ? NetworkAddress(v4: UInt32(truncatingIfNeeded: value)) : self
        // Of IPv6, only 2000::/3 is allocated.
        guard address.v4 != nil || address.value >> 125 == 0b001 else { return false }
        return !Self.reserved.contains { $0.contains(address) }
    }

    private static let reserved = [
        "0.0.0.0/8",  // this network
        "10.0.0.0/8",  // private
        "100.64.0.0/10",  // shared by carriers
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, including the metadata services of clouds
        "172.16.0.0/12",  // private
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays
        "192.168.0.0/16",  // private
        "198.18.0.0/15",  // benchmarks
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved, broadcast
        "2001::/23",  // protocol assignments, Teredo
        "2001:db8::/32",  // documentation
        "2002::/16",  // 6to4, which embeds any IPv4 address
        "3fff::/20",  // documentation
    ].compactMap { AddressRange($0) }
}
