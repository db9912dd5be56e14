/// The records of a DNS response that discovery needs (RFC 1035, section 4; RFC 2782; RFC 6763). Everything else is
/// skipped; a message that breaks the format anywhere is refused as a whole.
struct DNSMessage: Equatable, Sendable {
    /// The longest message of multicast DNS (RFC 6762, section 17).
    static let maximumLength = 9000
    /// The most records that are read; one device has fewer than ten.
    static let maximumRecords = 200

    /// What a record says about its name.
    enum Data: Equatable, Sendable {
        /// A device that offers the service of that name.
        case pointer(DNSName)
        /// Where a device offers its service.
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
            // The identifier, which is zero in multicast DNS.
            _ = try reader.integer()
            // A response without an error (RFC 6762, section 18).
            guard try reader.integer() & 0x800F == 0x8000 else { return nil }
            let questions = try reader.integer()
            // Answers, authorities and additional records.
            let count = try Int(reader.integer()) + Int(reader.integer()) + Int(reader.integer())
            guard count <= Self.maximumRecords, questions <= Self.maximumRecords else { return nil }
            for _ in 0..<questions {
                _ = try reader.name()
                // Type and class.
                try reader.skip(4)
            }
            for _ in 0..<count {
                if let record = try Self.record(&reader) { records.append(record) }
            }
        } catch {
            return nil
        }
    }

    /// Reads a record; nil if it is one that discovery does not need.
    private static func record(_ reader: inout DNSReader) throws(DNSReader.Malformed) -> Record? {
        let name = try reader.name()
        let type = try reader.integer()
        // The upper bit means that a cache should forget older records (RFC 6762, section 10.2).
        let isInternet = try reader.integer() & 0x7FFF == 1
        // How long the record may be kept.
        try reader.skip(4)
        let length = Int(try reader.integer())
        let end = try reader.end(after: length)
        let data = isInternet ? try data(ofType: type, &reader, end: end) : nil
        try reader.move(to: end)
        // No device has a name that is not UTF-8.
        guard let name, let data else { return nil }
        return Record(name: name, data: data)
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
            // Priority and weight (RFC 2782).
            try reader.skip(4)
            let port = try reader.integer()
            return try reader.name().map { .service(port: port, host: $0) }
        default: return nil
        }
    }
}

/// A question about all records of a type that a name has.
struct DNSQuestion: Hashable, Sendable {
    /// Types of records (RFC 1035, section 3.2.2; RFC 2782).
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
