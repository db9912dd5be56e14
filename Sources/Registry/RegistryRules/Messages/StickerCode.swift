/// The code on a bike's sticker: eleven random characters of an alphabet of 31, and one that reveals a typing error.
///
/// It is read from a sticker that anyone can see, so it protects only from guessing. It is stored as its digest.
public struct StickerCode: Hashable, Sendable {
    /// Without 0, I, L, O and U. Their number is a prime, so the check finds every wrong character and every exchange.
    private static let alphabet = Array("123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 12
    /// The number that gives 1 modulo 31 when multiplied by 12, the place of the last character.
    private static let inverseOfLength = 13

    private let characters: String

    /// Makes a new code. Its last character makes the sum of the values, each times its place, a multiple of 31.
    public init(using generator: inout some RandomNumberGenerator) {
        let count = Self.alphabet.count
        var values = (1..<Self.length).map { _ in Int.random(in: 0..<count, using: &generator) }
        let missing = count - Self.weightedSum(values)
        values.append(missing * Self.inverseOfLength % count)
        characters = String(values.map { Self.alphabet[$0] })
    }

    /// Reads a code typed by a person: in either case, with or without hyphens and spaces, and I or L for 1.
    ///
    /// - Returns: nil if the text cannot be a code.
    public init?(typed text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        let characters = text.uppercased().filter { !$0.isWhitespace && $0 != "-" }
            .map { $0 == "I" || $0 == "L" ? "1" : $0 }
        let values = characters.compactMap(Self.alphabet.firstIndex(of:))
        guard characters.count == Self.length, values.count == Self.length, Self.weightedSum(values) == 0 else {
            return nil
        }
        self.characters = String(characters)
    }

    /// The sum of the values, each times its place, modulo the size of the alphabet.
    private static func weightedSum(_ values: [Int]) -> Int {
        values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element } % alphabet.count
    }

    /// Three groups of four characters, separated by hyphens.
    public var text: String {
        stride(from: 0, to: characters.count, by: 4).map { String(characters.dropFirst($0).prefix(4)) }
            .joined(separator: "-")
    }

    /// The digest under which the code is stored.
    public var digest: SecretDigest { SecretDigest(of: "sticker " + characters) }
}
