import Syntax

/// One server-sent event.
public struct ServerSentEvent: Hashable, Sendable {
    /// The identifier to resume after: the last one received, empty before the first.
    public var id: String
    /// `message` if the server names none.
    public var type: String
    /// The lines of data, joined by line feeds.
    public var data: String

    public init(id: String, type: String, data: String) {
        self.id = id
        self.type = type
        self.data = data
    }
}

/// Parses an event stream as it arrives, in parts of any size (WHATWG HTML, section 9.2.6).
public struct EventStreamParser: Sendable {
    /// The maximum number of bytes in one event; a longer event makes the stream invalid.
    static let limit = 1 << 20

    /// The bytes of the current line.
    private var line: [UInt8] = []
    /// Whether the last byte was CR, after which LF does not end another line.
    private var followsReturn = false
    /// The identifier of the last event; it stays until an event has another.
    private var id = ""
    private var type = ""
    /// The lines of data of the current event.
    private var data: [String] = []
    /// The bytes of the current event, without line ends.
    private var size = 0

    public init() {}

    /// Takes the next bytes of the stream; returns the events that they complete.
    ///
    /// - Throws: ``RegistryError/malformedAnswer(_:)`` if an event is too long.
    public mutating func take(_ bytes: [UInt8]) throws(RegistryError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: followsReturn = false
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                followsReturn = byte == UInt8(ascii: "\r")
                if let event = endLine() { events.append(event) }
            default:
                followsReturn = false
                line.append(byte)
                size += 1
                guard size <= Self.limit else { throw .malformedAnswer("an event of more than \(Self.limit) bytes") }
            }
        }
        return events
    }

    /// Reads the current line; returns the event that it ends, if it is empty and there is one.
    private mutating func endLine() -> ServerSentEvent? {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        guard !text.isEmpty else { return endEvent() }
        let parts = text.split(at: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count > 1 ? parts[1] : ""
        let value = rest.dropping(prefix: " ") ?? rest
        switch parts[0] {
        case "id" where !value.utf8.contains(0): id = String(value)
        case "event": type = String(value)
        case "data": data.append(String(value))
        default: break
        }
        return nil
    }

    /// Returns the current event; nil if it has no data. The next one begins.
    private mutating func endEvent() -> ServerSentEvent? {
        defer {
            type = ""
            data = []
            size = 0
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(id: id, type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
    }
}
