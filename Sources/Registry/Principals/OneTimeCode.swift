/// A code that a person can read out: 100 random bits, used once, stored as its digest.
///
/// Twenty characters of Crockford's base 32 in four groups, as in `7KQ2M-XW9TC-…`.
public struct OneTimeCode: Hashable, Sendable {
    /// How long a code works.
    public static let lifetime = Duration.seconds(86_400)

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private let characters: String

    public init(using generator: inout some RandomNumberGenerator) {
        characters = String((0..<20).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &generator)] })
    }

    /// Reads a code as a person typed it: in either case, with or without hyphens, O for 0 and I or L for 1.
    public init(typed text: String) {
        characters = String(
            text.uppercased().compactMap { character in
                switch character {
                case "O": "0"
                case "I", "L": "1"
                default: Self.alphabet.contains(character) ? character : nil
                }
            }
        )
    }

    public var text: String {
        stride(from: 0, to: characters.count, by: 5)
            .map { String(characters.dropFirst($0).prefix(5)) }
            .joined(separator: "-")
    }

    public var digest: SecretDigest { SecretDigest(of: characters) }
}
