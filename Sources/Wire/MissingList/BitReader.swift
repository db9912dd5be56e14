/// Reads the output of a ``BitWriter`` from untrusted bytes.
struct BitReader {
    private let bytes: [UInt8]
    /// The position of the next byte to read.
    private var offset: Int
    /// The unread bits of the bytes read so far, left-aligned and followed by zeros.
    private var window: UInt64 = 0
    /// The number of unread bits in the window.
    private var available = 0

    init(_ bytes: [UInt8], from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The number of remaining bits, including the padding of the last byte.
    var remaining: Int { available + (bytes.count - offset) * 8 }

    /// Reads what ``BitWriter/appendAscending(_:parameter:)`` wrote.
    ///
    /// - Parameters:
    ///   - parameter: the parameter of the codes, untrusted.
    ///   - limit: the highest number plus one, at most 2^40.
    ///   - body: called with each number.
    /// - Throws: `wrongLength` if the bytes end too early; `malformed` if a number reaches the limit.
    mutating func readAscending(
        count: Int, parameter: UInt8, below limit: UInt64, _ body: (UInt64) -> Void
    ) throws(ListCodingError) {
        guard parameter <= RiceParameter.maximum else { throw .malformed }
        // Each number takes at least one bit and its remainder, so a large count alone cannot reserve memory.
        guard count <= remaining / (Int(parameter) + 1) else { throw .wrongLength }
        var next: UInt64 = 0
        for _ in 0..<count {
            let quotient = try ones(atMost: limit >> UInt64(parameter))
            let gap = quotient << UInt64(parameter) | (try bits(Int(parameter)))
            let number = next + gap
            guard number < limit else { throw .malformed }
            body(number)
            next = number + 1
        }
    }

    /// Checks that only the zeros that pad the last byte are left.
    func finish() throws(ListCodingError) {
        guard remaining < 8 else { throw .wrongLength }
        guard window == 0 else { throw .malformed }
    }

    /// The number of ones before the next zero; the zero is consumed.
    private mutating func ones(atMost limit: UInt64) throws(ListCodingError) -> UInt64 {
        var total: UInt64 = 0
        while true {
            fill()
            guard available > 0 else { throw .wrongLength }
            let ones = min((~window).leadingZeroBitCount, available)
            total += UInt64(ones)
            guard total <= limit else { throw .malformed }
            if ones < available {
                drop(ones + 1)
                return total
            }
            drop(ones)
        }
    }

    /// Reads at most 57 bits: the window has at least so many, unless the bytes end.
    private mutating func bits(_ count: Int) throws(ListCodingError) -> UInt64 {
        guard count > 0 else { return 0 }
        fill()
        guard available >= count else { throw .wrongLength }
        let value = window >> UInt64(64 - count)
        drop(count)
        return value
    }

    /// Moves whole bytes into the window while there is room.
    private mutating func fill() {
        while available <= 56, offset < bytes.count {
            window |= UInt64(bytes[offset]) << UInt64(56 - available)
            available += 8
            offset += 1
        }
    }

    /// Removes bits from the window, at most those that are available.
    private mutating func drop(_ count: Int) {
        window = count < 64 ? window << UInt64(count) : 0
        available -= count
    }
}
