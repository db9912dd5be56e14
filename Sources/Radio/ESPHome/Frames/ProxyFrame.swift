import Foundation

/// A message of ESPHome's native API: its type, and its protobuf encoding.
struct ProxyFrame: Equatable {
    /// A frame of the encrypted form cannot be longer, and those that are needed here are far shorter.
    static let maximumLength = 65_535

    let type: UInt16
    let payload: Data
}

/// Cuts the bytes of a connection into messages. It keeps at most one incomplete message.
protocol FrameCodec {
    /// The bytes to send when the connection opens.
    mutating func open() throws(ProxyError) -> Data
    /// Whether messages can be sent.
    var isReady: Bool { get }
    /// The next message, which it removes from the input; nil if it is not complete yet.
    mutating func next(_ input: inout ProxyInput) throws(ProxyError) -> ProxyFrame?
    /// The bytes of a message.
    mutating func encode(_ frame: ProxyFrame) throws(ProxyError) -> Data
}

/// Bytes that were received and not used yet.
struct ProxyInput {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// A byte; nil if it has not arrived.
    subscript(offset: Int) -> UInt8? { offset < count ? bytes[start + offset] : nil }

    /// Removes bytes from the front: a header, and the content after it, which it returns. The caller checks that they
    /// have arrived.
    mutating func take(header: Int, content: Int) -> Data {
        let first = start + header
        start = first + content
        return Data(bytes[first..<start])
    }
}
