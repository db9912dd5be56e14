import Foundation
import Glibc
public import Logging
import RegistryAPI

/// Writes log messages as lines to standard error: `time level label: key=value … [module] message` for programs, with
/// times in UTC; at a terminal the local time, the message, and then its fields.
///
/// The logging library's own handler looks up the time zone in the file system and allocates a dozen strings for each
/// line; with two lines per request that was a seventh of the registry's work. Here, each line is a single write.
public struct LogLines: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String
    /// The style for a terminal; nil for programs.
    private let style: Style?
    /// Takes each line with its end.
    private let write: @Sendable (String) -> Void

    /// The style of standard error at a terminal; nil for programs.
    public static let standardError: Style? =
        Console.error.isTerminal ? Style(ExecutionEnvironment.current.variables, isTerminal: true) : nil

    /// - Parameter write: takes each line with its end; nil for the standard error of the current
    ///   ``ExecutionEnvironment``.
    public init(
        label: String, level: Logger.Level = .info, style: Style? = standardError,
        write: (@Sendable (String) -> Void)? = nil
    ) {
        self.label = label
        self.style = style
        self.write = write ?? Self.write(in: .current)
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        // Both forms are sanitised, so that no content can look like another line.
        let line = style.map { personal(event, $0, at: .now) } ?? TerminalText.line(plain(event, at: .now))
        write(line + "\n")
    }

    /// The function that writes to standard error of an environment.
    private static func write(in environment: ExecutionEnvironment) -> @Sendable (String) -> Void {
        guard !environment.ownsProcess else { return writeToDescriptor }
        return { environment.write(.error, Data($0.utf8)) }
    }

    /// Writes the line with one system call, unless the system interrupts it.
    private static let writeToDescriptor: @Sendable (String) -> Void = { line in
        var line = line
        line.withUTF8 { _ = StandardStreams.write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
    }

    /// The line for programs.
    func plain(_ event: LogEvent, at time: Timestamp) -> String {
        // Put together as a string, a line took a quarter more instructions.
        var line: [UInt8] = []
        line.reserveCapacity(512)
        func add(_ text: String) { line.append(contentsOf: text.utf8) }
        add(time.description)
        add(" ")
        add(event.level.rawValue)
        add(" ")
        add(label)
        add(":")
        for (key, value) in fields(of: event) {
            add(" ")
            add(key)
            add("=")
            if case .string(let text) = value { add(text) } else { add("\(value)") }
        }
        add(" [")
        add(event.source)
        add("] ")
        add(event.message.description)
        return String(decoding: line, as: UTF8.self)
    }

    /// The line for a person: after the time and the level comes the event, in a column of its own.
    func personal(_ event: LogEvent, _ style: Style, at time: Timestamp) -> String {
        let message = TerminalText.line(event.message.description).padded(toColumns: Self.messageColumns)
        let fields = fields(of: event).map { field in
            style.paint("\(field.key)=", .faint) + TerminalText.line("\(field.value)")
        }
        let level = style.paint(event.level.rawValue.padded(toColumns: Self.levelColumns), Self.tone(event.level))
        let line = [style.paint(LocalTime.timeOfDay(time), .faint), level, message] + fields
        return line.joined(separator: "  ").trimmingSuffix { $0 == " " }
    }

    /// The widths of the columns of the event and the level; a longer text moves what follows it.
    private static let messageColumns = 24
    private static let levelColumns = 8

    private static func tone(_ level: Logger.Level) -> Tone? {
        switch level {
        case .trace, .debug: .faint
        case .info: .good
        case .notice, .warning: .warning
        case .error, .critical: .alarm
        }
    }

    /// The logger's fields and the message's fields, sorted by name.
    private func fields(of event: LogEvent) -> [(key: String, value: Logger.Metadata.Value)] {
        let own = event.metadata ?? [:]
        var fields = Array(own)
        for field in metadata where own[field.key] == nil { fields.append(field) }
        if let error = event.error { fields.append(("error.message", "\(error)")) }
        return fields.sorted { $0.key < $1.key }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isDropped(last) { text.removeLast() }
        return String(text)
    }
}
