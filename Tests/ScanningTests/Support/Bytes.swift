/// The bytes of hexadecimal digits; spaces are for the reader. Nil if they are no bytes.
func bytes(hex text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let octet = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
            return nil
        }
        bytes.append(octet)
    }
    return bytes
}

/// A generator that gives the same numbers in every run (SplitMix64, Steele and others, 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }
}
