import Beacons
import Logging
import Monitor
import OperatingSystem
import Scanning
import Synchronization
import TestSupport
import Testing

/// A venue's station must recover its radio without help.
@Suite struct RadioWatchdogTests {
    /// A radio whose health a test sets.
    private final class FakeRadio: RadioScanner {
        private struct State {
            var lastReport: ScanInstant?
            var isPresent = true
            var isSwitchedOff = false
            var taken: [RecoveryStep] = []
        }

        enum Ailment { case none, failing, stuck }

        struct Broken: Error {}

        let adapter: String
        let isRemote: Bool
        private let ailment: Ailment
        private let state = Mutex(State())
        private let step = WakeUp()

        init(_ adapter: String, _ ailment: Ailment = .none, isRemote: Bool = false) {
            self.adapter = adapter
            self.isRemote = isRemote
            self.ailment = ailment
        }

        var taken: [RecoveryStep] { state.withLock(\.taken) }

        /// Waits until this number of steps has been taken.
        func takes(_ count: Int) async { while taken.count < count { await step.wait() } }

        var recoverySteps: [RecoveryStep] { [.restartScan, .reopen] }

        var radioHealth: RadioHealth {
            var health = RadioHealth(adapter: adapter)
            (health.lastReport, health.isPresent, health.isSwitchedOff) = state.withLock {
                ($0.lastReport, $0.isPresent, $0.isSwitchedOff)
            }
            return health
        }

        func plug(_ isPresent: Bool) { state.withLock { $0.isPresent = isPresent } }

        func switchOff(_ isSwitchedOff: Bool) { state.withLock { $0.isSwitchedOff = isSwitchedOff } }

        func hear(at time: ScanInstant) { state.withLock { $0.lastReport = time } }

        func recover(by step: RecoveryStep) async throws {
            state.withLock { $0.taken.append(step) }
            self.step.wake()
            switch ailment {
            case .none: return
            case .failing: throw Broken()
            // Ignores cancellation too.
            case .stuck: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }

        func batches() -> AsyncStream<AdvertisementBatch> { AsyncStream { nil } }
    }

    private let clock = SteppedClock()

    private func watch(_ radios: [FakeRadio]) -> (watchdog: RadioWatchdog, run: Task<Void, any Error>) {
        watch(RadioSet(radios))
    }

    private func watch(_ radios: RadioSet) -> (watchdog: RadioWatchdog, run: Task<Void, any Error>) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let watchdog = RadioWatchdog(radios: radios, clock: clock, logger: logger)
        return (watchdog, Task { try await watchdog.run() })
    }

    private func pass(_ seconds: Int, each: () -> Void = {}) async {
        for _ in 0..<seconds / 5 {
            await clock.sleepers()
            each()
            clock.advance(by: .seconds(5))
        }
    }

    @Test("a radio that was switched off by hand is left alone, and does not end the program")
    func switchedOff() async throws {
        let radio = FakeRadio("hci0")
        radio.switchOff(true)
        let (_, run) = watch([radio])
        await pass(3600)
        #expect(radio.taken.isEmpty)
        // Long enough for the first step, and too short for the last.
        radio.switchOff(false)
        await pass(120)
        #expect(!radio.taken.isEmpty)
        run.cancel()
        _ = await run.result
    }

