import Syntax

/// One server-sent event.
public struct ServerSentEvent: Hashable, Sendable {
    /// The identifier to resume after: the last one received, empty before the first.
    public var id: String
    /// `message` if the server names none.
    public var type: String
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

    private var line: [UInt8] = []
    private var followsReturn = false
    private var id = ""
    private var type = ""
    private var data: [String] = []
    private var size = 0

    public init() {}

    /// Returns the events that a part completes.
    ///
    /// - Throws: `malformedAnswer` if an event is too long.
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
