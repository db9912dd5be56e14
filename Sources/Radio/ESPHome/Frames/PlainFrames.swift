import Foundation

/// The unencrypted form: a zero byte, the length and the type as varints, and the message.
struct PlainFrames: FrameCodec {
    /// The first byte of a frame; 1 is that of an encrypted one.
    static let mark: UInt8 = 0
    /// Varints of lengths and types are at most 32 bits long.
    private static let maximumVarint = 5

    var isReady: Bool { true }

    func open() -> Data { Data() }

    func next(_ input: inout ProxyInput) throws(ProxyError) -> ProxyFrame? {
        guard let mark = input[0] else { return nil }
        guard mark == Self.mark else { throw mark == NoiseFrames.mark ? .keyNeeded : .notESPHome }
        guard let length = try varint(input, at: 1) else { return nil }
        guard length.value <= ProxyFrame.maximumLength else { throw .notESPHome }
        guard let type = try varint(input, at: length.end) else { return nil }
        guard let number = UInt16(exactly: type.value) else { throw .notESPHome }
        guard input.count >= type.end + length.value else { return nil }
        return ProxyFrame(type: number, payload: input.take(header: type.end, content: length.value))
    }

    func encode(_ frame: ProxyFrame) -> Data {
        var bytes = Data([Self.mark])
        bytes.append(varint: UInt64(frame.payload.count))
        bytes.append(varint: UInt64(frame.type))
        return bytes + frame.payload
    }

    /// The number at an offset, and the offset of what follows; nil if it is not complete yet.
    private func varint(_ input: ProxyInput, at offset: Int) throws(ProxyError) -> (value: Int, end: Int)? {
        var value = 0
        for index in 0..<Self.maximumVarint {
            guard let byte = input[offset + index] else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte < 0x80 { return (value, offset + index + 1) }
        }
        throw .notESPHome
    }
}
