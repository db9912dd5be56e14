import Beacons

/// The fields of a form without files, as browsers send it (URL Standard, section 5.1).
struct FormFields {
    static let mediaType = "application/x-www-form-urlencoded"

    /// The maximum number of fields that are read; the pages' forms have fewer.
    private static let limit = 16

    private var values: [String: String] = [:]

    /// Unreadable fields are skipped. The caller has limited the length of the body.
    init(_ body: some Sequence<UInt8>) {
        for field in body.split(separator: UInt8(ascii: "&")).prefix(Self.limit) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = parts.count == 2 ? Self.decode(parts[1]) : "" else {
                continue
            }
            values[name] = value
        }
    }

    /// The value of a field, which is empty if the form does not have it.
    subscript(_ name: String) -> String { values[name] ?? "" }

    /// A name or a value; nil if an escape is wrong or the bytes are not UTF-8.
    private static func decode(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexadecimalValue), let low = rest.next().flatMap(hexadecimalValue)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
