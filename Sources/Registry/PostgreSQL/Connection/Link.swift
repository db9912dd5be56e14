import CPostgreSQL
import Glibc

/// A connection of libpq in its non-blocking form
/// (https://www.postgresql.org/docs/15/libpq-async.html): this type waits, with deadlines.
final class Link {
    /// The connection can no longer be used: it was lost, or a deadline passed.
    struct Lost: Error {
        let message: String
    }

    /// Data has arrived, for ``poll(_:_:until:)``.
    static let readable = CInt(POLLIN)
    /// Data can be sent.
    static let writable = CInt(POLLOUT)

    /// Nil once the connection is closed.
    private(set) var pointer: OpaquePointer?
    let notices = Notices()

    /// Takes ownership of an established connection.
    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        notices.listen(to: pointer)
        PQsetnonblocking(pointer, 1)
    }

    deinit { close() }

    /// Closes the connection without waiting for the server. The server ends a running statement when it notices, or
    /// finishes it before.
    func close() {
        if let pointer { PQfinish(pointer) }
        pointer = nil
    }

    /// Whether libpq knows of no loss.
    var isOpen: Bool { pointer.map { PQstatus($0) == CONNECTION_OK } ?? false }

    /// Calls a function of libpq that returns 1 if it could queue something for the server.
    func send(_ body: (OpaquePointer) -> CInt) throws {
        guard let pointer else { throw Lost(message: "the connection is closed") }
        guard body(pointer) == 1 else { throw Lost(message: Self.message(pointer)) }
    }

    /// Sends queued data. Meanwhile it reads, since the server may stop reading until its replies are read.
    func flush(until end: ContinuousClock.Instant) throws {
        while let pointer {
            switch PQflush(pointer) {
            case 0: return
            case 1:
                let events = try wait(Self.readable | Self.writable, until: end)
                if events & Self.readable != 0 { try consume() }
            default: throw Lost(message: Self.message(pointer))
            }
        }
        throw Lost(message: "the connection is closed")
    }

    /// The next result; nil after the last one of a statement.
    func next(until end: ContinuousClock.Instant) throws -> Results? {
        guard let pointer else { throw Lost(message: "the connection is closed") }
        while PQisBusy(pointer) == 1 {
            _ = try wait(Self.readable, until: end)
            try consume()
        }
        return PQgetResult(pointer).map(Results.init)
    }

    /// The same; nil also if the connection ends after an error, which then has the reason.
    func next(after last: Results?, until end: ContinuousClock.Instant) throws -> Results? {
        do {
            return try next(until: end)
        } catch let lost as Lost {
            guard last?.isError == true else { throw lost }
            close()
            return nil
        }
    }

    /// Reads data that has arrived, without waiting.
    func consume() throws {
        guard let pointer else { throw Lost(message: "the connection is closed") }
        guard PQconsumeInput(pointer) == 1 else { throw Lost(message: Self.message(pointer)) }
    }

    /// Waits for one of the events; throws at the deadline.
    @discardableResult
    func wait(_ events: CInt, until end: ContinuousClock.Instant) throws -> CInt {
        guard let pointer else { throw Lost(message: "the connection is closed") }
        let ready = Self.poll(PQsocket(pointer), events, until: end)
        guard ready != 0 else { throw Lost(message: "the database did not answer in time") }
        return ready
    }

    /// The events of a descriptor; 0 if none has occurred by the deadline. An error counts as readable: reading
    /// reports it.
    static func poll(_ descriptor: CInt, _ events: CInt, until end: ContinuousClock.Instant) -> CInt {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let count = Glibc.poll(&entry, 1, milliseconds(until: end))
            if count > 0 {
                let ready = CInt(entry.revents)
                return ready & (readable | writable) == 0 ? readable : ready
            }
            if count == 0, ContinuousClock.now >= end { return 0 }
            if count < 0, errno != EINTR { return readable }
        }
    }

    /// For poll(2): at least 1 before the deadline, 0 after it.
    static func milliseconds(until end: ContinuousClock.Instant) -> CInt {
        let rest = end - .now
        guard rest > .zero else { return 0 }
        return CInt(clamping: rest.components.seconds.multipliedReportingOverflow(by: 1000).partialValue)
            &+ CInt(clamping: rest.components.attoseconds / 1_000_000_000_000_000) &+ 1
    }

    /// libpq's message in one line.
    static func message(_ pointer: OpaquePointer) -> String {
        let lines = lines(pointer)
        return lines.isEmpty ? "the connection was lost" : lines.joined(separator: " ")
    }

    /// The lines of libpq's message, without their indentation.
    static func lines(_ pointer: OpaquePointer) -> [Substring] {
        let text = PQerrorMessage(pointer).map { String(cString: $0) } ?? ""
        return text.split { $0.isNewline }.map { $0.trimmingPrefix { $0.isWhitespace } }
    }
}
