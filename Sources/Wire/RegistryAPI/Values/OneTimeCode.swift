/// A code that a person can read out: 100 random bits, used once. Only its digest is stored.
///
/// It has twenty characters of Crockford's base 32 in four groups, such as `7KQ2M-XW9TC-…`. A code that works for
/// minutes only may have fewer groups, of 25 bits each.
public struct OneTimeCode: Hashable, Sendable {
    /// The time for which a code works.
    public static let lifetime = Duration.days(1)

    /// Crockford's base 32, without the letters I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".unicodeScalars)
    /// The number of characters in a group.
    private static let groupLength = 5

    /// The characters without hyphens; the digest is computed from them.
    public let plain: String

    /// Draws a code.
    ///
    /// - Parameter groups: the number of groups of five characters.
    public init(groups: Int = 4, using generator: inout some RandomNumberGenerator) {
        var characters = String.UnicodeScalarView()
        for _ in 0..<groups * Self.groupLength {
            characters.append(Self.alphabet[Int.random(in: 0..<32, using: &generator)])
        }
        plain = String(characters)
    }

    /// Reads a code typed by a person: in either case, with or without hyphens, O for 0, and I or L for 1. Other
    /// characters are dropped; whether it is a code shows only when it is looked up.
    public init(typed text: String) {
        var characters = String.UnicodeScalarView()
        for scalar in text.uppercased().unicodeScalars {
            switch scalar {
            case "O": characters.append("0")
            case "I", "L": characters.append("1")
            default:
                if Self.alphabet.contains(scalar) { characters.append(scalar) }
            }
        }
        plain = String(characters)
    }

    /// The characters in groups of five with hyphens between them.
    public var text: String {
        stride(from: 0, to: plain.count, by: Self.groupLength)
            .map { String(plain.dropFirst($0).prefix(Self.groupLength)) }
            .joined(separator: "-")
    }
}
