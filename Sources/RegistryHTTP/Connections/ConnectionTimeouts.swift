/// The maximum time that a client may take for each part of a request.
public struct ConnectionTimeouts: Hashable, Sendable {
    /// The time from the connection (TLS handshake included) to the end of the first request's header.
    public var header: Duration
    /// The time from the end of the header to the end of the body.
    public var body: Duration
    /// The time from the end of a response to the end of the next request's header.
    public var idle: Duration
    /// The time during which the client reads nothing of a response that exceeds the buffers.
    public var write: Duration

    public init(
        header: Duration = .seconds(15), body: Duration = .seconds(60), idle: Duration = .seconds(75),
        write: Duration = .seconds(30)
    ) {
        self.header = header
        self.body = body
        self.idle = idle
        self.write = write
    }
}

/// The next deadline of a connection: a value type that its owner updates with each event.
struct ConnectionPhase {
    private enum Request {
        /// No request yet, or one whose header is incomplete.
        case awaited(until: Int64)
        case read(until: Int64)
        /// The request was read completely; the client waits for the response.
        case complete
    }

    enum Expiry: Equatable {
        case header, body, write
    }

    private let timeouts: ConnectionTimeouts
    private var request: Request
    private var unanswered = 0
    /// Whether a response has begun and not ended.
    private var isResponding = false
    private var stuckUntil: Int64?

    /// Starts with the connection; times are in nanoseconds.
    init(_ timeouts: ConnectionTimeouts, at now: Int64) {
        self.timeouts = timeouts
        request = .awaited(until: now + timeouts.header.nanoseconds)
    }

    var isAnswering: Bool { unanswered > 0 }

    /// Whether the body of the last request has not been read completely.
    var isReadingBody: Bool { if case .read = request { true } else { false } }

    /// Whether the request whose body is being read can be refused: no response to it has begun, and no earlier request
    /// waits for one, which would take the refusal for its own.
    var isRefusable: Bool { unanswered == 1 && !isResponding }

    mutating func headerRead(at now: Int64) {
        unanswered += 1
        request = .read(until: now + timeouts.body.nanoseconds)
    }

    mutating func bodyRead(at now: Int64) {
        request = .complete
        if unanswered == 0 { rest(at: now) }
    }

    mutating func beganAnswer() { isResponding = true }

    mutating func answered(at now: Int64) {
        isResponding = false
        unanswered -= 1
        // A response can be sent before the body of its request has ended.
        if case .complete = request, unanswered == 0 { rest(at: now) }
    }

    private mutating func rest(at now: Int64) { request = .awaited(until: now + timeouts.idle.nanoseconds) }

    mutating func becameWritable(_ isWritable: Bool, at now: Int64) {
        stuckUntil = isWritable ? nil : stuckUntil ?? now + timeouts.write.nanoseconds
    }

    /// The next deadline; nil while the client waits for the response.
    var deadline: (time: Int64, expiry: Expiry)? {
        let reading: (Int64, Expiry)? =
            switch request {
            case .awaited(let time): (time, .header)
            case .read(let time): (time, .body)
            case .complete: nil
            }
        guard let stuckUntil else { return reading }
        guard let reading, reading.0 < stuckUntil else { return (stuckUntil, .write) }
        return reading
    }
}
