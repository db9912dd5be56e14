import Glibc
public import Logging
public import ServiceLifecycle
public import Settings
import Synchronization
import UnixSignals

/// Reloads the settings on SIGHUP. Settings that can change while the program is running are applied; for the others,
/// the log says that they need a restart. Invalid settings change nothing.
public final class SettingsReload: Service {
    private let known: [any SettingDefinition]
    private let start: ProgramSettings
    private let read: @Sendable () throws(SettingsError) -> ProgramSettings
    private let apply: [String: @Sendable (ProgramSettings) -> Void]
    private let logger: Logger
    /// The settings that were read last.
    private let last: Mutex<ProgramSettings>

    /// - Parameters:
    ///   - known: every setting of the program.
    ///   - start: the settings at the start of the program.
    ///   - read: reads the settings again.
    ///   - apply: the functions that apply changed settings, by key.
    public init(
        of known: [any SettingDefinition], since start: ProgramSettings,
        read: @escaping @Sendable () throws(SettingsError) -> ProgramSettings,
        apply: [String: @Sendable (ProgramSettings) -> Void], logger: Logger
    ) {
        self.known = known
        self.start = start
        self.read = read
        self.apply = apply
        self.logger = logger
        last = Mutex(start)
    }

    /// Logs the warnings about the first settings, then reloads at each signal until the program shuts down.
    public func run() async throws {
        for warning in start.warnings { logger.warning("\(warning)") }
        let hasTerminal = isatty(STDIN_FILENO) == 1
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            // A closing terminal sends the same signal, and then the program must end; the terminal can no longer be
            // queried then.
            guard !hasTerminal || isatty(STDIN_FILENO) == 1 else {
                kill(getpid(), SIGTERM)
                return try await gracefulShutdown()
            }
            reload()
        }
    }

    /// Reads the settings, applies those that changed, and logs which others need a restart.
    func reload() {
        let new: ProgramSettings
        do {
            new = try read()
        } catch {
            let reason = error.problems.joined(separator: "; ")
            return logger.error("settings not reloaded; the previous ones stay", metadata: ["reason": "\(reason)"])
        }
        let before = last.withLock { last in
            defer { last = new }
            return last
        }
        let applied = new.keys(among: known, thatDifferFrom: before).filter { apply[$0] != nil }
        for key in applied { apply[key]?(new) }
        logger.notice("settings reloaded", metadata: ["applied": "\(applied.joined(separator: ", "))"])
        let waiting = new.keys(among: known, thatDifferFrom: start).filter { apply[$0] == nil }
        if !waiting.isEmpty {
            logger.warning(
                "these settings need a restart", metadata: ["settings": "\(waiting.joined(separator: ", "))"])
        }
    }
}
