import Beacons
import Foundation
import Scanning

/// One run of a scanner: connects to the proxy, delivers its batches, and connects again whenever the connection is
/// lost.
actor ProxySession: RadioSession {
    /// The time between two checks of the time limits, and at most between two batches.
    static let tick = Duration.milliseconds(500)

    nonisolated let channel = BatchChannel()
    private let proxy: ESPHomeScanner.Proxy
    private let clock: any ScanClock
    private let random: @Sendable () -> Double
    private let health: HealthRecord

    private var socket: ProxySocket?
    private var dialogue: ProxyDialogue?
    /// The reason for which the connection was closed here.
    private var ending: ProxyError?
    /// An attempt to connect that has not ended, even if no task waits for it any longer.
    private var attempt: Task<Result<ProxySocket, ProxyError>, Never>?
    /// The session's wait for the attempt; nil if it does not wait, or no longer.
    private var attemptWaiter: CheckedContinuation<Result<ProxySocket, ProxyError>, Never>?
    private var attemptBegan: ScanInstant
    private var backoff = ReceiverBackoff()
    /// The wait before the next attempt.
    private var pause: Task<Void, Never>?
    /// Whether the connection was closed here in order to open a new one.
    private var isReopening = false
    private var isStopping = false
    private var lastDelivery: ScanInstant

    /// The queue of its connection.
    nonisolated var unownedExecutor: UnownedSerialExecutor { ProxySocket.executor.asUnownedSerialExecutor() }

    init(
        _ proxy: ESPHomeScanner.Proxy, clock: any ScanClock, random: @escaping @Sendable () -> Double,
        health: HealthRecord
    ) {
        self.proxy = proxy
        self.clock = clock
        self.random = random
        self.health = health
        attemptBegan = clock.now
        lastDelivery = clock.now
    }

    func run() async {
        await withTaskExecutorPreference(RadioQueue.tasks) {
            async let _: Void = tickUntilCancelled()
            await converseUntilStopped()
        }
        health.update { $0.state = .idle }
        channel.finish()
    }

    /// Holds one conversation after the other, with longer waits while they fail.
    private func converseUntilStopped() async {
        while !isStopping {
            let began = clock.now
            let error = await converse()
            guard !isStopping else { break }
            if isReopening { continue }
            noteFailure(error)
            // Two programs that take a proxy from each other would both be deaf for most of the time.
            if error == .taken, !proxy.takesBack {
                await waitUntilEnded()
            } else {
                await wait(backoff.wait(after: began.duration(to: clock.now), random: random()))
            }
        }
    }

    /// Disconnects from the proxy, and ends the run.
    func stop() async {
        guard !isStopping else { return }
        isStopping = true
        await sendFarewell()
        await endWaits(.closed)
    }

    /// Closes the connection and opens a new one, without waiting for it.
    func reopen() async throws(ProxyError) {
        guard !isStopping else { throw .notScanning }
        health.update { $0.recoveries[.reopen, default: 0] += 1 }
        // Before anything that waits: the connection may end by itself meanwhile.
        isReopening = true
        await sendFarewell()
        backoff = ReceiverBackoff()
        await endWaits(.closed)
    }

    /// Tells the proxy that the conversation is over, so that it is immediately free for another program.
    private func sendFarewell() async {
        guard var last = dialogue else { return }
        dialogue = nil
        try? await socket?.send(last.close())
    }

    /// Ends whatever the session is waiting for, for this reason.
    private func endWaits(_ error: ProxyError) async {
        ending = error
        pause?.cancel()
        attemptWaiter?.resume(returning: .failure(error))
        attemptWaiter = nil
        await socket?.close()
    }
}

// One connection.
extension ProxySession {
    /// Listens to the proxy until something goes wrong.
    private func converse() async -> ProxyError {
        ending = nil
        isReopening = false
        updateHealth(.unproven)
        do throws(ProxyError) {
            let socket = try await connect()
            // Somebody may have ended the session meanwhile; the connection is closed with its last reference.
            if let ending { throw ending }
            self.socket = socket
            defer { dialogue = nil }
            var opening = ProxyDialogue(client: proxy.client, key: proxy.key, at: clock.now)
            let first = try opening.open()
            dialogue = opening
            health.update { $0.isPresent = true }
            try await socket.send(first)
            while let bytes = try await socket.receive() {
                let output = try take(bytes)
                if !output.isEmpty { try await socket.send(output) }
            }
            return ending ?? .closed
        } catch {
            await socket?.close()
            socket = nil
            return ending ?? error
        }
    }

