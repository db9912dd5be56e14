/// The next deadline of a connection: a value type that its owner updates with each event. Times are in nanoseconds.
struct ConnectionPhase {
    /// The state of the request that arrives, or arrived last.
    private enum Request {
        /// No request yet, or one whose header is incomplete.
        case awaited(until: Int64)
        /// The header was read, and the body is being read.
        case read(Body)
        /// The request was read completely; the client waits for the response.
        case complete
    }

    private struct Body {
        /// The deadline for the whole body.
        let until: Int64
        /// The deadline for the next progress.
        var next: Int64
        /// The bytes since the last progress.
        var received = 0
    }

    /// What is late once a deadline has passed.
    enum Expiry: Equatable {
        case header, body, write
    }

    private let timeouts: ConnectionTimeouts
    private var request: Request
    /// The number of requests whose responses were not handed over completely.
    private var unanswered = 0
    /// Whether a response has begun and not ended.
    private var isResponding = false
    /// Whether the buffers for what is sent are full.
    private var isBlocked = false
    /// The number of responses that were handed over completely, but have not left the buffers.
    private var unsent = 0
    /// The deadline until which the client must have read more; nil if nothing waits for it.
    private var sendingUntil: Int64?

    /// - Parameter now: when the connection began.
    init(_ timeouts: ConnectionTimeouts, at now: Int64) {
        self.timeouts = timeouts
        request = .awaited(until: now + timeouts.header.nanoseconds)
    }

    /// Whether a request waits for its response, or for the end of it.
    var isAnswering: Bool { unanswered > 0 }

    /// Whether the body of the last request has not been read completely.
    var isReadingBody: Bool { if case .read = request { true } else { false } }

    /// Whether the request whose body is being read can be refused: no response to it has begun, and no earlier request
    /// waits for one, which would take the refusal for its own.
    var isRefusable: Bool { unanswered == 1 && !isResponding }

    /// A request's header was read.
    ///
    /// - Parameter length: the length of the body that the header announces; 0 if it does not say.
    mutating func headerRead(announcing length: Int = 0, at now: Int64) {
        unanswered += 1
        request = .read(Body(until: now + timeouts.body(of: length), next: now + timeouts.body.nanoseconds / 2))
    }

    /// A part of a body was read.
    mutating func bodyReceived(_ bytes: Int, at now: Int64) {
        guard case .read(var body) = request else { return }
        body.received += bytes
        if body.received >= ConnectionTimeouts.progress {
            body.received = 0
            body.next = now + timeouts.body.nanoseconds / 2
        }
        request = .read(body)
    }

    /// A body was read to its end.
    mutating func bodyRead(at now: Int64) {
        request = .complete
        if unanswered == 0 { awaitRequest(at: now) }
    }

    /// The header of a response was handed over.
    mutating func beganAnswer() { isResponding = true }

    /// A response was handed over completely.
    ///
    /// - Parameter isSent: whether it has left the buffers already, so that ``sent(at:)`` will not be called for it.
    mutating func answered(isSent: Bool = false, at now: Int64) {
        isResponding = false
        unanswered -= 1
        if !isSent { unsent += 1 }
        updateSending(at: now)
        // A response can be sent before the body of its request has ended.
        if case .complete = request, unanswered == 0 { awaitRequest(at: now) }
    }

    /// A response that was handed over has left the buffers.
    mutating func sent(at now: Int64) {
        unsent -= 1
        updateSending(at: now, isProgress: true)
        // Only now does the client have the response.
        if case .awaited = request { awaitRequest(at: now) }
    }

    private mutating func awaitRequest(at now: Int64) { request = .awaited(until: now + timeouts.idle.nanoseconds) }

    /// The buffers for what is sent have become full, or have room again.
    mutating func becameWritable(_ isWritable: Bool, at now: Int64) {
        isBlocked = !isWritable
        updateSending(at: now, isProgress: isWritable)
    }

    /// The client has read a part of a response.
    mutating func tookMore(at now: Int64) { updateSending(at: now, isProgress: true) }

    /// Sets the deadline until which the client must read more: from now on if it has just read some.
    private mutating func updateSending(at now: Int64, isProgress: Bool = false) {
        guard isBlocked || unsent > 0 else {
            sendingUntil = nil
            return
        }
        if sendingUntil == nil || isProgress { sendingUntil = now + timeouts.write.nanoseconds }
    }

    /// The next deadline; nil while the client waits for the response.
    var deadline: (time: Int64, expiry: Expiry)? {
        let reading: (Int64, Expiry)? =
            switch request {
            // Until the client has the response, only its reading counts.
            case .awaited where unsent > 0: nil
            case .awaited(let time): (time, .header)
            case .read(let body): (min(body.until, body.next), .body)
            case .complete: nil
            }
        guard let sendingUntil else { return reading }
        guard let reading, reading.0 < sendingUntil else { return (sendingUntil, .write) }
        return reading
    }
}
