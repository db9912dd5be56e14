package import RegistryAPI

extension ResourceID {
    /// The 16 bytes, most significant first.
    package var octets: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - $0 * 8)) } }
    }

    /// An identifier from its bytes; nil unless there are 16.
    package init?(octets: [UInt8]) {
        guard octets.count == 16 else { return nil }
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(octets[..<8]), low: half(octets[8...]))
    }
}
