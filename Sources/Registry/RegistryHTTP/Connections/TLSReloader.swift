public import Logging
import RegistryAPI
public import RegistryRules
public import ServiceLifecycle

/// Checks every few seconds whether the certificate has been replaced, and warns at the start and once a day if it has
/// expired or soon will.
public struct TLSReloader: Service {
    private let files: TLSFiles
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let wallClock: WallClock
    private let logger: Logger

    /// - Parameters:
    ///   - interval: how often the files are read.
    ///   - clock: for the waits.
    ///   - wallClock: for the certificate's period of validity.
    public init(
        _ files: TLSFiles, every interval: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
        wallClock: WallClock = .system, logger: Logger
    ) {
        self.files = files
        self.interval = interval
        self.clock = clock
        self.wallClock = wallClock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var failure: TLSFileError?
            var warning = Warning()
            while true {
                warn(since: &warning)
                try await clock.sleep(for: interval)
                failure = reload(after: failure)
            }
        }
    }

    /// The warning that was logged last.
    private struct Warning {
        var text: String?
        var time: Timestamp?
    }

    /// Logs the warning about the certificate's validity when it changes, and once a day.
    private func warn(since last: inout Warning) {
        let now = wallClock.now
        let text = files.warning(at: now)
        let isRecent = last.time.map { (.zero..<Duration.days(1)).contains($0.duration(to: now)) } ?? false
        guard let text, text != last.text || !isRecent else {
            if text == nil { last = Warning() }
            return
        }
        logger.warning("\(text)")
        last = Warning(text: text, time: now)
    }

    /// Reloads the files; returns the failure, if there is one. A persistent failure is logged once.
    private func reload(after earlier: TLSFileError?) -> TLSFileError? {
        do {
            if try files.reload() { logger.info("certificate replaced") }
            return nil
        } catch {
            if error != earlier { logger.error("certificate not replaced", metadata: ["reason": "\(error)"]) }
            return error
        }
    }
}