    @Test(
        "a silent radio goes through the recovery steps; then the program ends with a reason",
        arguments: [false, true])
    func givesUp(isFailing: Bool) async throws {
        let radio = FakeRadio("hci0", isFailing ? .failing : .none)
        let (watchdog, run) = watch([radio])
        await pass(180)
        let failure = await #expect(throws: RadioFailure.self) { try await run.value }
        #expect(failure?.adapters == ["hci0"])
        #expect(radio.taken == [.restartScan, .reopen])
        // A step is a task of its own, whose failure may be noted after the program has given up.
        try await eventually("the failure of the first step is noted") {
            !isFailing || watchdog.status.radios.first?.failed[.restartScan] != nil
        }
        let status = watchdog.status.radios
        #expect(status.map(\.adapter) == ["hci0"])
        #expect(status.map(\.taken) == [[.restartScan: 1, .reopen: 1]])
        // The last step may still have been running when the program ended.
        #expect(status.map { $0.failed[.restartScan] } == [isFailing ? 1 : nil])
        #expect(status.map(\.lastStep) == [.reopen])
        #expect(status.map(\.lastStepTime) == [ScanInstant(nanoseconds: 120_000_000_000)])
        #expect(status.map(\.silence) == [.seconds(180)])
    }

    @Test("silent receivers in the network do not end the program")
    func remote() async throws {
        let radio = FakeRadio("bar", isRemote: true)
        let (_, run) = watch([radio])
        await pass(400)
        await radio.takes(4)
        run.cancel()
        try await run.value
    }

    @Test("a step that never finishes blocks neither the next step nor the exit")
    func stuck() async {
        let radio = FakeRadio("hci0", .stuck)
        let (watchdog, run) = watch([radio])
        await pass(180)
        await #expect(throws: RadioFailure.self) { try await run.value }
        #expect(Set(radio.taken) == [.restartScan, .reopen])
        #expect(watchdog.status.radios.map(\.failed) == [[.restartScan: 1]])
        #expect(watchdog.status.radios.map(\.lastError) == ["it did not finish"])
    }

    @Test("while another radio hears something, the program continues and tries again")
    func othersGoOn() async throws {
        let (dead, alive) = (FakeRadio("hci0"), FakeRadio("hci1"))
        let (watchdog, run) = watch([dead, alive])
        await pass(400) { alive.hear(at: clock.now) }
        await clock.sleepers()
        #expect(dead.taken == [.restartScan, .reopen, .restartScan, .reopen])
        #expect(alive.taken == [])
        #expect(watchdog.status.radios.map(\.silence) == [.seconds(40), .seconds(5)])
        run.cancel()
        try await run.value
    }

    @Test("a radio that recovers is counted and left alone")
    func revived() async throws {
        let radio = FakeRadio("hci0")
        let (watchdog, run) = watch([radio])
        await pass(100)
        radio.hear(at: clock.now)
        await pass(80)
        await clock.sleepers()
        #expect(radio.taken == [.restartScan])
        #expect(watchdog.status.radios.map(\.revivals) == [1])
        run.cancel()
        try await run.value
    }

    @Test("a radio that joins has its own recovery ladder, and is left alone while it is unplugged")
    func joins() async throws {
        let (first, second) = (FakeRadio("hci0"), FakeRadio("hci1"))
        let radios = RadioSet([first], isOpen: true)
        let (watchdog, run) = watch(radios)
        await pass(60) { first.hear(at: clock.now) }
        radios.join(second)
        await pass(100) { first.hear(at: clock.now) }
        await second.takes(1)
        #expect(second.taken == [.restartScan])
        #expect(watchdog.status.radios.map(\.adapter) == ["hci0", "hci1"])
        second.plug(false)
        await pass(300) { first.hear(at: clock.now) }
        #expect(second.taken == [.restartScan])
        second.plug(true)
        await pass(100) { first.hear(at: clock.now) }
        await second.takes(2)
        #expect(second.taken == [.restartScan, .restartScan])
        #expect(first.taken == [])
        run.cancel()
        try await run.value
    }

    @Test("if all radios are unplugged, the program ends, since they may be back after a restart")
    func allUnplugged() async {
        let radios = [FakeRadio("hci0"), FakeRadio("hci1")]
        let (_, run) = watch(RadioSet(radios, isOpen: true))
        radios[0].plug(false)
        await pass(60) { radios[1].hear(at: clock.now) }
        radios[1].plug(false)
        await pass(175)
        await #expect(throws: RadioFailure.self) { try await run.value }
    }
}
