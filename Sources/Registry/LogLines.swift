public import Logging
import RegistryAPI

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes log messages as lines to standard error: `time level label: key=value … [module] message`.
///
/// The library's own handler asks the file system for the time zone and the heap for a dozen strings at each line; with
/// two lines a call that was a seventh of the registry's work. Times here are UTC, and a line is one write.
public struct LogLines: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String

    public init(label: String, level: Logger.Level = .info) {
        self.label = label
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line = ""
        line.reserveCapacity(256)
        line += WallClock.system.now.description
        line += " "
        line += event.level.rawValue
        line += " "
        line += label
        line += ":"
        for (key, value) in fields(of: event) {
            line += " "
            line += key
            line += "="
            if case .string(let text) = value { line += text } else { line += "\(value)" }
        }
        line += " ["
        line += event.source
        line += "] "
        line += event.message.description
        line += "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// The logger's fields and the message's, sorted by name.
    private func fields(of event: LogEvent) -> [(key: String, value: Logger.Metadata.Value)] {
        var fields = Array(metadata)
        for (key, value) in event.metadata ?? [:] {
            fields.removeAll { $0.key == key }
            fields.append((key, value))
        }
        if let error = event.error { fields.append(("error.message", "\(error)")) }
        return fields.sorted { $0.key < $1.key }
    }
}
