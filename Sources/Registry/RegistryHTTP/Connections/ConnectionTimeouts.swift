/// The maximum time that a client may take for each part of a request.
public struct ConnectionTimeouts: Hashable, Sendable {
    /// The time from the connection (TLS handshake included) to the end of the first request's header.
    public var header: Duration
    /// The time from the end of the header to the end of the body, and a second more for each 16 KiB that the header
    /// announces. In each half of this time, at least ``progress`` bytes, or the end, must arrive.
    public var body: Duration
    /// The time from the end of a response to the end of the next request's header.
    public var idle: Duration
    /// The time in which the client must take ``progress`` bytes of a response, or the rest.
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

    /// The number of bytes that count as progress: about 9 kbit/s in 30 seconds, less than a second-generation mobile
    /// network carries. With a smaller number, a client could keep a body or a response in memory for days.
    static let progress = 32 << 10

    /// The time in nanoseconds for a body whose header announces a length in bytes, or 0.
    func body(of length: Int) -> Int64 {
        // A second for each 16 KiB.
        let seconds = min(max(length, 0), Self.longest) >> 14
        return body.nanoseconds + Int64(clamping: seconds) * 1_000_000_000
    }

    /// More bytes than any body that is accepted has.
    private static let longest = 64 << 20
}
