/// One of the 1,024-second periods in which a rotating beacon sends the same identity (profile “rot 1”).
///
/// A beacon counts seconds since 1970 in 32 bits by its own clock, so the last slot ends in February 2106.
public struct RotatingSlot: Hashable, Sendable {
    /// The number of slots since 1970.
    public let number: UInt32

    /// The length of a slot in seconds.
    public static let seconds = 1024
    /// All slots that exist.
    public static let all = RotatingSlot(truncating: 0)...RotatingSlot(truncating: 0x3F_FFFF)

    /// The slot with a number; nil if a beacon's clock never reaches it.
    public init?(_ number: some BinaryInteger) {
        guard let number = UInt32(exactly: number), number <= Self.all.upperBound.number else { return nil }
        self.number = number
    }

    /// The slot at a beacon's time in seconds.
    public init(beaconSeconds: UInt32) { number = beaconSeconds >> 10 }

    /// The slot of a beacon without lag at a time in seconds since 1970; nil before 1970 and after February 2106.
    public init?(unixSeconds: Int64) { self.init(unixSeconds >> 10) }

    private init(truncating number: UInt32) { self.number = number & 0x3F_FFFF }

    /// The first second of the slot, in seconds since 1970.
    public var start: Int64 { Int64(number) << 10 }

    /// The slot a number of slots later or earlier, at the nearest end if a beacon's clock does not reach that far.
    public func advanced(by distance: Int) -> RotatingSlot {
        let (sum, overflow) = Int(number).addingReportingOverflow(distance)
        // A slot's number is not negative, so only a sum that is too large can overflow.
        let number = overflow ? Int.max : sum
        return Self(truncating: UInt32(clamping: Swift.min(number, Int(Self.all.upperBound.number))))
    }

    /// The number of slots from this one to another, negative if the other is earlier.
    public func distance(to other: RotatingSlot) -> Int { Int(other.number) - Int(number) }

    /// The number of the 64 slots with a common intermediate key.
    var epoch: UInt32 { number >> 6 }
}

extension RotatingSlot: Strideable {
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
