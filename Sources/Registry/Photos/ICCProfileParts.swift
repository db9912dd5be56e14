/// The parts of an ICC profile, which may be in any order (ICC.1:2022, annex B.4).
struct ICCProfileParts: Hashable {
    private static let signature = "ICC_PROFILE\0"
    /// The parts by their numbers, which count from 1.
    private var parts: [UInt8: ArraySlice<UInt8>] = [:]
    /// The number of parts; nil if there are none, or if they contradict each other.
    private var count: UInt8?

    /// Adds the part in an APP2 segment; other segments of this kind are ignored.
    mutating func add(_ segment: ArraySlice<UInt8>) {
        let reader = ByteReader(segment)
        guard reader.hasText(at: 0, Self.signature), let number = reader.byte(at: 12), let count = reader.byte(at: 13),
            parts[number] == nil
        else { return }
        guard parts.isEmpty || count == self.count else { return self.count = nil }
        self.count = count
        parts[number] = segment.dropFirst(14)
    }

    /// The profile; nil if a part is missing, or if it is longer than ``PhotoLimits/profileBytes``.
    var joined: [UInt8]? {
        let length = parts.values.reduce(0) { $0 + $1.count }
        guard let count, count > 0, length <= PhotoLimits.profileBytes else { return nil }
        var profile: [UInt8] = []
        for number in 1...count {
            guard let part = parts[number] else { return nil }
            profile += part
        }
        return profile
    }
}
