import Syntax

/// The records of a DNS response that discovery needs (RFC 1035, section 4; RFC 2782; RFC 6763). Everything else is
/// skipped; a message that breaks the format anywhere is refused as a whole.
struct DNSMessage: Equatable, Sendable {
    /// The longest message of multicast DNS (RFC 6762, section 17).
    static let maximumLength = 9000
    /// The most records that are read; one device has fewer than ten.
    static let maximumRecords = 200

    enum Data: Equatable, Sendable {
        case pointer(DNSName)
        case service(port: UInt16, host: DNSName)
        /// The texts without those that are not UTF-8.
        case texts([String])
        /// An IPv4 address.
        case address(String)
    }

    struct Record: Equatable, Sendable {
        let name: DNSName
        let data: Data
    }

    private(set) var records: [Record] = []

    /// Parses a response; nil if the message is not one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumLength else { return nil }
        var reader = DNSReader(bytes)
        do throws(DNSReader.Malformed) {
            _ = try reader.integer()
            // A response without an error (RFC 6762, section 18).
            guard try reader.integer() & 0x800F == 0x8000 else { return nil }
            let questions = try reader.integer()
            let count = try Int(reader.integer()) + Int(reader.integer()) + Int(reader.integer())
            guard count <= Self.maximumRecords, questions <= Self.maximumRecords else { return nil }
            for _ in 0..<questions {
                _ = try reader.name()
                try reader.skip(4)
            }
            for _ in 0..<count {
                if let record = try Self.record(&reader) { records.append(record) }
            }
        } catch {
            return nil
        }
    }

    private static func record(_ reader: inout DNSReader) throws(DNSReader.Malformed) -> Record? {
        let name = try reader.name()
        let type = try reader.integer()
        // The upper bit means that a cache should forget older records (RFC 6762, section 10.2).
        let isInternet = try reader.integer() & 0x7FFF == 1
        try reader.skip(4)
        let length = Int(try reader.integer())
        let end = try reader.end(after: length)
        let data = isInternet ? try data(ofType: type, &reader, end: end) : nil
        try reader.move(to: end)
        // No device has a name that is not UTF-8.
        return name.flatMap { name in data.map { Record(name: name, data: $0) } }
    }

    private static func data(
        ofType type: UInt16, _ reader: inout DNSReader, end: Int
    ) throws(DNSReader.Malformed) -> Data? {
        switch type {
        case DNSQuestion.address:
            guard end - reader.position == 4 else { throw DNSReader.Malformed() }
            return .address(try reader.bytes(4).map(String.init).joined(separator: "."))
        case DNSQuestion.pointer: return try reader.name().map { .pointer($0) }
        case DNSQuestion.text:
            var texts: [String] = []
            while reader.position < end {
                let length = Int(try reader.byte())
                guard reader.position + length <= end else { throw DNSReader.Malformed() }
                if let text = String(validating: try reader.bytes(length), as: UTF8.self) { texts.append(text) }
            }
            return .texts(texts)
        case DNSQuestion.service:
            try reader.skip(4)
            let port = try reader.integer()
            return try reader.name().map { .service(port: port, host: $0) }
        default: return nil
        }
    }
}

/// A question about all records of a type that a name has.
struct DNSQuestion: Hashable, Sendable {
    static let address: UInt16 = 1
    static let pointer: UInt16 = 12
    static let text: UInt16 = 16
    static let service: UInt16 = 33

    let name: DNSName
    let type: UInt16

    /// A one-shot query (RFC 6762, section 5.1): the responses come to the port that it was sent from.
    static func query(_ questions: some Collection<DNSQuestion>) -> [UInt8] {
        let count = UInt8(truncatingIfNeeded: questions.count)
        return [0, 0, 0, 0, 0, count, 0, 0, 0, 0, 0, 0]
            + questions.flatMap { $0.name.bytes + [UInt8($0.type >> 8), UInt8($0.type & 0xFF), 0, 1] }
    }
}

/// Reads a DNS message. It cannot loop: a compressed name points only backwards (RFC 1035, section 4.1.4), and each
/// pointer further than the last.
struct DNSReader {
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
                guard length <= 254 else { throw Malformed() }
                let label = String(validating: try bytes(Int(first)), as: UTF8.self)
                labels = labels.flatMap { labels in label.map { labels + [$0] } }
            case 0xC0...:
                let target = Int(first & 0x3F) << 8 | Int(try byte())
                after = after ?? position
                pointers += 1
                guard target < lowest, pointers <= Self.maximumPointers else { throw Malformed() }
                (lowest, position) = (target, target)
            default: throw Malformed()
            }
        }
    }
}

/// A domain name as its labels, compared without regard to ASCII case (RFC 6762, section 16).
struct DNSName: Hashable, Sendable {
    /// 1 to 63 bytes each, and 255 in all with their lengths (RFC 1035, section 2.3.4).
    let labels: [String]

    init(_ labels: [String]) {
        self.labels = labels
    }

    /// A name without dots in its labels: `_esphomelib._tcp.local`.
    init(_ text: String) {
        labels = text.split(at: ".").map(String.init)
    }

    /// The name as people write it.
    var text: String { labels.joined(separator: ".") }

    var bytes: [UInt8] { labels.flatMap { [UInt8(truncatingIfNeeded: $0.utf8.count)] + $0.utf8 } + [0] }

    private var key: [String] { labels.map { $0.lowercased() } }

    static func == (left: Self, right: Self) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
