import CMosquitto
import OperatingSystem

/// One connection to a broker; once lost, it is not reopened.
///
/// All calls of libmosquitto are made on a private queue, woken by the socket and once a second.
actor MQTTConnection {
    /// The messages from the broker; ends with the connection.
    nonisolated let messages: AsyncStream<MQTTMessage>

    private typealias Acknowledgement = CheckedContinuation<Result<Void, MQTTError>, Never>

    private let executor: QueueExecutor
    private let arrivals: AsyncStream<MQTTMessage>.Continuation
    /// The handle; nil once the connection has ended.
    private var handle: MosquittoHandle?
    private var wakeUp: SocketWakeUp?
    /// The call that waits for the broker to accept the connection.
    private var opening: Acknowledgement?
    /// The calls that wait for the broker to acknowledge a packet, by its identifier.
    private var waiters: [Int32: (waiter: Acknowledgement, deadline: ContinuousClock.Instant)] = [:]
    /// The time that the broker has for an acknowledgement.
    private let patience: Duration
    /// The topics of pending subscriptions, by packet identifier.
    private var topics: [Int32: String] = [:]
    /// The reason why the connection has ended; nil while it lasts.
    private(set) var loss: MQTTError?
    /// Since when data has waited that the broker does not read; nil if none waits. For a broker that sends without
    /// reading, libmosquitto would keep all replies in memory.
    private var blocked: ContinuousClock.Instant?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Messages that were dropped because the reader was too slow.
    private(set) var dropped = 0

    private init(patience: Duration, backlog: Int) {
        self.patience = patience
        executor = QueueExecutor(label: "MQTTConnection")
        (messages, arrivals) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(backlog))
    }

    /// Connects and waits for the broker to accept.
    ///
    /// - Parameters:
    ///   - will: the message that the broker publishes if the connection is lost.
    ///   - backlog: the maximum number of messages that wait for the reader.
    /// - Throws: ``MQTTError``, or `CancellationError`.
    static func open(
        _ configuration: BrokerConfiguration, will: MQTTMessage? = nil, backlog: Int = 64
    ) async throws -> MQTTConnection {
        // Name resolution and connecting cannot be cancelled: this returns after its timeout, and the connection ends
        // by itself.
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<MQTTConnection, MQTTError>.self)
        Task {
            do throws(MQTTError) {
                let connection = try await connectWithAnyVersion(configuration, will, backlog: backlog)
                if case .terminated = outcome.yield(.success(connection)) { await connection.close() }
            } catch {
                outcome.yield(.failure(error))
            }
            outcome.finish()
        }
        let patience = Task {
            try await Task.sleep(for: configuration.patience)
            outcome.yield(.failure(.noAnswer))
        }
        defer { patience.cancel() }
        for await result in outcomes {
            outcome.finish()
            return try result.get()
        }
        outcome.finish()
        throw CancellationError()
    }

    /// Connects with MQTT 5, or with MQTT 3.1.1 if the broker is too old for that.
    private static func connectWithAnyVersion(
        _ configuration: BrokerConfiguration, _ will: MQTTMessage?, backlog: Int
    ) async throws(MQTTError) -> MQTTConnection {
        do throws(MQTTError) {
            let connection = MQTTConnection(patience: configuration.patience, backlog: backlog)
            try await connection.connect(configuration, will, .mqtt5)
            return connection
        } catch {
            guard error.mayMeanOlderBroker else { throw error }
            let connection = MQTTConnection(patience: configuration.patience, backlog: backlog)
            try await connection.connect(configuration, will, .mqtt311)
            return connection
        }
    }

    /// Sends a message, and returns once the broker has acknowledged it (quality of service 1). If the broker does not
    /// acknowledge within ``BrokerConfiguration/patience``, the connection is closed with an error: otherwise no
    /// message would explain why nothing arrives there.
    func publish(_ message: MQTTMessage) async throws(MQTTError) {
        try await awaitAcknowledgement { handle throws(MQTTError) in try handle.publish(message) }
    }

    /// Subscribes to a topic, and returns once the broker has acknowledged that.
    func subscribe(_ topic: String) async throws(MQTTError) {
        try await awaitAcknowledgement { handle throws(MQTTError) in
            let id = try handle.subscribe(topic)
            topics[id] = topic
            return id
        }
    }

    /// Ends a subscription, without waiting for the broker: its messages may arrive for a while.
    func unsubscribe(_ topic: String) throws(MQTTError) {
        guard let handle else { throw loss ?? .notConnected }
        try handle.unsubscribe(topic)
    }

    /// Disconnects.
    func close() {
        handle?.disconnect()
        lose(.notConnected)
    }

    /// Connects by one version of the protocol, and waits for the broker to accept.
    private func connect(
        _ configuration: BrokerConfiguration, _ will: MQTTMessage?, _ version: MosquittoHandle.Version
    ) async throws(MQTTError) {
        let handle = try MosquittoHandle(clientID: configuration.clientID, version)
        try handle.connect(configuration, will: will)
        guard let wakeUp = SocketWakeUp(handle.socket, queue: executor.queue, { [weak self] in self?.wake() })
        else { throw MQTTError(code: MOSQ_ERR_ERRNO.rawValue) }
        self.handle = handle
        self.wakeUp = wakeUp
        let result: Result<Void, MQTTError> = await withCheckedContinuation { opening = $0 }
        try result.get()
    }

    // If this is inlined, the optimizer of Swift 6.2.3 fails (“Cannot dereference a null Type”).
    /// Sends a packet, and waits for the broker to acknowledge it.
    @inline(never)
    private func awaitAcknowledgement(
        _ send: (MosquittoHandle) throws(MQTTError) -> Int32
    ) async throws(MQTTError) {
        let result: Result<Void, MQTTError> = await withCheckedContinuation { continuation in
            guard let handle else { return continuation.resume(returning: .failure(loss ?? .notConnected)) }
            do throws(MQTTError) {
                let id = try send(handle)
                waiters[id] = (continuation, .now + patience)
                work()
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        try result.get()
    }

    /// Called on the queue.
    private nonisolated func wake() { assumeIsolated { $0.work() } }

    /// Lets the library work, processes what has happened, and ends the connection if the broker was too slow.
    private func work() {
        guard let handle else { return }
        do throws(MQTTError) {
            try handle.work()
            process(handle.takeHappenings())
        } catch {
            process(handle.takeHappenings())
            lose(error)
        }
        let now = ContinuousClock.now
        if waiters.values.contains(where: { $0.deadline < now }) { lose(.notAcknowledged) }
        if !handle.isBlocked {
            blocked = nil
        } else if blocked == nil {
            blocked = now
        }
        if let blocked, blocked + patience < now { lose(.blocked) }
    }

    /// Passes on what the library has reported.
    private func process(_ happenings: [MosquittoHandle.Happening]) {
        for happening in happenings {
            switch happening {
            case .connected(0): resumeOpening(.success(()))
            case .connected(let code): lose(MQTTError(connack: code))
            case .published(let id): waiters.removeValue(forKey: id)?.waiter.resume(returning: .success(()))
            case .subscribed(let id, let granted):
                let topic = topics.removeValue(forKey: id) ?? ""
                waiters.removeValue(forKey: id)?.waiter.resume(
                    returning: granted < MosquittoHandle.refusedQuality
                        ? .success(()) : .failure(.subscriptionRefused(topic: topic)))
            case .message(let message):
                if case .dropped = arrivals.yield(message) { dropped += 1 }
            }
        }
    }

    /// Passes the result of connecting to the call that waits for it.
    private func resumeOpening(_ result: Result<Void, MQTTError>) {
        let opening = opening
        self.opening = nil
        opening?.resume(returning: result)
    }

    /// Ends the connection and resumes all waiting calls.
    private func lose(_ reason: MQTTError) {
        guard handle != nil else { return }
        loss = reason
        handle = nil
        wakeUp = nil
        resumeOpening(.failure(reason))
        let waiters = waiters
        self.waiters = [:]
        for (waiter, _) in waiters.values { waiter.resume(returning: .failure(reason)) }
        arrivals.finish()
    }
}

/// A message to a broker or from one.
public struct MQTTMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// Whether the broker retains it for later subscribers.
    public var isRetained: Bool

    public init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    public init(_ topic: String, _ text: String, isRetained: Bool = false) {
        self.init(topic, Array(text.utf8), isRetained: isRetained)
    }
}
