public import Logging
public import ServiceLifecycle
import Synchronization
public import VenueStatus

/// Publishes the missing bikes that are present and the state of the station to a broker of the venue, and reconnects
/// whenever the connection is lost.
public struct VenueBroker: Service {
    /// The state of the connection.
    public struct State: Hashable, Sendable {
        public internal(set) var isConnected = false
        public internal(set) var lastError: String?
    }

    private final class Record: Sendable {
        let state = Mutex(State())
        let connection = Mutex<MQTTConnection?>(nil)
    }

    /// The interval at which readings are published; after a connection that lasted longer, the waits start over.
    private static let interval = Duration.seconds(30)

    private let configuration: BrokerConfiguration
    private let topics: VenueTopics
    private let discovery: HomeAssistantDiscovery
    private let takesAnswers: Bool
    private let waits: ClosedRange<Duration>
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let onConnected: @Sendable () -> Void
    private let record = Record()
    private let source: any VenueSource

    /// - Parameters:
    ///   - takesAnswers: whether to accept staff's answers from the broker; anybody who may publish there can give one.
    ///   - waits: the waits before reconnecting: the first, which doubles each time, and the longest.
    ///   - onConnected: called each time that the broker can receive alarms again.
    public init(
        _ configuration: BrokerConfiguration, topics: VenueTopics, discovery: HomeAssistantDiscovery,
        takesAnswers: Bool, source: any VenueSource, waits: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(), logger: Logger,
        onConnected: @escaping @Sendable () -> Void = {}
    ) {
        self.configuration = configuration
        self.topics = topics
        self.discovery = discovery
        self.takesAnswers = takesAnswers
        self.source = source
        self.waits = waits
        self.clock = clock
        self.logger = logger
        self.onConnected = onConnected
    }

    public var state: State { record.state.withLock(\.self) }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await keepConnected() }
    }

    /// Publishes an alarm; returns once the broker has acknowledged it.
    ///
    /// - Throws: ``MQTTError`` if the broker cannot accept it now.
    public func tell(_ bike: MissingBikeHere) async throws {
        guard let connection = record.connection.withLock(\.self) else { throw MQTTError.notConnected }
        try await connection.publish(topics.alarm(bike))
    }

    private func keepConnected() async throws {
        var generator = SystemRandomNumberGenerator()
        var wait = waits.lowerBound
        while true {
            let start = ContinuousClock.now
            do {
                try await serve(try await MQTTConnection.open(configuration, will: topics.offline))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                note(error)
            }
            try Task.checkCancellation()
            if start.duration(to: .now) > Self.interval { wait = waits.lowerBound }
            try await clock.sleep(for: wait * Double.random(in: 0.5...1, using: &generator))
            wait = min(wait * 2, waits.upperBound)
        }
    }

    private func note(_ error: any Error) {
        let isNews = record.state.withLock { state in
            let isNews = state.isConnected || state.lastError != "\(error)"
            state = State(isConnected: false, lastError: "\(error)")
            return isNews
        }
        // Log one line per outage, not one per attempt.
        guard isNews else { return }
        logger.warning(
            "no broker", metadata: ["broker": "\(configuration.address)", "reason": "\(error)"])
    }

    /// Serves until the connection is lost, or disconnects when the task is cancelled.
    private func serve(_ connection: MQTTConnection) async throws {
        do {
            try await introduce(to: connection)
            record.connection.withLock { $0 = connection }
            record.state.withLock { $0.isConnected = true }
            logger.info("connected to the broker", metadata: ["broker": "\(configuration.address)"])
            onConnected()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await takeAnswers(from: connection) }
                group.addTask {
                    for await _ in source.changes() { try await tellPresence(to: connection) }
                }
                group.addTask { try await tellReadings(to: connection) }
                // The first task that fails ends all; waitForAll() would wait for the others.
                defer { group.cancelAll() }
                while try await group.next() != nil {}
            }
        } catch {
            record.connection.withLock { $0 = nil }
            await sayGoodbye(to: connection)
            throw error
        }
    }

    /// Disconnects, so that the broker does not publish the last will. It does not wait for an unresponsive broker.
    private func sayGoodbye(to connection: MQTTConnection) async {
        let patience = Task {
            try await Task.sleep(for: .seconds(3))
            await connection.close()
        }
        try? await connection.publish(topics.offline)
        patience.cancel()
        await connection.close()
    }

    private func introduce(to connection: MQTTConnection) async throws {
        for message in discovery.messages(topics, adapters: []) { try await connection.publish(message) }
        if takesAnswers { try await connection.subscribe(topics.answer) }
        try await tellPresence(to: connection)
        try await connection.publish(topics.online)
    }

    private func takeAnswers(from connection: MQTTConnection) async throws {
        for await message in connection.messages {
            guard let answer = topics.answer(message) else {
                logger.warning("unknown answer: send ‘seen’ or ‘absent’", metadata: ["topic": "\(message.topic)"])
                continue
            }
            await source.answer(isSeen: answer.isSeen, visit: answer.visit)
        }
        try Task.checkCancellation()
        throw await connection.loss ?? MQTTError.notConnected
    }

    private func tellPresence(to connection: MQTTConnection) async throws {
        for message in topics.presence(try await source.bikes()) { try await connection.publish(message) }
    }

    private func tellReadings(to connection: MQTTConnection) async throws {
        var adapters: Set<String> = []
        while true {
            let reading = try await source.reading()
            let known = Set(reading.advertsPerSecond.keys)
            if !known.isSubset(of: adapters) {
                adapters.formUnion(known)
                for message in discovery.messages(topics, adapters: adapters.sorted()) {
                    try await connection.publish(message)
                }
            }
            try await connection.publish(topics.reading(reading))
            // Without the registry, no event reports that a bike has left.
            try await tellPresence(to: connection)
            try await clock.sleep(for: Self.interval)
        }
    }
}

extension VenueBroker: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "broker" }
}
