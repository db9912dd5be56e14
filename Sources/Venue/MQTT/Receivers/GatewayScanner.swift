public import Scanning
import Syntax

/// Listens through a gateway that publishes the Bluetooth advertisements that it hears to the venue's broker.
///
/// If the broker cannot be reached, the sequence does not fail: the scanner keeps trying, and its health says what is
/// wrong.
public final class GatewayScanner: RadioScanner {
    private let name: String
    private let topic: String
    private let broker: BrokerConfiguration
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let record: HealthRecord
    private let runs = RadioRuns<GatewaySession>()

    /// - Parameters:
    ///   - name: the name in the settings.
    ///   - topic: the filter of the gateway's topics; see ``isTopic(_:)``.
    ///   - broker: with a client identifier for this receiver alone.
    ///   - clock: the time line of the batches, and the clock for timeouts.
    ///   - random: numbers of at least 0 and less than 1, for the waits between attempts.
    public init(
        name: String, topic: String, broker: BrokerConfiguration, clock: any ScanClock = BootClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.name = name
        self.topic = topic
        self.broker = broker
        self.clock = clock
        self.random = random
        record = HealthRecord(adapter: name)
    }

    /// Whether the text is a valid topic filter (MQTT 3.1.1, section 4.7) with at least one level that is not a
    /// wildcard.
    public static func isTopic(_ text: String) -> Bool {
        let levels = text.split(at: "/", omittingEmptySubsequences: false)
        guard (1...255).contains(text.utf8.count), !text.utf8.contains(0),
            levels.contains(where: { !["", "+", "#"].contains($0) })
        else { return false }
        return levels.enumerated().allSatisfy { index, level in
            level == "+" || level == "#" && index == levels.count - 1
                || !level.unicodeScalars.contains { "+#".unicodeScalars.contains($0) }
        }
    }

    public var adapter: String { name }

    public var isRemote: Bool { true }

    public var radioHealth: RadioHealth { record.current }

    public var recoverySteps: [RecoveryStep] { [.reopen] }

    public func recover(by step: RecoveryStep) async throws {
        guard step == .reopen, let session = runs.session else { throw MQTTError.notConnected }
        await session.reopen()
    }

    /// Starts listening, and ends the sequence of an earlier call.
    public func batches() -> LiveBatches {
        runs.begin(GatewaySession(topic: topic, broker: broker, clock: clock, random: random, health: record))
    }

    /// Ends listening.
    public func stop() async { await runs.end() }
}
