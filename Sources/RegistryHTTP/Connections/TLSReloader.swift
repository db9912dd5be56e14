public import Logging
public import ServiceLifecycle

/// Checks every few seconds whether the certificate has been replaced.
public struct TLSReloader: Service {
    private let files: TLSFiles
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let logger: Logger

    public init(
        _ files: TLSFiles, every interval: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.files = files
        self.interval = interval
        self.clock = clock
        self.logger = logger
    }

    public func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var failure: TLSFileError?
            while true {
                try await clock.sleep(for: interval)
                failure = look(after: failure)
            }
        }
    }

    /// Reloads the files. A persistent failure is logged once.
    private func look(after earlier: TLSFileError?) -> TLSFileError? {
        do {
            if try files.reload() { logger.info("certificate replaced") }
            return nil
        } catch {
            if error != earlier { logger.error("certificate not replaced", metadata: ["reason": "\(error)"]) }
            return error
        }
    }
}