    /// Waits for the connection at most as long as for everything else, since looking up a name can take minutes.
    private func connect() async throws(ProxyError) -> ProxySocket {
        guard !isStopping else { throw .closed }
        attemptBegan = clock.now
        let attempt = attempt ?? startAttempt()
        let result = await withCheckedContinuation { waiter in
            attemptWaiter = waiter
            Task {
                let result = await attempt.value
                finishAttempt(result)
            }
        }
        return try result.get()
    }

    /// Starts to connect; the attempt goes on if the session stops waiting for it.
    private func startAttempt() -> Task<Result<ProxySocket, ProxyError>, Never> {
        let attempt = Task { [address = proxy.address] () -> Result<ProxySocket, ProxyError> in
            do throws(ProxyError) {
                return .success(try await ProxySocket.connect(to: address))
            } catch {
                return .failure(error)
            }
        }
        self.attempt = attempt
        return attempt
    }

    /// Passes the result of an attempt to the session, if it still waits.
    private func finishAttempt(_ result: Result<ProxySocket, ProxyError>) {
        attempt = nil
        // Without a waiter the connection is closed with its last reference.
        attemptWaiter?.resume(returning: result)
        attemptWaiter = nil
    }

    /// Passes received bytes to the conversation, and delivers what was heard; returns the bytes to send.
    private func take(_ bytes: [UInt8]) throws(ProxyError) -> Data {
        var batch = AdvertisementBatch(time: clock.now)
        // In place: a copy of the conversation would copy the bytes that it keeps.
        guard let output = try dialogue?.take(bytes, at: batch.time, into: &batch) else { return Data() }
        if let dialogue { updateHealth(dialogue.listening(at: batch.time)) }
        if !batch.isEmpty {
            health.note(batch)
            deliver(batch)
        }
        return output
    }

    private func updateHealth(_ listening: ProxyDialogue.Listening) {
        health.update { health in
            switch listening {
            // A failed receiver works again only when it hears something; another attempt is not enough.
            case .unproven: if health.state != .failed { health.state = .starting }
            case .hearing: health.state = .scanning
            case .silent: health.fail("\(ProxyError.silent)")
            case .failed: health.fail("\(ProxyError.scannerFailed)")
            }
        }
    }

    /// Notes why the connection ended.
    private func noteFailure(_ error: ProxyError) {
        health.update { health in
            if health.state == .scanning { health.recoveries[.reopen, default: 0] += 1 }
            health.fail("\(error)")
            health.isPresent = error.isFromProxy
        }
    }

    /// Waits, unless the session is ended or reopened before.
    private func wait(_ length: Duration) async {
        let pause = Task { [clock] in _ = try? await clock.sleep(for: length) }
        self.pause = pause
        await pause.value
    }

    /// Waits until the session is stopped, or asked to open a new connection.
    private func waitUntilEnded() async {
        while !isStopping, !isReopening { await wait(.seconds(3600)) }
    }

    private func deliver(_ batch: AdvertisementBatch) {
        lastDelivery = batch.time
        let dropped = channel.send(batch)
        if dropped > 0 { health.update { $0.dropped += dropped } }
    }
}

// Time.
extension ProxySession {
    private func tickUntilCancelled() async {
        while (try? await clock.sleep(for: Self.tick)) != nil { await tick(at: clock.now) }
    }

    private func tick(at now: ScanInstant) async {
        if lastDelivery.duration(to: now) >= Self.tick { deliver(AdvertisementBatch(time: now)) }
        if attemptWaiter != nil, attemptBegan.duration(to: now) >= ProxyDialogue.patience {
            await endWaits(.unanswered(.connection))
        }
        do throws(ProxyError) {
            guard let output = try dialogue?.tick(at: now), let listening = dialogue?.listening(at: now) else { return }
            updateHealth(listening)
            if !output.isEmpty { try await socket?.send(output) }
        } catch {
            await endWaits(error)
        }
    }
}

extension ProxyError {
    /// Whether the proxy was there, so that the fault is not that it is switched off.
    fileprivate var isFromProxy: Bool {
        switch self {
        case .unknownHost, .system(.connect, _), .unanswered(.connection): false
        default: true
        }
    }
}
