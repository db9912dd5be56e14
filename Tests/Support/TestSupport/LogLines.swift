public import Logging
import Synchronization

/// What was logged: a line for each event, with its metadata in the order of their keys.
public final class LogLines: Sendable {
    private let events = Mutex<[(message: String, values: String)]>([])

    public init() {}

    public var all: [String] { events.withLock { $0.map { $0.message + $0.values } } }
    /// The lines without their metadata.
    public var messages: [String] { events.withLock { $0.map(\.message) } }
    public var text: String { all.map { $0 + "\n" }.joined() }

    /// A logger whose lines these are.
    public func logger(_ level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { _ in Handler(lines: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level

        init(lines: LogLines, logLevel: Logger.Level) {
            self.lines = lines
            self.logLevel = logLevel
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let values = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            lines.events.withLock { $0.append(("\(event.message)", values)) }
        }
    }
}
