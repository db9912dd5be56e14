import DBus
import Scanning

/// Scans with one adapter on one connection: handles one event after the other, until the connection is lost.
actor AdapterSession {
    let name: String
    let connection: DBusConnection
    let options: BlueZOptions
    let record: AdapterHealthRecord
    let frames: FrameBuffer
    let events: EventQueue<SessionEvent>
    private let clock: any Clock<Duration>

    /// The adapter; nil while bluetoothd does not provide it.
    var adapter: BlueZAdapter?
    /// Whether this program's discovery is running, as far as is known.
    var isScanning = false
    /// Whether the adapter was powered on since it was found: done once only.
    var wasPowered = false
    var monitor: MonitorRegistration?
    /// Whether the monitor was tried since bluetoothd started; a refusal is final.
    var wasMonitorTried = false
    /// The number of times that the adapter has gone off in a row; each time, it stays off for longer.
    var timesOff = 0
    /// The number for which an attempt to power it on is scheduled.
    var scheduledPower: Int?
    /// The last events that were scheduled.
    private var timers: [Task<Void, Never>] = []
    private var retryWait: Duration
    private var isRetryPending = false
    /// Calls that wait until this session has started discovery.
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

    /// Runs until the connection is lost or the task is cancelled; returns the reason.
    ///
    /// - Parameter reopening: calls that wait until this session has started discovery.
    func run(answering reopening: [Listening.Outcome]) async -> any Error {
        self.reopening = reopening
        defer { for timer in timers { timer.cancel() } }
        let reason: any Error
        do {
            let subscriptions = try await subscribe()
            await queryAdapter()
            reason = await handleEvents()
            withExtendedLifetime(subscriptions) {}
        } catch {
            reason = error
        }
        answerReopening(.failure(reason))
        await stop()
        return reason
    }

    /// Handles events until the connection is lost or the task is cancelled; returns the reason.
    private func handleEvents() async -> any Error {
        while let event = await events.next() {
            if case .lost(let reason) = event { return reason }
            await handle(event)
        }
        return CancellationError()
    }

    private func handle(_ event: SessionEvent) async {
        switch event {
        case .daemon(isRunning: true):
            forgetAdapter()
            await queryAdapter()
        case .adapterAdded:
            await queryAdapter()
        case .daemon(isRunning: false):
            forgetAdapter()
        case .adapterRemoved:
            forgetAdapter()
            // If somebody plugs the adapter in again, they want it to be used.
            record.update { $0.isSwitchedOff = false }
        case .changed(let isPowered):
            await handleChange(isPowered: isPowered)
        case .monitorActivated, .monitorReleased, .monitorOverdue:
            followMonitor(event)
        case .retry:
            isRetryPending = false
            await queryAdapter()
        case .powerAgain(let number):
            guard number == timesOff else { break }
            scheduledPower = nil
            if adapter?.isPowered == false { await powerOnAgain() }
        case .stayedOn(let number):
            if number == timesOff, adapter?.isPowered == true { timesOff = 0 }
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

    /// Stops discovery and the monitor at bluetoothd, if the connection still works.
    private func stop() async {
        // Stop it even if a cancelled call may have started it.
        if adapter != nil { try? await connection.post(adapterCall("StopDiscovery")) }
        dropMonitor(isRegistered: true)
        isScanning = false
        adapter = nil
        publishState()
    }
}

// State of the adapter.
extension AdapterSession {
    /// bluetoothd no longer provides the adapter: everything starts over when it does again.
    private func forgetAdapter() {
        let wasKnown = adapter != nil
        adapter = nil
        isScanning = false
        wasPowered = false
        wasMonitorTried = false
        dropMonitor(isRegistered: false)
        publishState()
        if wasKnown { record.report(.lost) }
    }

    /// Queries bluetoothd again, and acts on the result.
    private func queryAdapter() async {
        let wasKnown = adapter != nil
        do {
            let adapters = try await connection.adapters(timeout: options.callTimeout) { [frames] address, reader in
                frames.rememberAddressType(address, reader)
            }
            guard let found = adapters[name] else {
                // Removed in the meantime: the signal for that is still to arrive.
                forgetAdapter()
                return answerReopening(.failure(BlueZError.adapterAbsent(name)))
            }
            adapter = found
        } catch {
            return retryLater(error)
        }
        publishState()
        if !wasKnown { record.report(.found) }
        await takeMissingSteps()
    }

    /// Handles a signal that the adapter has changed. It only triggers a query: what counts is bluetoothd's current
    /// state, since this program's own calls may have changed it in the meantime.
    ///
    /// - Parameter isPowered: whether the adapter is on, if the signal says so.
    private func handleChange(isPowered: Bool?) async {
        guard let before = adapter else { return }
        do {
            let now = try await connection.adapter(name, timeout: options.callTimeout)
            adapter?.isPowered = now.isPowered
            if before.isPowered, isPowered == false || !now.isPowered {
                isScanning = false
                timesOff += 1
                scheduledPower = nil
                record.update { $0.isSwitchedOff = !now.isPowered }
                record.report(.poweredOff)
            } else if isScanning, !now.isDiscovering {
                isScanning = false
                record.report(.discoveryEnded)
            }
        } catch {
            return retryLater(error)
        }
        publishState()
        await takeMissingSteps()
    }

    /// Writes the adapter's state to the health that others read.
    func publishState() {
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

// Missing steps.
extension AdapterSession {
    /// Takes all missing steps until discovery is running.
    func takeMissingSteps() async {
        do {
            try await powerOn()
            if !isScanning { try await startDiscovery() }
            retryWait = options.retryWaits.lowerBound
            answerReopening(.success(()))
        } catch {
            answerReopening(.failure(error))
            guard isOff(error) else { return retryLater(error) }
            // If somebody switches it on before, a signal reports that.
            record.update { $0.lastError = "\(error)" }
            return schedulePower()
        }
        await registerMonitor()
    }

    private func isOff(_ error: any Error) -> Bool {
        switch error as? BlueZError {
        case .poweredOff, .switchedOff: true
        default: false
        }
    }

    /// Schedules the only pending retry; each waits longer.
    private func retryLater(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        record.report(.failed("\(error)"))
        // A signal reports when they are back.
        if let error = error as? DBusError, error.isDaemonAbsent || error.isObjectAbsent { return forgetAdapter() }
        guard !isRetryPending else { return }
        isRetryPending = true
        post(.retry, after: retryWait)
        retryWait = min(retryWait * 2, options.retryWaits.upperBound)
    }

    /// Posts an event to this session after a wait, unless the session ends before.
    func post(_ event: SessionEvent, after wait: Duration) {
        let timer = Task { [clock, events] in
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            events.post(event)
        }
        timers = timers.suffix(7) + [timer]
    }

    /// Resumes the calls that have waited for this session's first start of discovery.
    private func answerReopening(_ outcome: Result<Void, any Error>) {
        for waiter in reopening { waiter.resume(with: outcome) }
        reopening = []
    }
}
