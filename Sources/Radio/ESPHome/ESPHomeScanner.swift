public import Scanning

/// Listens through a Bluetooth proxy of ESPHome: a microcontroller that forwards the advertisements that it hears.
///
/// It asks for raw advertisements and for passive scanning. If a proxy cannot be reached, the sequence does not fail:
/// the scanner never stops trying, and its health says what is wrong. When the reading task is cancelled, the sequence
/// throws `CancellationError` only after it has unsubscribed, because a proxy serves one subscriber.
public final class ESPHomeScanner: RadioScanner {
    /// A proxy, and how to use it.
    public struct Proxy: Sendable {
        /// The name in the settings.
        public let name: String
        public let address: ProxyAddress
        let key: ProxyKey?
        let takesBack: Bool
        let client: String

        /// - Parameters:
        ///   - key: nil for an unencrypted connection.
        ///   - takesBack: whether this program subscribes again when another program has taken the proxy.
        ///   - client: this program's name and version, for the proxy's log.
        public init(
            name: String, address: ProxyAddress, key: ProxyKey?, takesBack: Bool = false, client: String = "findmybike"
        ) {
            self.name = name
            self.address = address
            self.key = key
            self.takesBack = takesBack
            self.client = client
        }
    }

    private let proxy: Proxy
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let record: HealthRecord
    private let runs = RadioRuns<ProxySession>()

    /// - Parameters:
    ///   - clock: the time line of the batches, and the clock for timeouts.
    ///   - random: numbers of at least 0 and less than 1, for the waits between attempts.
    public init(
        _ proxy: Proxy, clock: any ScanClock = BootClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.proxy = proxy
        self.clock = clock
        self.random = random
        record = HealthRecord(adapter: proxy.name)
    }

    public var adapter: String { proxy.name }

    public var isRemote: Bool { true }

    public var radioHealth: RadioHealth { record.current }

    /// Opening a new connection takes the proxy from a program that has taken it, and helps only in this case: a dead
    /// connection is noticed anyway.
    public var recoverySteps: [RecoveryStep] { proxy.takesBack ? [.reopen] : [] }

    public func recover(by step: RecoveryStep) async throws {
        guard step == .reopen else { throw ProxyError.unavailableStep(step.rawValue) }
        guard let session = runs.session else { throw ProxyError.notScanning }
        try await session.reopen()
    }

    /// Starts listening, and ends the sequence of an earlier call.
    public func batches() -> LiveBatches {
        runs.begin(ProxySession(proxy, clock: clock, random: random, health: record))
    }

    /// Ends listening.
    public func stop() async { await runs.end() }
}
