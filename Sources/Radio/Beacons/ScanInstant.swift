/// A point on a scanner's time line, in nanoseconds.
///
/// A live scanner counts from boot (CLOCK_BOOTTIME), a capture or a simulation from the Unix epoch. Only differences
/// are meaningful until wall time is known: a Raspberry Pi's clock may start in 1970.
public struct ScanInstant: InstantProtocol, Hashable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the ends of the range (292 years) instead of trapping on a malicious time stamp.
    public func advanced(by duration: Duration) -> ScanInstant {
        ScanInstant(nanoseconds: Int64(clamping: Int128(nanoseconds) + duration.attoseconds / 1_000_000_000))
    }

    public func duration(to other: ScanInstant) -> Duration {
        Duration(attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
    }

    public static func < (left: ScanInstant, right: ScanInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero and saturated to 64 bits.
    public var wholeNanoseconds: Int64 {
        Int64(clamping: attoseconds / 1_000_000_000)
    }

    /// The duration in seconds as a floating-point number.
    public var seconds: Double {
        Double(attoseconds) / 1e18
    }
}
