/// Divides received bytes into lines, and drops lines that are longer than any valid one.
struct LineCutter {
    private let limit: Int
    private var rest: [UInt8] = []
    private var isOverlong = false
    /// Lines that were dropped.
    private(set) var dropped = 0

    /// - Parameter limit: the maximum number of bytes in a line, without its end.
    init(limit: Int = 16_384) {
        self.limit = limit
    }

    /// The lines that are now complete, without their ends and without empty ones.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if rest.count < limit { rest.append(byte) } else { isOverlong = true }
                continue
            }
            if isOverlong { dropped += 1 } else if !rest.isEmpty { lines.append(rest) }
            rest.removeAll(keepingCapacity: true)
            isOverlong = false
        }
        return lines
    }
}
