public import OperatingSystem

/// Serves HTTP/1.1 in the venue's network, or to programs of this machine.
///
/// Guests may be in this network, too: a connection has one request, some seconds, and bounds on everything. A response
/// without an end may last, but its peer has as long for each piece.
public struct HTTPServer: Sendable {
    /// How long a peer may take: more than a slow phone needs.
    static let patience = Duration.seconds(10)
    /// The most bytes of one read.
    private static let pieceLength = 4096
    /// How many pieces of a request that is refused are read and dropped.
    private static let droppedPieces = 256

    private let connections: ConnectionLimits
    private let clock: any Clock<Duration>
    private let admits: @Sendable (NetworkAddress) -> Bool
    private let respond: @Sendable (ServerRequest, NetworkAddress) async -> ServerResponse

    /// - Parameters:
    ///   - clock: measures the time of connections.
    ///   - admits: whether a peer may connect.
    ///   - respond: answers a request of a peer.
    public init(
        connections: ConnectionLimits, clock: any Clock<Duration> = ContinuousClock(),
        admits: @escaping @Sendable (NetworkAddress) -> Bool = { _ in true },
        respond: @escaping @Sendable (ServerRequest, NetworkAddress) async -> ServerResponse
    ) {
        self.connections = connections
        self.clock = clock
        self.admits = admits
        self.respond = respond
    }

    /// Accepts connections until the task is cancelled.
    public func run(on listener: ServerSocket) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let accepted: (socket: ServerSocket, peer: NetworkAddress)
                do {
                    accepted = try await listener.accept()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    // The peer may be gone already, or there are too many open files.
                    try await clock.sleep(for: .milliseconds(100))
                    continue
                }
                let (socket, peer) = accepted
                guard admits(peer), let id = connections.admit(peer, end: { socket.end() }) else { continue }
                group.addTask {
                    await self.serve(socket, peer)
                    connections.release(id)
                }
            }
        }
    }

    /// Serves one connection.
    private func serve(_ socket: ServerSocket, _ peer: NetworkAddress) async {
        guard let stream = await patiently({ try await answer(socket, peer) }) else { return }
        for await piece in stream {
            let isWritten = await patiently { () -> Bool? in
                try await socket.write(piece)
                return true
            }
            guard isWritten == true else { return }
        }
    }

    /// Runs `body` for at most ``patience``.
    ///
    /// - Returns: nil if it fails or takes too long.
    private func patiently<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value?
    ) async -> Value? {
        await withTaskGroup(of: Value?.self, returning: Value?.self) { group in
            group.addTask { try? await body() }
            group.addTask {
                try? await clock.sleep(for: Self.patience)
                return nil
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }

    /// Answers the one request of a connection.
    ///
    /// - Returns: what follows, if the response has no end.
    private func answer(_ socket: ServerSocket, _ peer: NetworkAddress) async throws -> AsyncStream<[UInt8]>? {
        do {
            guard let request = try await request(from: socket) else { return nil }
            let response = await respond(request, peer)
            let isHead = request.method == "HEAD"
            try await socket.write(response.bytes(isHead: isHead))
            if let stream = response.stream, !isHead { return stream }
            socket.endWriting()
        } catch let refusal as RequestReader.Refusal {
            try await socket.write(ServerResponse.text(refusal.status, "The request cannot be read.").bytes())
            socket.endWriting()
            // If bytes were unread when the connection is closed, the peer might lose the response (RFC 9112,
            // section 9.6).
            for _ in 0..<Self.droppedPieces {
                guard try await !socket.read(atMost: Self.pieceLength).isEmpty else { return nil }
            }
        }
        return nil
    }

    /// Reads the request of a connection.
    ///
    /// - Returns: nil if the connection ends before it.
    private func request(from socket: ServerSocket) async throws -> ServerRequest? {
        var reader = RequestReader()
        while true {
            let bytes = try await socket.read(atMost: Self.pieceLength)
            guard !bytes.isEmpty else { return nil }
            if let request = try reader.read(bytes) { return request }
        }
    }
}
