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
        public internal(set) var lastError: String?
    }

    private final class Record: Sendable {
        let state = Mutex(State())
    }

    /// The time without any line after which the connection counts as dead: gpsd reports once a second.
    private static let patience = Duration.seconds(60)
    private static let watch = "?WATCH={\"enable\":true,\"json\":true};\n"

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

    public var state: State { record.state.withLock(\.self) }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown { try await follow() }
    }

    private func follow() async throws {
        var wait = Duration.seconds(1)
        while true {
            do throws(GPSDError) {
                try await listen { wait = .seconds(1) }
                return  // cancelled
            } catch {
                let isNews = record.state.withLock { state in
                    defer { (state.isConnected, state.hasFix, state.lastError) = (false, false, error.description) }
                    return state.lastError != error.description
                }
                if isNews { logger.warning("no position from gpsd", metadata: ["reason": "\(error)"]) }
            }
            try await clock.sleep(for: wait, tolerance: nil)
            wait = min(wait * 2, .seconds(60))
        }
    }

    /// Reads until the connection is lost, or returns when the task is cancelled.
    private func listen(_ onFirstLine: () -> Void) async throws(GPSDError) {
        let connection = try await GPSDConnection(host: host, port: port)
        try await connection.send(Self.watch)
        var cutter = LineCutter()
        var lastLine = clock.now
        while !Task.isCancelled {
            let bytes = try await connection.receive()
            let dropped = cutter.dropped
            let lines = cutter.take(bytes)
            if cutter.dropped > dropped { record.state.withLock { $0.garbled += cutter.dropped - dropped } }
            for line in lines where take(line) {
                lastLine = clock.now
                onFirstLine()
            }
            guard lastLine.duration(to: clock.now) < Self.patience else {
                throw GPSDError(description: "gpsd at \(host):\(port) has sent nothing for a minute")
            }
        }
    }

    /// Processes a line; false if it is not from gpsd.
    private func take(_ line: [UInt8]) -> Bool {
        guard let message = GPSDMessage(line) else {
            record.state.withLock { $0.garbled += 1 }
            return false
        }
        record.state.withLock { state in
            if !state.isConnected { logger.info("connected to gpsd", metadata: ["host": "\(host)"]) }
            state.isConnected = true
            switch message {
            case .fix: state.hasFix = true
            case .noFix: state.hasFix = false
            case .error(let reason): state.lastError = "gpsd: \(reason)"
            case .other: break
            }
        }
        if case .fix(let fix) = message { update(fix, clock.now) }
        return true
    }
}

extension GPSDReceiver: CustomStringConvertible {
    /// The service's name in the log.
    public var description: String { "gpsd receiver" }
}
