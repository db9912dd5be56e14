import Crypto
import Foundation
import Syntax

/// The client's side of a WebSocket (RFC 6455) without any input or output: bytes in, events out.
///
/// No extension is offered, so none may be used. The peer may send anything: there is a limit for the header of its
/// answer, for the length of a message, and for the number of frames in it.
struct WebSocket {
    enum Event: Equatable {
        /// The connection is open; the peer's time in seconds since the Unix epoch, if it says it.
        case opened(date: Int64?)
        case text([UInt8])
        /// A message that is longer than ``longest``, which was not kept.
        case tooLong
        /// A ping, which wants a ``Frame/pong`` with the same payload.
        case ping([UInt8])
        case closed
    }

    /// The longest header of the answer.
    static let longestHeader = 16 << 10
    /// The longest message: what Home Assistant knows of some 16,000 addresses.
    static let longest = 8 << 20
    /// The longest message that is passed over.
    static let longestSkipped = 32 << 20
    static let maximumFragments = 1024

    private let host: String
    private let path: String
    private let key: String
    private var isOpen = false
    /// The rest of a message that is too long, in bytes.
    private var skipped = 0
    private var input: [UInt8] = []
    /// The content of a message that is not complete, and the number of its fragments.
    private var message: [UInt8] = []
    private var fragments = 0

    /// - Parameter nonce: 16 random bytes.
    init(host: String, path: String, nonce: [UInt8]) {
        self.host = host
        self.path = path
        key = Data(nonce).base64EncodedString()
    }

    /// The request to begin with.
    var request: [UInt8] {
        let lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        return Array(lines.map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
    }

    /// Processes received bytes.
    mutating func take(_ bytes: [UInt8]) throws(HomeAssistantError) -> [Event] {
        var events: [Event] = []
        let rest = bytes.dropFirst(skipped)
        if skipped > 0 {
            skipped -= bytes.count - rest.count
            if skipped == 0 { events.append(.tooLong) }
        }
        input += rest
        if !isOpen {
            guard let opened = try readAnswer() else { return [] }
            events.append(opened)
        }
        var start = 0
        while let frame = try Frame(in: input, at: start) {
            guard !frame.isTooLong else {
                guard fragments == 0 else { throw .tooLarge }
                skipped = max(0, frame.length - (input.count - start))
                start += frame.length - skipped
                if skipped == 0 { events.append(.tooLong) }
                continue
            }
            start += frame.length
            if let event = try take(frame) { events.append(event) }
        }
        input.removeFirst(start)
        return events
    }

    private mutating func take(_ frame: Frame) throws(HomeAssistantError) -> Event? {
        let payload = input[frame.payload]
        switch (frame.kind, fragments) {
        case (.text, 0) where frame.isLast: return .text(Array(payload))
        case (.text, 0): (message, fragments) = (Array(payload), 1)
        case (.continuation, 1...):
            guard fragments < Self.maximumFragments, payload.count <= Self.longest - message.count else {
                throw .tooLarge
            }
            message += payload
            fragments += 1
            guard frame.isLast else { return nil }
            defer { (message, fragments) = ([], 0) }
            return .text(message)
        case (.ping, _): return .ping(Array(payload))
        case (.pong, _): break
        case (.close, _): return .closed
        // Home Assistant sends no binary messages, and a text must not begin within another.
        default: throw .malformed
        }
        return nil
    }
}

// The opening handshake (RFC 6455, section 4.1).
extension WebSocket {
    private mutating func readAnswer() throws(HomeAssistantError) -> Event? {
        guard let end = input.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard input.count <= Self.longestHeader else { throw .malformed }
            return nil
        }
        let lines = String(decoding: input[..<end.lowerBound], as: UTF8.self).split(at: "\n")
        input.removeFirst(end.upperBound)
        let words = lines.first?.parts(betweenScalars: { $0.isBlank || $0 == "\r" }) ?? []
        guard words.count >= 2, words[0].begins(with: "HTTP/1."), let status = Int(digits: words[1]) else {
            throw .malformed
        }
        guard status == 101 else { throw .status(status) }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .malformed }
            fields[parts[0].lowercased()] = String(parts[1].trimming(scalars: { $0.isBlank || $0 == "\r" }))
        }
        guard let accepted = fields["sec-websocket-accept"], accepted.utf8.elementsEqual(acceptance.utf8),
            fields["sec-websocket-extensions"] == nil
        else { throw .malformed }
        isOpen = true
        return .opened(date: fields["date"].flatMap(HTTPDate.seconds))
    }

    private var acceptance: String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
