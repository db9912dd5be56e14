/// What makes the hashes of one list differ from those of any other.
///
/// Whoever may choose identities could otherwise choose many that fall on the same place of a table, and so make look-ups
/// slow at every station.
struct HashSeed: Sendable {
    private let addend: UInt64
    private let factor: UInt64

    init(using generator: inout some RandomNumberGenerator) {
        addend = generator.next()
        factor = generator.next() | 1
    }

    /// The place of a number among so many places, which is at least one.
    func place(of number: UInt32, in count: Int) -> Int {
        // The second round spreads numbers in a row, which some factors would leave together.
        let hash = Self.fold(Self.fold(UInt64(number) ^ addend, factor), 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Both halves of the 128-bit product, so that every bit of either factor tells.
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
