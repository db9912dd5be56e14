import Crypto
import Foundation
import Syntax

/// The client's side of a WebSocket (RFC 6455) without any input or output: bytes in, events out.
///
/// No extension is offered, so none may be used. The peer may send anything: there is a limit for the header of its
/// answer, for the length of a message that is kept, and for the number of frames in it and in what arrives together.
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

    /// The longest header of the answer in bytes.
    static let longestHeader = 16 << 10
    /// The longest message in bytes that is kept: what Home Assistant knows of some 16,000 addresses.
    static let longest = 8 << 20
    /// The longest frame that is passed over, which needs no memory. No message has this length; it keeps the sum of
    /// two lengths from overflowing.
    static let longestSkipped: UInt64 = 1 << 40
    /// The most frames of one message.
    static let maximumFragments = 1024
    /// The most frames in bytes that are processed together: many more than there are messages about adverts.
    static let maximumFrames = 4096

    private let host: String
    private let path: String
    private let key: String
    private var isOpen = false
    /// The rest of a frame that is too long, in bytes, and the event at its end.
    private var skipped = 0
    private var skippedEvent: Event?
    private var input: [UInt8] = []
    /// The content of a message that is not complete, and the number of its fragments.
    private var message: [UInt8] = []
    private var fragments = 0
    /// Whether this message is too long to be kept.
    private var isTooLong = false

    /// - Parameter nonce: 16 random bytes.
    init(host: String, path: String, nonce: [UInt8]) {
        self.host = host
        self.path = path
        key = Data(nonce).base64EncodedString()
    }

    /// Whether a message is being passed over.
    var isSkipping: Bool { skipped > 0 || isTooLong }
    /// Whether a part of a message has arrived.
    var isReceiving: Bool { isOpen && (isSkipping || fragments > 0 || !input.isEmpty) }

    /// The request to begin with.
    var request: [UInt8] {
        let lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
        ]
        return Array(lines.map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
    }

    /// Processes received bytes; returns what they complete.
    mutating func take(_ bytes: [UInt8]) throws(HomeAssistantError) -> [Event] {
        var events: [Event] = []
        // First the rest of a frame that is passed over.
        let rest = bytes.dropFirst(skipped)
        if skipped > 0 {
            skipped -= bytes.count - rest.count
            if skipped == 0, let event = skippedEvent { events.append(event) }
        }
        input += rest
        if !isOpen {
            guard let opened = try readAnswer() else { return [] }
            events.append(opened)
        }
        var start = 0
        var frames = 0
        while let frame = try Frame(in: input, at: start) {
            frames += 1
            guard frames <= Self.maximumFrames else { throw .flooding }
            let event = try process(frame)
            // Of a frame that is too long, only a part may have arrived.
            skipped = max(0, frame.length - (input.count - start))
            start += frame.length - skipped
            if skipped > 0 {
                skippedEvent = event
            } else if let event {
                events.append(event)
            }
        }
        input.removeFirst(start)
        return events
    }

    /// Processes a frame, of which only the header needs to have arrived if it is too long.
    private mutating func process(_ frame: Frame) throws(HomeAssistantError) -> Event? {
        let payload = input[frame.payload]
        switch (frame.kind, fragments) {
        case (.text, 0) where frame.isLast: return frame.isTooLong ? .tooLong : .text(Array(payload))
        case (.text, 0), (.continuation, 1...):
            guard fragments < Self.maximumFragments else { throw .tooLarge }
            fragments += 1
            isTooLong = isTooLong || frame.isTooLong || payload.count > Self.longest - message.count
            if isTooLong { message = [] } else { message += payload }
            guard frame.isLast else { return nil }
            defer {
                message = []
                fragments = 0
                isTooLong = false
            }
            return isTooLong ? .tooLong : .text(message)
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
    /// Reads the header of the answer, and checks it; nil if it is not complete.
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
            // To hash a name, Swift sorts its combining marks.
            guard parts.count == 2, parts[0].utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
            fields[parts[0].lowercased()] = String(parts[1].trimming(scalars: { $0.isBlank || $0 == "\r" }))
        }
        guard let accepted = fields["sec-websocket-accept"], accepted.utf8.elementsEqual(acceptance.utf8),
            fields["sec-websocket-extensions"] == nil
        else { throw .malformed }
        isOpen = true
        return .opened(date: fields["date"].flatMap(HTTPDate.seconds))
    }

    /// What the peer must answer to the key, to show that it knows WebSockets.
    private var acceptance: String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }
}
