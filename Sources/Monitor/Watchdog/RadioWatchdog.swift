import Beacons
public import Logging
public import Scanning
public import ServiceLifecycle

/// Helps radios that have gone quiet, step by step, and ends the program where nothing helps.
///
/// It restarts nothing but the program's own listening: bluetoothd is not its business. While any radio hears something,
/// the program goes on, and the ladder of a dead one starts over. Radios may join at any time, and each has a ladder of
/// its own; where none is asked for by name, one that is unplugged is left alone while another is there. One that somebody
/// switched off is left alone in any case.
public struct RadioWatchdog: Service {
    /// What was done so far.
    public let status: WatchdogStatus

    private let radios: RadioSet
    private let configuration: WatchdogLadder.Configuration
    private let clock: any ScanClock
    private let logger: Logger

    static let interval = Duration.seconds(5)

    /// - Parameter clock: must read the time line of the radios.
    public init(
        radios: RadioSet, configuration: WatchdogLadder.Configuration = .init(),
        clock: any ScanClock = BootClock(), logger: Logger
    ) {
        self.radios = radios
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        status = WatchdogStatus(adapters: radios.radios.map(\.adapter))
    }

    /// Watches until the program is told to stop.
    ///
    /// - Throws: ``RadioFailure`` when no radio hears anything and all steps are used up.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await watch() }
        } catch is CancellationError {
            return
        }
    }

    /// A radio under watch.
    private struct Patient {
        let radio: any RadioScanner
        var ladder: WatchdogLadder
        /// Unplugged, and nobody asked for it; or switched off.
        var isAway = false
        /// The step under way. It has a task of its own, so that one that never ends stops neither the watch nor the exit.
        var treatment: Treatment?
    }

    private func watch() async throws {
        var patients: [Patient] = []
        await admit(&patients)
        while true {
            try await clock.sleep(for: Self.interval)
            await admit(&patients)
            for index in patients.indices where !patients[index].isAway {
                guard let action = await examine(index, &patients[index]) else { continue }
                switch action {
                case .take(let step): begin(step, index, &patients[index])
                case .exit: try giveUp(index, &patients)
                }
            }
        }
    }

    /// Takes in the radios that have joined, and tells which are away.
    private func admit(_ patients: inout [Patient]) async {
        for radio in radios.radios.dropFirst(patients.count) {
            patients.append(Patient(radio: radio, ladder: WatchdogLadder(configuration, start: clock.now)))
        }
        status.admit(patients.map(\.radio.adapter))
        var health: [RadioHealth] = []
        for patient in patients { health.append(await patient.radio.radioHealth) }
        let isAnyPresent = health.contains(where: \.isPresent)
        for index in patients.indices {
            let isUnplugged = radios.isOpen && !health[index].isPresent && isAnyPresent
            let isAway = isUnplugged || health[index].isSwitchedOff
            if isAway != patients[index].isAway { patients[index].ladder.startOver(at: clock.now) }
            patients[index].isAway = isAway
        }
    }

    private func examine(_ index: Int, _ patient: inout Patient) async -> WatchdogLadder.Action? {
        let health = await patient.radio.radioHealth
        let steps = await patient.radio.recoverySteps
        let wasClimbing = patient.ladder.isClimbing
        let action = patient.ladder.advance(to: clock.now, lastReport: health.lastReport, steps: steps)
        let silence = patient.ladder.silence(at: clock.now)
        let isRevived = wasClimbing && !patient.ladder.isClimbing
        status.update(index) { radio in
            radio.silence = silence
            if isRevived { radio.revivals += 1 }
        }
        if isRevived { logger.notice("radio hears again", metadata: ["adapter": "\(health.adapter)"]) }
        return action
    }

    private func begin(_ step: RecoveryStep, _ index: Int, _ patient: inout Patient) {
        let radio = patient.radio
        let metadata: Logger.Metadata = ["adapter": "\(radio.adapter)", "step": "\(step.rawValue)"]
        if let unfinished = patient.treatment?.abandon() {
            fail(unfinished, radio, index, "it did not end")
        }
        logger.warning(
            "radio is quiet",
            metadata: metadata.merging(["silence": "\(patient.ladder.silence(at: clock.now))"]) { $1 }
        )
        let now = clock.now
        status.update(index) { radio in
            radio.taken[step, default: 0] += 1
            radio.lastStep = step
            radio.lastStepTime = now
        }
        patient.treatment = Treatment(step) {
            do {
                try await radio.recover(by: step)
                logger.info("recovery step done", metadata: metadata)
            } catch {
                fail(step, radio, index, "\(error)")
            }
        }
    }

    private func fail(_ step: RecoveryStep, _ radio: any RadioScanner, _ index: Int, _ reason: String) {
        status.update(index) { radio in
            radio.failed[step, default: 0] += 1
            radio.lastError = reason
        }
        logger.error(
            "recovery step failed",
            metadata: ["adapter": "\(radio.adapter)", "step": "\(step.rawValue)", "reason": "\(reason)"]
        )
    }

    private func giveUp(_ index: Int, _ patients: inout [Patient]) throws(RadioFailure) {
        let now = clock.now
        let isAnyAlive = patients.contains { !$0.isAway && $0.ladder.silence(at: now) < configuration.quiet }
        guard isAnyAlive else {
            for patient in patients { patient.treatment?.cancel() }
            throw RadioFailure(adapters: patients.map(\.radio.adapter))
        }
        let adapter = patients[index].radio.adapter
        logger.error("radio is dead, others go on: look after it", metadata: ["adapter": "\(adapter)"])
        patients[index].ladder.startOver(at: now)
    }
}
