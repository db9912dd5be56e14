/// A point on a scanner's time line, in nanoseconds.
///
/// A live scanner counts from boot (CLOCK_BOOTTIME), a capture or a simulation from the Unix epoch. Only differences
/// mean anything until a wall clock is attached: a Raspberry Pi may believe that it is 1970.
public struct ScanInstant: InstantProtocol, Hashable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Saturates at the ends of the range (292 years) instead of trapping on a hostile time stamp.
    public func advanced(by duration: Duration) -> ScanInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard overflow else { return ScanInstant(nanoseconds: sum) }
        return ScanInstant(nanoseconds: duration > .zero ? .max : .min)
    }

    public func duration(to other: ScanInstant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .nanoseconds(other > self ? Int64.max : Int64.min)
    }

    public static func < (left: ScanInstant, right: ScanInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero and saturated to 64 bits.
    public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || carry else { return sum }
        return seconds > 0 ? .max : .min
    }

    /// The duration in seconds as a floating-point number.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
