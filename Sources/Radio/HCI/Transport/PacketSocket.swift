import Beacons
import Dispatch
import Glibc
import OperatingSystem

/// A socket to a controller, read on a private Dispatch queue.
///
/// Events that are not received are kept up to a limit; beyond it advertising reports are dropped and counted, but
/// never the replies to commands.
actor PacketSocket: HCITransport {
    /// The pause after the socket is empty, so that a dense place wakes the process 100 times a second and not 10,000
    /// times.
    static let readingPause = DispatchTimeInterval.milliseconds(10)
    /// The number of bytes of events that wait, beyond which reports are dropped.
    static let maximumBytes = 1 << 20
    /// The maximum number of reads in a row, so that a flood does not delay delivery.
    static let maximumReads = 1024

    private let executor: QueueExecutor
    private let target: String
    private var framing: PacketFraming
    private var descriptor: CInt?
    private var source: DescriptorSource?
    private var buffer: [UInt8]
    private var received = HCIPackets()
    private var waiter: CheckedContinuation<Result<HCIPackets?, HCIError>, Never>?
    /// The reason why no more events arrive.
    private var failure: HCIError?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ target: String, _ framing: PacketFraming) {
        executor = QueueExecutor(label: "PacketSocket")
        self.target = target
        self.framing = framing
        // No HCI packet is longer than 65,540 bytes.
        buffer = Array(repeating: 0, count: 1 << 16 + 64)
    }

    /// Opens a descriptor, on the socket's own queue because that may block, and starts reading.
    static func open(
        _ target: String, framing: PacketFraming, _ open: @Sendable () throws(HCIError) -> CInt
    ) async throws(HCIError) -> PacketSocket {
        let socket = PacketSocket(target, framing)
        try await socket.start(open)
        return socket
    }

    private func start(_ open: @Sendable () throws(HCIError) -> CInt) throws(HCIError) {
        let descriptor = try open()
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        source = DescriptorSource(descriptor, .reading, queue: executor.queue) { @Sendable [weak self] in
            self?.assumeIsolated { $0.drain() }
        }
    }

    func close() {
        closeDescriptor()
        received = HCIPackets()
        failure = nil
        answer(.success(nil))
    }

    /// Closes the descriptor; events that were received can still be taken.
    private func closeDescriptor() {
        source = nil
        descriptor = nil
    }
}

// Receiving.
extension PacketSocket {
    func receive() async throws(HCIError) -> HCIPackets? {
        if !received.isEmpty { return take() }
        if let failure { throw failure }
        guard descriptor != nil else { return nil }
        return try await withCheckedContinuation { waiter = $0 }.get()
    }

    /// Removes and returns the events that wait.
    private func take() -> HCIPackets {
        defer { received = HCIPackets() }
        return received
    }

    /// Passes a result to the caller that waits, if there is one.
    private func answer(_ result: Result<HCIPackets?, HCIError>) {
        waiter?.resume(returning: result)
        waiter = nil
    }

    /// Reads all available data, then pauses.
    private func drain() {
        source?.suspend()
        _ = readAll()
        scheduleReading()
    }

    /// Reads again after the pause.
    private func scheduleReading() {
        let read: @Sendable () -> Void = { [weak self] in self?.assumeIsolated { $0.continueReading() } }
        executor.queue.asyncAfter(deadline: .now() + Self.readingPause, execute: read)
    }

    /// Continues reading, and resumes the source once the socket is empty.
    ///
    /// It then reads again: Dispatch on Linux forgets a descriptor whose peer hangs up while its source is suspended.
    private func continueReading() {
        if readAll() { return scheduleReading() }
        source?.resume()
        if readAll() { drain() }
    }

    /// Reads until the socket is empty or a limit is reached, and delivers the events; false if there were none.
    private func readAll() -> Bool {
        var hasRead = false
        do {
            for _ in 0..<Self.maximumReads {
                guard try readOnce() else { break }
                hasRead = true
            }
        } catch {
            failure = error
            closeDescriptor()
        }
        if waiter != nil, !received.isEmpty { answer(.success(take())) }
        if let failure { answer(.failure(failure)) }
        return hasRead
    }

    /// Reads one chunk; false if there was none.
    private func readOnce() throws(HCIError) -> Bool {
        guard let descriptor else { return false }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count == 0 { throw .closed(target: target) }
            if errno == EINTR { return true }
            if errno == EAGAIN || errno == EWOULDBLOCK { return false }
            throw .system(.read, target: target, code: errno)
        }
        try framing.append(buffer.span.bytes.extracting(first: count)) { event in received.appendIfRoom(event) }
        return true
    }
}

// Sending.
extension PacketSocket {
    func send(_ packet: [UInt8]) throws(HCIError) {
        var rest = packet[...]
        while !rest.isEmpty {
            guard let descriptor else { throw .closed(target: target) }
            let count = rest.withUnsafeBytes { write(to: descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try waitUntilWritable(descriptor)
            } else if errno != EINTR {
                throw .system(.write, target: target, code: errno)
            }
        }
    }

    private func write(to descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        // A closed connection must be reported as an error, not as a signal that ends the process.
        Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Waits until the socket is writable. Commands are small: a peer that accepts none for a second is stuck. Blocks
    /// only this socket's queue.
    private func waitUntilWritable(_ descriptor: CInt) throws(HCIError) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard Glibc.poll(&poll, 1, 1000) > 0 else { throw .system(.write, target: target, code: ETIMEDOUT) }
    }
}

extension HCIPackets {
    /// Appends an event, or counts it as dropped if too many wait.
    fileprivate mutating func appendIfRoom(_ event: RawSpan) {
        let isAnswer = event.byteCount > 0 && event[byte: 0] != HCIEvent.leMeta
        // The second half is for replies, which are few.
        let limit = isAnswer ? 2 * PacketSocket.maximumBytes : PacketSocket.maximumBytes
        if bytes.count < limit {
            append(event: event)
        } else {
            dropped += 1
        }
    }
}
