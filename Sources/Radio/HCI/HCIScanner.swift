public import Scanning

/// Scans with one controller through HCI, for places too dense for D-Bus.
///
/// It scans passively and without filtering duplicates, restarts the scan if another program changes it or if nothing
/// is heard for long, and reopens the controller if it was lost. A controller that cannot be opened the first time is
/// an error of the sequence. When the reading task is cancelled, the scanner commands the controller to stop scanning
/// before the sequence throws `CancellationError`.
public final class HCIScanner: RadioScanner {
    private let access: HCIAccess
    private let options: HCIScanOptions
    private let clock: any ScanClock
    private let record: HealthRecord
    private let runs = RadioRuns<HCISession>()

    /// - Parameters:
    ///   - access: the access to the controller.
    ///   - clock: the time line of the batches, and the clock for timeouts.
    public init(_ access: HCIAccess, options: HCIScanOptions = HCIScanOptions(), clock: any ScanClock = BootClock()) {
        self.access = access
        self.options = options
        self.clock = clock
        record = HealthRecord(adapter: access.adapter)
    }

    public var adapter: String { access.adapter }

    public var radioHealth: RadioHealth { record.current }

    /// The steps that the transport allows; power cycle and reset of a kernel's adapter need CAP_NET_ADMIN.
    public var recoverySteps: [RecoveryStep] {
        let reopen: [RecoveryStep] = access.isReopenable ? [.reopen] : []
        return switch access.role {
        case .listener: reopen
        case .owned: [.restartScan, .reset] + reopen
        case .shared(.some) where Capabilities.current.administersNetworks:
            [.restartScan, .powerCycle, .reset] + reopen
        case .shared: [.restartScan] + reopen
        }
    }

    /// Tries one step, which is counted even if it fails.
    public func recover(by step: RecoveryStep) async throws {
        guard recoverySteps.contains(step) else { throw HCIError.unavailableStep(step.rawValue, adapter: adapter) }
        guard let session = runs.session else { throw HCIError.notScanning(adapter: adapter) }
        try await session.recover(by: step)
    }

    /// Starts scanning, and ends the sequence of an earlier call.
    public func batches() -> LiveBatches {
        runs.begin(HCISession(access, options, clock: clock, health: record))
    }

    /// Ends scanning; returns after commanding the controller to stop.
    public func stop() async { await runs.end() }
}
