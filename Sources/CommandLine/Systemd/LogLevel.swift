public import Logging
import Synchronization

/// The minimum level of the messages that a program logs, which can be changed while it is running.
public final class LogLevel: Sendable {
    /// The position in `Logger.Level.allCases`: read for each message, so without a lock.
    private let index: Atomic<Int>

    public init(_ level: Logger.Level) {
        index = Atomic(Self.index(of: level))
    }

    public var value: Logger.Level {
        get { Logger.Level.allCases[index.load(ordering: .relaxed)] }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    private static func index(of level: Logger.Level) -> Int {
        // Each level is in `allCases`. If one were not, all messages would be logged rather than none.
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}

/// A log handler whose level is shared by all loggers of the program. Otherwise each logger would keep the level that
/// it was made with, and a new one in the settings, which are read again on SIGHUP, would not reach it.
public struct AdjustableLogHandler<Base: LogHandler>: LogHandler {
    private var base: Base
    private let shared: LogLevel
    /// The level of this logger alone, if it was set.
    private var own: Logger.Level?

    /// - Parameters:
    ///   - base: the handler that writes the messages.
    ///   - level: the level until the logger gets one of its own.
    public init(_ base: Base, by level: LogLevel) {
        self.base = base
        shared = level
    }

    public var logLevel: Logger.Level {
        get { own ?? shared.value }
        set { own = newValue }
    }

    public var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    public var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    public func log(event: LogEvent) { base.log(event: event) }
}
