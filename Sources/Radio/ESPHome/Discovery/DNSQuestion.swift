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
