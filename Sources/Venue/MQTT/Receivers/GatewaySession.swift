import Beacons
import Foundation
import Scanning

/// One run of a scanner: subscribes to a gateway's topic, delivers its batches, and connects again whenever the
/// connection to the broker is lost.
actor GatewaySession: RadioSession {
    /// The time between two checks of the time limits, and at most between two batches.
    static let tick = Duration.milliseconds(500)
    /// The time without an advertisement after which the gateway counts as failed. OpenMQTTGateway scans for 10 s and
    /// then pauses for 56 s, with its defaults; one scan may hear nothing.
    static let silence = Duration.seconds(150)
    /// The maximum number of messages from a gateway in a second; a radio cannot hear more.
    static let maximumRate = 2000

    nonisolated let channel = BatchChannel()
    private let topic: String
    private let broker: BrokerConfiguration
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let health: HealthRecord

    private var connection: MQTTConnection?
    /// The task that listens.
    private var work: Task<Void, Never>?
    /// The wait before the next attempt.
    private var pause: Task<Void, Never>?
    private var backoff = ReceiverBackoff()
    /// When an advertisement last arrived, or else when the subscription began; nil without a subscription.
    private var lastAdvertisement: ScanInstant?
    /// Whether the connection was closed here in order to open a new one.
    private var isReopening = false
    private var isStopping = false
    private var lastDelivery: ScanInstant
    private var rate: ReceiverRate

    init(
        topic: String, broker: BrokerConfiguration, clock: any ScanClock, random: @escaping @Sendable () -> Double,
        health: HealthRecord
    ) {
        self.topic = topic
        self.broker = broker
        self.clock = clock
        self.random = random
        self.health = health
        lastDelivery = clock.now
        rate = ReceiverRate(maximum: Self.maximumRate, start: lastDelivery)
    }

    func run() async {
        async let _: Void = tickUntilCancelled()
        let work = Task { await listen() }
        self.work = work
        await work.value
    }

    func stop() async {
        isStopping = true
        pause?.cancel()
        work?.cancel()
        await connection?.close()
    }

    /// Closes the connection to the broker and opens a new one, without waiting for it.
    func reopen() async {
        health.update { $0.recoveries[.reopen, default: 0] += 1 }
        backoff = ReceiverBackoff()
        pause?.cancel()
        guard let connection else { return }
        isReopening = true
        await connection.close()
    }

    /// Follows the topic on one connection after the other, with longer waits while they fail.
    private func listen() async {
        while !isStopping {
            health.update { if $0.state != .failed { $0.state = .starting } }
            do {
                try await follow()
            } catch is CancellationError {
                break
            } catch {
                guard !isStopping else { break }
                if isReopening {
                    isReopening = false
                    continue
                }
                health.update { if $0.state == .scanning { $0.recoveries[.reopen, default: 0] += 1 } }
                noteFailure("\(error)")
            }
            guard !isStopping else { break }
            await wait(backoff.wait(after: .zero, random: random()))
        }
        health.update { $0.state = .idle }
        channel.finish()
    }

    /// Waits, unless the session is stopped or reopened before.
    private func wait(_ length: Duration) async {
        let pause = Task { [clock] in _ = try? await clock.sleep(for: length) }
        self.pause = pause
        await pause.value
    }

    /// Follows the topic until the connection is lost.
    private func follow() async throws {
        let connection = try await MQTTConnection.open(broker, backlog: 1024)
        guard !isStopping else { return await connection.close() }
        self.connection = connection
        defer {
            self.connection = nil
            lastAdvertisement = nil
        }
        do {
            try await connection.subscribe(topic)
        } catch {
            await connection.close()
            throw error
        }
        lastAdvertisement = clock.now
        for await message in connection.messages {
            guard rate.allows(1, at: clock.now) else {
                await connection.close()
                throw MQTTError.flooding
            }
            process(message)
        }
        let dropped = await connection.dropped
        if dropped > 0 { health.update { $0.dropped += dropped } }
        let loss = await connection.loss
        await connection.close()
        throw loss ?? .notConnected
    }

    /// Delivers what a message reports.
    private func process(_ message: MQTTMessage) {
        // Retained messages are old, and without a payload they are deletions.
        guard !message.isRetained, !message.payload.isEmpty else { return }
        let now = clock.now
        var batch = AdvertisementBatch(time: now)
        if let heard = GatewayMessage(message.payload) {
            guard heard.isAdvertisement else { return }
            lastAdvertisement = now
            backoff = ReceiverBackoff()
            // A gateway sends neither the type of the address nor that of the event.
            batch.append(
                time: now, address: heard.address, addressKind: .random, rssi: heard.rssi, event: [],
                data: heard.data.span.bytes)
            health.update { $0.state = .scanning }
        } else {
            batch.malformed = 1
        }
        health.note(batch)
        deliver(batch)
    }

    private func noteFailure(_ reason: String) { health.update { $0.fail(reason) } }

    private func deliver(_ batch: AdvertisementBatch) {
        lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { health.update { $0.dropped += dropped } }
    }

    private func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.tick)) != nil {
            let now = clock.now
            if lastDelivery.duration(to: now) >= Self.tick { deliver(AdvertisementBatch(time: now)) }
            if let last = lastAdvertisement, last.duration(to: now) >= Self.silence {
                lastAdvertisement = now
                noteFailure(
                    "nothing heard has arrived from the gateway for \(Self.silence.components.seconds) s: check that it "
                        + "runs, and the topic \(topic)")
            }
        }
    }
}
