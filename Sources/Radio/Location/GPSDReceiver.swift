public import Beacons
public import Logging
public import Scanning
public import ServiceLifecycle
import Synchronization

/// Reads positions from a receiver through gpsd, and reconnects whenever the connection is lost.
public struct GPSDReceiver: Service {
    /// The state of the receiver.
    public struct State: Hashable, Sendable {
        public internal(set) var isConnected = false
        /// Whether the last report contained a position.
        public internal(set) var hasFix = false
        /// Lines that were not from gpsd, or far too long.
        public internal(set) var garbled = 0
        /// The last error, in words; kept when the connection works again.
        public internal(set) var lastError: String?
    }

    /// What ``run()`` writes and others read.
    private final class Record: Sendable {
        let state = Mutex(State())
        let outage = Mutex(OutageLog(works: false))
    }

    /// The time without any line after which the connection counts as dead: gpsd reports once a second.
    private static let patience = Duration.seconds(60)
    /// The maximum number of bytes and of lines in a second. A receiver that reports ten times a second sends a tenth
    /// of each.
    private static let maximumBytes = 512 << 10
    private static let maximumLines = 500
    /// Asks gpsd to report as JSON.
    private static let watchCommand = "?WATCH={\"enable\":true,\"json\":true};\n"

    private let host: String
    private let port: Int
    private let update: @Sendable (GPSFix, ScanInstant) -> Void
    private let clock: any ScanClock
    private let logger: Logger
    private let record = Record()

    /// - Parameters:
    ///   - host: a host name or an address.
    ///   - update: called with every position and the time at which it arrived.
    public init(
        host: String, port: Int = 2947, clock: any ScanClock = BootClock(), logger: Logger,
        update: @escaping @Sendable (GPSFix, ScanInstant) -> Void
    ) {
        self.host = host
        self.port = port
        self.clock = clock
        self.logger = logger
        self.update = update
    }

    /// A snapshot of the receiver's state.
    public var state: State { record.state.withLock(\.self) }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await listenForever() }
    }

    /// Listens on one connection after the other, until the task is cancelled.
    private func listenForever() async throws {
        var wait = Duration.seconds(1)
        while true {
            let began = clock.now
            do throws(GPSDError) {
                try await listen()
                return  // cancelled
            } catch {
                // A connection that lasted was a success, however it ended.
                if began.duration(to: clock.now) >= Self.patience { wait = .seconds(1) }
                record.state.withLock { state in
                    state.isConnected = false
                    state.hasFix = false
                    state.lastError = error.description
                }
                let isNews = record.outage.withLock { $0.failed(error.description, at: clock.now) }
                if isNews { logger.warning("no position from gpsd", metadata: ["reason": "\(error)"]) }
            }
            try await clock.sleep(for: wait, tolerance: nil)
            wait = min(wait * 2, .seconds(60))
        }
    }

    /// Reads until the connection is lost, or returns when the task is cancelled.
    private func listen() async throws(GPSDError) {
        let connection = try await GPSDConnection(host: host, port: port)
        try await connection.send(Self.watchCommand)
        var cutter = LineCutter()
        let began = clock.now
        var lastLine = began
        var bytesRate = ReceiverRate(maximum: Self.maximumBytes, start: lastLine)
        var linesRate = ReceiverRate(maximum: Self.maximumLines, start: lastLine)
        while !Task.isCancelled {
            let bytes = try await connection.receive()
            let dropped = cutter.dropped
            let lines = cutter.take(bytes)
            // Before anything is parsed: a flood must not keep this machine busy.
            guard bytesRate.allows(bytes.count, at: clock.now), linesRate.allows(lines.count, at: clock.now) else {
                throw GPSDError(
                    description: "gpsd at \(host):\(port) sends more than any receiver: check what runs there")
            }
            if cutter.dropped > dropped { record.state.withLock { $0.garbled += cutter.dropped - dropped } }
            for line in lines where process(line, of: began) { lastLine = clock.now }
            guard lastLine.duration(to: clock.now) < Self.patience else {
                throw GPSDError(description: "gpsd at \(host):\(port) has sent nothing for a minute")
            }
        }
    }

    /// Processes a line; false if it is not from gpsd.
    ///
    /// - Parameter began: when the connection began. After a failure, a connection is logged only once it has lasted.
    private func process(_ line: [UInt8], of began: ScanInstant) -> Bool {
        guard let message = GPSDMessage(line) else {
            record.state.withLock { $0.garbled += 1 }
            return false
        }
        let now = clock.now
        let isNews = record.state.withLock { state in
            state.isConnected = true
            switch message {
            case .fix: state.hasFix = true
            case .noFix: state.hasFix = false
            case .error(let reason): state.lastError = "gpsd: \(reason)"
            case .other: break
            }
            return state.lastError == nil || began.duration(to: now) >= Self.patience
        }
        if isNews, record.outage.withLock({ $0.succeeded() }) {
            logger.info("connected to gpsd", metadata: ["host": "\(host)"])
        }
        if case .fix(let fix) = message { update(fix, now) }
        return true
    }
}

extension GPSDReceiver: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "gpsd receiver" }
}
