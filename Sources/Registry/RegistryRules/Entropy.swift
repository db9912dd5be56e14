/// A source of random numbers: the system, or a seeded sequence in a test.
public struct Entropy: RandomNumberGenerator, Sendable {
    private let word: @Sendable () -> UInt64

    public init(_ word: @escaping @Sendable () -> UInt64) { self.word = word }

    public func next() -> UInt64 { word() }

    /// The operating system's cryptographic generator.
    public static let system = Entropy {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
