import DBus
import Scanning

/// What a session has to act on.
enum SessionEvent: Sendable {
    /// bluetoothd came or went.
    case daemon(isRunning: Bool)
    case adapterAdded
    case adapterRemoved
    /// The adapter was switched on or off, or discovery began or ended; where the signal said so, whether it is on.
    case changed(isPowered: Bool?)
    case monitorActivated
    case monitorReleased
    case monitorOverdue
    case retry
    case recover(RecoveryStep, Listening.Outcome)
    case lost(DBusError)

    var isChange: Bool {
        if case .changed = self { true } else { false }
    }
}

/// Scanning with one adapter on one connection: reacts to one event after the other, until the connection is lost.
actor AdapterSession {
    let name: String
    let connection: DBusConnection
    let options: BlueZOptions
    let record: AdapterHealthRecord
    let frames: FrameBuffer
    let events: EventQueue<SessionEvent>
    private let clock: any Clock<Duration>

    /// Nil while bluetoothd does not show it.
    var adapter: BlueZAdapter?
    /// Whether discovery of ours runs, as far as is known.
    var isScanning = false
    /// Whether it was switched on since it was found: once only.
    private var wasPowered = false
    var monitor: MonitorRegistration?
    /// Whether the monitor was tried since bluetoothd started; a refusal stays one.
    var wasMonitorTried = false
    private var timers: [Task<Void, Never>] = []
    private var retryWait: Duration
    private var isRetryPending = false
    private var reopening: [Listening.Outcome] = []

    init(
        adapter: String, connection: DBusConnection, options: BlueZOptions, clock: any Clock<Duration>,
        record: AdapterHealthRecord, frames: FrameBuffer, events: EventQueue<SessionEvent>
    ) {
        name = adapter
        self.connection = connection
        self.options = options
        self.clock = clock
        self.record = record
        self.frames = frames
        self.events = events
        retryWait = options.retryWaits.lowerBound
    }

    /// Runs until the connection is lost or the task is cancelled; answers why it ended.
    ///
    /// - Parameter reopening: calls that wait until this session has started discovery.
    func run(answering reopening: [Listening.Outcome]) async -> any Error {
        self.reopening = reopening
        defer { for timer in timers { timer.cancel() } }
        let reason: any Error
        do {
            let subscriptions = try await subscribe()
            await lookAgain()
            reason = await react()
            withExtendedLifetime(subscriptions) {}
        } catch {
            reason = error
        }
        answerReopening(.failure(reason))
        await end()
        return reason
    }

    private func react() async -> any Error {
        while let event = await events.next() {
            if case .lost(let reason) = event { return reason }
            await react(to: event)
        }
        return CancellationError()
    }

    private func react(to event: SessionEvent) async {
        switch event {
        case .daemon(isRunning: true):
            forget()
            await lookAgain()
        case .adapterAdded:
            await lookAgain()
        case .daemon(isRunning: false):
            forget()
        case .adapterRemoved:
            forget()
            // Somebody who plugs it in again wants it.
            record.update { $0.isSwitchedOff = false }
        case .changed(let isPowered):
            await follow(isPowered: isPowered)
        case .monitorActivated, .monitorReleased, .monitorOverdue:
            followMonitor(event)
        case .retry:
            isRetryPending = false
            await lookAgain()
        case .recover(let step, let outcome):
            do {
                try await recover(by: step)
                outcome.resume()
            } catch {
                outcome.resume(throwing: error)
            }
        case .lost:
            return
        }
    }

    /// Leaves the adapter as it was found, as far as the connection still carries it.
    private func end() async {
        // Also where a cancelled call may have started it.
        if adapter != nil { try? await connection.post(adapterCall("StopDiscovery")) }
        dropMonitor(isRegistered: true)
        isScanning = false
        adapter = nil
        show()
    }
}

// What is known of the adapter.
extension AdapterSession {
    private func forget() {
        let wasKnown = adapter != nil
        adapter = nil
        isScanning = false
        wasPowered = false
        wasMonitorTried = false
        dropMonitor(isRegistered: false)
        show()
        if wasKnown { record.tell(.lost) }
    }

    /// Asks bluetoothd again, and does what there is to do.
    private func lookAgain() async {
        let wasKnown = adapter != nil
        do {
            let adapters = try await connection.adapters(timeout: options.callTimeout) { [frames] address, reader in
                frames.learn(address, reader)
            }
            guard let found = adapters[name] else {
                // Removed since it was told of: the signal that says so is still to come.
                forget()
                return answerReopening(.failure(BlueZError.adapterAbsent(name)))
            }
            adapter = found
        } catch {
            return retryLater(error)
        }
        show()
        if !wasKnown { record.tell(.found) }
        await proceed()
    }

    /// A signal is only the occasion: what counts is what bluetoothd says when it is asked, since by then our own doing may
    /// have changed it again.
    private func follow(isPowered: Bool?) async {
        guard let before = adapter else { return }
        do {
            let now = try await connection.adapter(name, timeout: options.callTimeout)
            adapter?.isPowered = now.isPowered
            if before.isPowered, isPowered == false || !now.isPowered {
                isScanning = false
                record.update { $0.isSwitchedOff = !now.isPowered }
                record.tell(.poweredOff)
            } else if isScanning, !now.isDiscovering {
                isScanning = false
                record.tell(.discoveryEnded)
            }
        } catch {
            return retryLater(error)
        }
        show()
        await proceed()
    }

    func show() {
        record.update { health in
            health.isPresent = adapter != nil
            health.address = adapter?.address ?? health.address
            health.isPowered = adapter?.isPowered ?? false
            if health.isPowered { health.isSwitchedOff = false }
            health.isDiscovering = isScanning
            if adapter == nil { health.monitor = .unused }
        }
    }
}

// What there is to do.
extension AdapterSession {
    /// Takes whatever steps are missing until discovery runs.
    private func proceed() async {
        do {
            try await powerOn()
            if !isScanning { try await startDiscovery() }
            retryWait = options.retryWaits.lowerBound
            answerReopening(.success(()))
        } catch {
            answerReopening(.failure(error))
            // Somebody has to switch it on, which will be told.
            if isOff(error) { return record.update { $0.lastError = "\(error)" } }
            return retryLater(error)
        }
        await registerMonitor()
    }

    private func isOff(_ error: any Error) -> Bool {
        switch error as? BlueZError {
        case .poweredOff, .switchedOff: true
        default: false
        }
    }

    private func powerOn() async throws {
        guard adapter?.isPowered == false else { return }
        guard !record.snapshot.isSwitchedOff else { throw BlueZError.switchedOff(name) }
        guard options.powersAdapter, !wasPowered else { throw BlueZError.poweredOff(name) }
        try await setPowered(true)
        wasPowered = true
        record.tell(.poweredOn)
    }

    /// One attempt is pending at a time; each waits longer.
    private func retryLater(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        record.tell(.failed("\(error)"))
        // It will be told when they are back.
        if let error = error as? DBusError, error.isDaemonAbsent || error.isObjectAbsent { return forget() }
        guard !isRetryPending else { return }
        isRetryPending = true
        post(.retry, after: retryWait)
        retryWait = min(retryWait * 2, options.retryWaits.upperBound)
    }

    func post(_ event: SessionEvent, after wait: Duration) {
        let timer = Task { [clock, events] in
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            events.post(event)
        }
        timers = timers.suffix(7) + [timer]
    }

    private func answerReopening(_ outcome: Result<Void, any Error>) {
        for waiter in reopening { waiter.resume(with: outcome) }
        reopening = []
    }
}
