import Beacons
import Scanning

/// One run of a scanner: opens the controller, sets it up, scans, delivers batches, and reopens a lost transport.
///
/// It never blocks: the transport handles descriptors. A periodic tick of the clock ends all waits.
actor HCISession: RadioSession {
    /// The orders that end the wait of a scanning session.
    enum Order: Sendable {
        case restart(ScanSupervisor.Reason)
        case reopen
        case lost(HCIError)
    }

    /// The time between two checks of the time limits.
    static let tick = Duration.milliseconds(200)
    /// The time without a batch after which a tick delivers an empty one.
    static let longestSilence = Duration.milliseconds(600)
    /// The time in which a controller must reply to a command.
    static let commandTimeout = Duration.seconds(2)
    /// The first wait before a lost controller is reopened, which doubles each time, and the longest.
    static let reopenWaits = Duration.seconds(1)...(.seconds(30))

    let access: HCIAccess
    let options: HCIScanOptions
    let clock: any ScanClock
    let health: HealthRecord
    nonisolated let channel = BatchChannel()

    var transport: (any HCITransport)?
    /// The command whose reply is awaited.
    var exchange: CommandExchange?
    var parser = HCIEventParser()
    var supervisor = ScanSupervisor()
    /// The family of commands that this controller accepts; nil until it is known.
    var kind: ScanKind?
    /// Whether the controller is scanning for us.
    var isScanning = false
    /// Whether a running scan of the controller may be ours, even while the controller is being reopened.
    var ownsRunningScan = false
    /// Whether another program was scanning when our scan replaced its scan.
    var hasTakenOver = false
    var isStopping = false
    var lastDelivery: ScanInstant

    private var orders = AsyncStream<Order>.makeStream()
    private var isFinished = false
    /// Calls that wait until the controller is open again, or cannot be opened.
    private var openingWaiters: [CheckedContinuation<HCIError?, Never>] = []
    private var pause: Task<Void, Never>?
    /// Whether a procedure is running, and the procedures that wait for their turn.
    private var isBusy = false
    private var turns: [CheckedContinuation<Void, Never>] = []

    init(_ access: HCIAccess, _ options: HCIScanOptions, clock: any ScanClock, health: HealthRecord) {
        self.access = access
        self.options = options
        self.clock = clock
        self.health = health
        lastDelivery = clock.now
    }

    /// Scans until stopped, or until the controller cannot be opened.
    func run() async {
        health.update { $0.state = .starting }
        async let _: Void = tickUntilCancelled()
        await listen()
        health.update { if $0.state != .failed { $0.state = .idle } }
        isFinished = true
    }

    /// Stops the controller's scan, and ends the run.
    func stop() async {
        guard !isStopping else { return }
        isStopping = true
        pause?.cancel()
        await restore()
        orders.continuation.finish()
        await transport?.close()
    }

    /// Opens the controller and scans, again and again, until stopped or until the first attempt fails.
    private func listen() async {
        var failures = 0
        var hasOpened = false
        while !isStopping {
            do throws(HCIError) {
                try await open()
                hasOpened = true
                failures = 0
                try await serve()
                await close()
            } catch {
                await close()
                guard !isStopping else { break }
                noteFailure(error)
                guard hasOpened, access.isReopenable else { return channel.finish(throwing: error) }
                await wait(afterFailures: failures)
                failures += 1
            }
        }
        channel.finish()
    }

    /// Opens the controller and starts the scan.
    private func open() async throws(HCIError) {
        orders = AsyncStream.makeStream()
        let transport = try await access.open()
        self.transport = transport
        Task { await read(transport) }
        try await inTurn { session throws(HCIError) in try await session.setUp() }
        resumeOpeningWaiters(nil)
    }

    /// Processes orders until the session is stopped or must reopen; throws when the controller is lost.
    private func serve() async throws(HCIError) {
        for await order in orders.stream {
            switch order {
            case .restart(let reason):
                health.update { $0.recoveries[.restartScan, default: 0] += 1 }
                try await inTurn { session throws(HCIError) in try await session.restartScan(reason) }
            case .reopen: return
            case .lost(let error): throw error
            }
        }
    }

    /// Closes the transport, and forgets what is known about the controller.
    private func close() async {
        orders.continuation.finish()
        supervisor.ended()
        isScanning = false
        kind = nil
        await transport?.close()
        transport = nil
        parser = HCIEventParser()
    }

    private func noteFailure(_ error: HCIError) {
        health.update { $0.fail("\(error)") }
        resumeOpeningWaiters(error)
    }

    private func resumeOpeningWaiters(_ error: HCIError?) {
        for waiter in openingWaiters { waiter.resume(returning: error) }
        openingWaiters = []
    }

    /// Waits before the controller is reopened, unless that is asked for before.
    private func wait(afterFailures failures: Int) async {
        // At 32 s the longest wait is reached.
        let doubled = Self.reopenWaits.lowerBound * (1 << min(failures, 5))
        let wait = min(doubled, Self.reopenWaits.upperBound)
        let pause = Task { [clock] in _ = try? await clock.sleep(for: wait) }
        self.pause = pause
        await pause.value
    }

    /// Reopens the controller immediately, even if the session is waiting after a failure.
    func reopen() async throws(HCIError) {
        guard !isFinished, !isStopping else { throw .notScanning(adapter: access.adapter) }
        give(.reopen)
        pause?.cancel()
        if let error = await withCheckedContinuation({ openingWaiters.append($0) }) { throw error }
    }

    /// Ends the wait of the session with an order.
    func give(_ order: Order) {
        orders.continuation.yield(order)
    }

    /// Runs the commands of one procedure, which must not be interleaved with those of another.
    func inTurn(_ body: @Sendable (isolated HCISession) async throws(HCIError) -> Void) async throws(HCIError) {
        while isBusy { await withCheckedContinuation { turns.append($0) } }
        isBusy = true
        defer {
            isBusy = false
            if !turns.isEmpty { turns.removeFirst().resume() }
        }
        try await body(self)
    }
}
