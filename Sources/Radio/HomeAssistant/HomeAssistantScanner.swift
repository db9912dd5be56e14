public import Scanning

/// Listens through a Home Assistant: to what its Bluetooth adapters and proxies hear, which stay Home Assistant's.
///
/// Nothing is changed there. Each batch names the radio that heard it, which is one of ``parts``. If Home Assistant
/// cannot be reached, the sequence does not fail: the scanner never stops trying, and its health says what is wrong.
public final class HomeAssistantScanner: RadioScanner {
    /// A Home Assistant, and how to use it.
    public struct Server: Sendable {
        /// The name in the settings.
        public let name: String
        public let address: HomeAssistantAddress
        let certificateAuthority: String?
        let token: @Sendable () -> Result<String, HomeAssistantError>
        let names: [String: String]
        let otherNames: Set<String>
        /// The time to resolve the name, connect and complete the TLS handshake. It is real time: libcurl measures it.
        var connectionTime = Duration.seconds(10)

        /// - Parameters:
        ///   - certificateAuthority: a PEM file with certificates to trust instead of the system's.
        ///   - token: reads the long-lived access token; called for each attempt.
        ///   - names: the names of its radios by their addresses, such as `AA:BB:CC:DD:EE:FF`.
        ///   - otherNames: the names of other receivers, which its radios must not get.
        public init(
            name: String, address: HomeAssistantAddress, certificateAuthority: String? = nil,
            names: [String: String] = [:], otherNames: Set<String> = [],
            token: @escaping @Sendable () -> Result<String, HomeAssistantError>
        ) {
            self.name = name
            self.address = address
            self.certificateAuthority = certificateAuthority
            self.names = names
            self.otherNames = otherNames
            self.token = token
        }
    }

    private let server: Server
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let record: HealthRecord
    private let partRecords: PartRecords
    private let runs = RadioRuns<HomeAssistantSession>()

    /// - Parameters:
    ///   - clock: the time line of the batches, and the clock for timeouts.
    ///   - random: numbers of at least 0 and less than 1, for the waits between attempts.
    public init(
        _ server: Server, clock: any ScanClock = BootClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.server = server
        self.clock = clock
        self.random = random
        record = HealthRecord(adapter: server.name)
        partRecords = PartRecords(expected: server.names.values)
    }

    public var adapter: String { server.name }

    public var isRemote: Bool { true }

    public var radioHealth: RadioHealth { record.current }

    public var parts: [RadioHealth] { partRecords.current }

    /// None: that the connection is dead is noticed in any case, and another one wakes no radio.
    public var recoverySteps: [RecoveryStep] { [] }

    public func recover(by step: RecoveryStep) async throws {}

    /// Starts listening, and ends the sequence of an earlier call.
    public func batches() -> LiveBatches {
        runs.begin(HomeAssistantSession(server, clock: clock, random: random, health: record, parts: partRecords))
    }

    /// Ends listening.
    public func stop() async { await runs.end() }
}
