public import Logging
public import ServiceLifecycle
public import Settings
import Synchronization
import UnixSignals

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads the settings again on SIGHUP. What can change while the program runs is applied; for the rest the log says that it
/// waits for a restart. Settings that are not in order change nothing.
public final class SettingsReload: Service {
    private let known: [any SettingDefinition]
    private let start: ProgramSettings
    private let read: @Sendable () throws(SettingsError) -> ProgramSettings
    private let apply: [String: @Sendable (ProgramSettings) -> Void]
    private let logger: Logger
    private let last: Mutex<ProgramSettings>

    /// - Parameters:
    ///   - start: the settings that the program runs with.
    ///   - read: reads them again.
    ///   - apply: what applies a setting that can change, by key.
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

    public func run() async throws {
        for warning in start.warnings { logger.warning("\(warning)") }
        let hasTerminal = isatty(STDIN_FILENO) == 1
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            // A terminal that closes sends the same signal, and means the end: nothing can be asked of it any more.
            guard !hasTerminal || isatty(STDIN_FILENO) == 1 else {
                kill(getpid(), SIGTERM)
                return try await gracefulShutdown()
            }
            reload()
        }
    }

    func reload() {
        let new: ProgramSettings
        do {
            new = try read()
        } catch {
            let reason = error.problems.joined(separator: "; ")
            return logger.error("settings not reloaded, those before stay", metadata: ["reason": "\(reason)"])
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
