/// Writes numbers of any bit length without gaps, most significant bit first.
struct BitWriter {
    private(set) var bytes: [UInt8]
    /// The bits that do not fill a byte yet, right-aligned.
    private var pending: UInt64 = 0
    /// The number of these bits, 0…7 between two calls.
    private var pendingCount = 0

    /// Continues after whole bytes.
    init(after bytes: [UInt8]) { self.bytes = bytes }

    /// Writes the lowest bits of a value, at most 40; all other bits must be zero.
    mutating func append(_ value: UInt64, bits: Int) {
        pending = pending << UInt64(bits) | value
        pendingCount += bits
        while pendingCount >= 8 {
            pendingCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
        }
    }

    /// Writes distinct ascending numbers as Golomb-Rice codes of the gaps between them: the quotient by 2^parameter as
    /// that many ones and a zero, then the remainder.
    mutating func appendAscending(_ numbers: some Sequence<UInt64>, parameter: UInt8) {
        var next: UInt64 = 0
        for number in numbers {
            let gap = number - next
            var quotient = gap >> UInt64(parameter)
            // A quotient may need more ones than fit into one call.
            while quotient >= 32 {
                append(0xFFFF_FFFF, bits: 32)
                quotient -= 32
            }
            let ones: UInt64 = (1 << quotient) - 1
            append(ones << 1, bits: Int(quotient) + 1)
            let lowestBits: UInt64 = (1 << UInt64(parameter)) - 1
            let remainder = gap & lowestBits
            append(remainder, bits: Int(parameter))
            next = number + 1
        }
    }

    /// All bytes; the last byte is padded with zeros.
    consuming func finish() -> [UInt8] {
        if pendingCount > 0 { append(0, bits: 8 - pendingCount) }
        return bytes
    }
}

/// The parameter of Golomb-Rice codes.
enum RiceParameter {
    /// The highest parameter that the format permits (docs/missing-list.md).
    static let maximum: UInt8 = 39

    /// The parameter that encodes this many numbers below a limit within 1 % of the shortest length: about 0.69 of the
    /// mean gap.
    static func best(for count: Int, below limit: UInt64) -> UInt8 {
        let wanted = limit / UInt64(Swift.max(1, count)) / 100 * 69
        guard wanted > 0 else { return 0 }
        // The logarithm to base 2, rounded down.
        return Swift.min(maximum, UInt8(63 - wanted.leadingZeroBitCount))
    }
}
