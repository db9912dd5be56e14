import Logging
import Synchronization

/// The log messages.
final class LogLines: LogHandler, Sendable {
    private let lines = Mutex("")

    var text: String { lines.withLock(\.self) }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value) " }
        lines.withLock { $0 += "\(event.message) \(values.joined())\n" }
    }
}
