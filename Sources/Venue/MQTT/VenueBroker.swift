import Beacons
public import Logging
public import Scanning
public import ServiceLifecycle
public import StationStatus
import Synchronization

/// Publishes the missing bikes that are present and the state of the station to a broker of the venue, and reconnects
/// whenever the connection is lost.
public struct VenueBroker: Service {
    /// The state of the connection.
    public struct State: Hashable, Sendable {
        public internal(set) var isConnected = false
        /// The last error, in words; kept when the connection works again.
        public internal(set) var lastError: String?
    }

    /// What ``run()`` writes and others read.
    private final class Record: Sendable {
        let state = Mutex(State())
        let connection = Mutex<MQTTConnection?>(nil)
        let outage = Mutex(OutageLog(works: false))
        /// Anybody who may publish to the broker can send unknown answers.
        let unknownAnswers = Mutex(LogLimit(1))
    }

    /// The interval at which readings are published; after a connection that lasted longer, the waits start over.
    private static let interval = Duration.seconds(30)
    /// The maximum number of answers in a second; more than staff can give.
    static let maximumAnswers = 20
    /// How long no answers are accepted after a flood.
    static let answerPause = Duration.seconds(60)
    /// How long answers may still arrive after the end of their subscription.
    private static let answerDelay = Duration.seconds(10)

    private let configuration: BrokerConfiguration
    private let topics: VenueTopics
    private let discovery: HomeAssistantDiscovery
    private let takesAnswers: Bool
    private let waits: ClosedRange<Duration>
    private let clock: any ScanClock
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
        clock: any ScanClock = BootClock(), logger: Logger,
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

    /// A snapshot of the connection's state.
    public var state: State { record.state.withLock(\.self) }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await keepConnected() }
    }

    /// Publishes an alarm; returns once the broker has acknowledged it.
    ///
    /// - Throws: ``MQTTError`` if the broker cannot accept it now.
    public func publishAlarm(_ bike: MissingBikeHere) async throws {
        guard let connection = record.connection.withLock(\.self) else { throw MQTTError.notConnected }
        try await connection.publish(topics.alarmMessage(about: bike))
    }

    /// Serves on one connection after the other, with longer waits while they fail.
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
                noteFailure(error)
            }
            try Task.checkCancellation()
            if start.duration(to: .now) > Self.interval { wait = waits.lowerBound }
            try await clock.sleep(for: wait * Double.random(in: 0.5...1, using: &generator))
            wait = min(wait * 2, waits.upperBound)
        }
    }

    private func noteFailure(_ error: any Error) {
        record.state.withLock { $0 = State(isConnected: false, lastError: "\(error)") }
        guard record.outage.withLock({ $0.failed("\(error)", at: BootClock.now()) }) else { return }
        logger.warning(
            "no broker", metadata: ["broker": "\(configuration.address)", "reason": "\(error)"])
    }

    /// Serves until the connection is lost, or disconnects when the task is cancelled.
    private func serve(_ connection: MQTTConnection) async throws {
        do {
            try await introduce(to: connection)
            record.connection.withLock { $0 = connection }
            record.state.withLock { $0.isConnected = true }
            if record.outage.withLock({ $0.succeeded() }) {
                logger.info("connected to the broker", metadata: ["broker": "\(configuration.address)"])
            }
            onConnected()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await takeAnswers(from: connection) }
                group.addTask {
                    for await _ in source.changes() { try await publishPresence(to: connection) }
                }
                group.addTask { try await publishReadings(to: connection) }
                // The first task that fails ends all tasks; waitForAll() would wait for the others.
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

    /// Publishes what Home Assistant needs to know the station, and that it is online.
    private func introduce(to connection: MQTTConnection) async throws {
        for message in discovery.messages(topics, adapters: []) { try await connection.publish(message) }
        if takesAnswers { try await connection.subscribe(topics.answer) }
        try await publishPresence(to: connection)
        try await connection.publish(topics.online)
    }

    /// Takes answers until the connection is lost. A flood must neither keep this machine busy nor end the connection,
    /// on which alarms are published. So the subscription to answers pauses.
    private func takeAnswers(from connection: MQTTConnection) async throws {
        // Nothing is buffered: an answer that still arrives during a pause must not begin another pause.
        let (floods, flood) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in floods { try await pauseAnswers(from: connection) }
            }
            group.addTask { try await readAnswers(from: connection) { flood.yield() } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Passes on answers until the connection is lost.
    ///
    /// - Parameter onFlood: called when too many arrive, so that the subscription pauses.
    /// - Throws: `flooding` if they still arrive when the pause must have taken effect.
    private func readAnswers(from connection: MQTTConnection, onFlood: () -> Void) async throws {
        var rate = ReceiverRate(maximum: Self.maximumAnswers, start: clock.now)
        /// When the last pause began.
        var flooded: ScanInstant?
        for await message in connection.messages {
            let now = clock.now
            guard rate.allows(1, at: now) else {
                let sinceFlood = flooded.map { $0.duration(to: now) } ?? Self.answerPause
                if sinceFlood >= Self.answerPause { flooded = now }
                let isDuringPause = (Self.answerDelay..<Self.answerPause).contains(sinceFlood)
                guard !isDuringPause else { throw MQTTError.flooding }
                onFlood()
                continue
            }
            guard let answer = topics.answer(in: message) else {
                guard record.unknownAnswers.withLock({ $0.allows(at: now) }) else { continue }
                logger.warning("unknown answer: send ‘seen’ or ‘absent’", metadata: ["topic": "\(message.topic)"])
                continue
            }
            await source.answer(isSeen: answer.isSeen, visit: answer.visit)
        }
        try Task.checkCancellation()
        throw await connection.loss ?? MQTTError.notConnected
    }

    /// Ends the subscription to answers for a minute.
    private func pauseAnswers(from connection: MQTTConnection) async throws {
        logger.warning(
            "too many answers arrive: they are ignored for a minute. Let only Home Assistant publish to the topic",
            metadata: ["topic": "\(topics.answer)"])
        try await connection.unsubscribe(topics.answer)
        try await clock.sleep(for: Self.answerPause)
        try await connection.subscribe(topics.answer)
    }

    /// Publishes the missing bikes that are present.
    private func publishPresence(to connection: MQTTConnection) async throws {
        for message in topics.presenceMessages(try await source.bikes()) { try await connection.publish(message) }
    }

    /// Publishes the station's state at intervals, and describes each adapter that is new to Home Assistant.
    private func publishReadings(to connection: MQTTConnection) async throws {
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
            try await connection.publish(topics.statusMessage(reading))
            // Without the registry, no event reports that a bike has left.
            try await publishPresence(to: connection)
            try await clock.sleep(for: Self.interval)
        }
    }
}

extension VenueBroker: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "broker" }
}
