import Beacons
import Scanning

/// One run of a scanner: opens the controller, sets it up, scans, hands batches on, comes back when the transport is lost.
///
/// It never blocks: descriptors are the transport's business. All that waits is ended by one tick of the clock.
actor HCISession {
    /// What ends the wait of a session that scans.
    enum Order: Sendable {
        case restart(ScanSupervisor.Reason)
        case reopen
        case lost(HCIError)
    }

    static let tick = Duration.milliseconds(200)
    /// The longest silence between two batches is this and a tick.
    static let beat = Duration.milliseconds(600)
    static let commandTimeout = Duration.seconds(2)
    static let reopenWaits = Duration.seconds(1)...(.seconds(30))

    let access: HCIAccess
    let options: HCIScanOptions
    let clock: any ScanClock
    let health: HealthRecord
    let channel = BatchChannel()

    var transport: (any HCITransport)?
    var exchange: CommandExchange?
    var parser = HCIEventParser()
    var supervisor = ScanSupervisor()
    /// The commands that this controller takes; nil until it has said so.
    var kind: ScanKind?
    /// Whether the controller scans because of us.
    var isScanning = false
    /// Whether a scan that the controller runs can be ours; also while it is being opened again.
    var ownsRunningScan = false
    /// Whether another program was scanning when our scan took the place of its own.
    var hasTakenOver = false
    var isStopping = false
    var lastDelivery: ScanInstant

    private var orders = AsyncStream<Order>.makeStream()
    private var isFinished = false
    private var finishWaiters: [CheckedContinuation<Void, Never>] = []
    private var openingWaiters: [CheckedContinuation<HCIError?, Never>] = []
    private var pause: Task<Void, Never>?
    private var isBusy = false
    private var turns: [CheckedContinuation<Void, Never>] = []

    init(_ access: HCIAccess, _ options: HCIScanOptions, clock: any ScanClock, health: HealthRecord) {
        self.access = access
        self.options = options
        self.clock = clock
        self.health = health
        lastDelivery = clock.now
    }

    /// Listens until stopped, or until the controller cannot be had.
    ///
    /// - Parameter previous: a session with the same controller, which ends first.
    func run(after previous: HCISession?) async {
        await previous?.stop()
        health.update { $0.state = .starting }
        async let _: Void = tickUntilCancelled()
        await listen()
        health.update { if $0.state != .failed { $0.state = .idle } }
        isFinished = true
        for waiter in finishWaiters { waiter.resume() }
        finishWaiters = []
    }

    /// Ends the run, once the controller has been told to scan no more.
    func stop() async {
        if !isStopping {
            isStopping = true
            pause?.cancel()
            await restore()
            orders.continuation.finish()
            await transport?.close()
        }
        guard !isFinished else { return }
        await withCheckedContinuation { finishWaiters.append($0) }
    }

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
                fail(error)
                guard hasOpened, access.isReopenable else { return channel.finish(throwing: error) }
                await wait(afterFailures: failures)
                failures += 1
            }
        }
        channel.finish()
    }

    private func open() async throws(HCIError) {
        orders = AsyncStream.makeStream()
        let transport = try await access.open()
        self.transport = transport
        Task { await read(transport) }
        try await inTurn { session throws(HCIError) in try await session.setUp() }
        tellOpened(nil)
    }

    /// Follows orders until the session is stopped or told to reopen; throws when the controller is lost.
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

    private func close() async {
        orders.continuation.finish()
        supervisor.ended()
        isScanning = false
        kind = nil
        await transport?.close()
        transport = nil
        parser = HCIEventParser()
    }

    private func fail(_ error: HCIError) {
        health.update { health in
            health.state = .failed
            health.lastError = "\(error)"
        }
        tellOpened(error)
    }

    private func tellOpened(_ error: HCIError?) {
        for waiter in openingWaiters { waiter.resume(returning: error) }
        openingWaiters = []
    }

    private func wait(afterFailures failures: Int) async {
        let wait = Self.reopenWaits.lowerBound * (1 << min(failures, 5))
        let pause = Task { [clock] in _ = try? await clock.sleep(for: min(wait, Self.reopenWaits.upperBound)) }
        self.pause = pause
        await pause.value
    }

    /// Opens the controller again, at once also where the session waits after a failure.
    func reopen() async throws(HCIError) {
        guard !isFinished, !isStopping else { throw .notScanning(adapter: access.adapter) }
        give(.reopen)
        pause?.cancel()
        if let error = await withCheckedContinuation({ openingWaiters.append($0) }) { throw error }
    }

    func give(_ order: Order) {
        orders.continuation.yield(order)
    }

    /// Runs what must not be interleaved with its like: the commands of one procedure.
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
