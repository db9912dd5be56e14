/// The bytes of hexadecimal digits, in which spaces are ignored; nil if the text is invalid.
public func bytes(hex text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let octet = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
            return nil
        }
        bytes.append(octet)
    }
    return bytes
}
