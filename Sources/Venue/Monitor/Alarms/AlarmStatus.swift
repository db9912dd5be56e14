import Synchronization

/// Counts of alarms since the program started.
public final class AlarmStatus: Sendable {
    /// The counts at one time.
    public struct State: Hashable, Sendable {
        /// Alarms raised by the registry's responses.
        public internal(set) var made = 0
        /// Alarms that a bell skipped in favour of newer ones.
        public internal(set) var skipped = 0
        /// Exits of the command by kind: `succeeded`, `failed`, `timedOut`, `notStarted`.
        public internal(set) var commands: [String: Int] = [:]
        public internal(set) var lastCommandError: String?
    }

    private let guarded = Mutex(State())

    public init() {}

    public var state: State { guarded.withLock(\.self) }

    func made(_ count: Int) { guarded.withLock { $0.made += count } }

    func skipped(_ count: Int) { guarded.withLock { $0.skipped += count } }

    /// Counts an exit of the command.
    ///
    /// - Parameter error: what went wrong, for people; nil if the command succeeded.
    func commandEnded(_ kind: String, error: String?) {
        guarded.withLock { state in
            state.commands[kind, default: 0] += 1
            state.lastCommandError = error ?? state.lastCommandError
        }
    }
}
