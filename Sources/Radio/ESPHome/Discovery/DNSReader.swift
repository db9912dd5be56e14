/// Reads a DNS message. It cannot loop: a compressed name points only backwards (RFC 1035, section 4.1.4), and each
/// pointer further than the last.
struct DNSReader {
    /// The message ends too early, or breaks the format.
    struct Malformed: Error {}

    /// The most pointers in a name, so that a message costs no more than it is long.
    private static let maximumPointers = 16

    private let message: [UInt8]
    private(set) var position = 0

    init(_ message: [UInt8]) {
        self.message = message
    }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard position < message.count else { throw Malformed() }
        defer { position += 1 }
        return message[position]
    }

    /// Two bytes, the most significant first.
    mutating func integer() throws(Malformed) -> UInt16 { try UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func bytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        let end = try end(after: count)
        defer { position = end }
        return message[position..<end]
    }

    mutating func skip(_ count: Int) throws(Malformed) { position = try end(after: count) }

    /// The position after some more bytes.
    func end(after count: Int) throws(Malformed) -> Int {
        guard count <= message.count - position else { throw Malformed() }
        return position + count
    }

    /// Ends a record; what was read must lie within it.
    mutating func move(to end: Int) throws(Malformed) {
        guard position <= end else { throw Malformed() }
        position = end
    }

    /// A name; nil if a label is not UTF-8.
    mutating func name() throws(Malformed) -> DNSName? {
        var labels: [String]? = []
        var length = 0
        /// The position after the name, once a pointer was followed.
        var after: Int?
        /// Pointers must point to before this.
        var lowest = position
        var pointers = 0
        while true {
            let first = try byte()
            switch first {
            case 0:
                if let after { position = after }
                return labels.map { DNSName($0) }
            case 1...63:
                length += Int(first) + 1
                // 255 bytes with the zero at the end (RFC 1035, section 2.3.4).
                guard length <= 254 else { throw Malformed() }
                let label = String(validating: try bytes(Int(first)), as: UTF8.self)
                if let label { labels?.append(label) } else { labels = nil }
            // A pointer: 14 bits of an offset in the message.
            case 0xC0...:
                let target = Int(first & 0x3F) << 8 | Int(try byte())
                after = after ?? position
                pointers += 1
                guard target < lowest, pointers <= Self.maximumPointers else { throw Malformed() }
                lowest = target
                position = target
            default: throw Malformed()
            }
        }
    }
}
