/// A version of the programs, such as `1.4.0` (Semantic Versioning 2.0.0). Anything after `-` or `+` is ignored.
public struct ProgramVersion: Comparable, Sendable {
    /// Major, minor and patch.
    private let parts: [UInt32]

    /// Parses a version.
    ///
    /// - Returns: nil if the text does not begin with three whole numbers.
    public init?(_ text: String) {
        let core = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        let numbers = core.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { digits in
            // The digits of ASCII: `UInt32` would also accept a plus sign.
            digits.allSatisfy { (48...57).contains($0) } ? UInt32(String(Substring(digits))) : nil
        }
        parts = numbers.compactMap(\.self)
        guard parts.count == 3, numbers.count == 3 else { return nil }
    }

    public static func < (one: ProgramVersion, other: ProgramVersion) -> Bool {
        one.parts.lexicographicallyPrecedes(other.parts)
    }
}
