import Beacons
public import Logging
public import Scanning
public import ServiceLifecycle

/// Recovers radios that hear nothing, step by step, and ends the program if nothing helps.
///
/// It restarts only the program's own listening, never bluetoothd. While any radio hears something, the program
/// continues, and the ladder of a dead radio starts over. Radios may join at any time; each has its own ladder. If the
/// settings name no radio, an unplugged one is ignored while another is present. A radio that was switched off is
/// always ignored.
public struct RadioWatchdog: Service {
    /// The steps taken so far.
    public let status: WatchdogStatus

    private let radios: RadioSet
    private let configuration: WatchdogLadder.Configuration
    private let clock: any ScanClock
    private let logger: Logger

    /// The time between two looks at the radios.
    static let interval = Duration.seconds(5)

    /// - Parameter clock: must use the time line of the radios.
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

    /// Watches until the program is stopped.
    ///
    /// - Throws: ``RadioFailure`` if no radio hears anything and all steps have been tried.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await watch() }
        } catch is CancellationError {
            return
        }
    }

    private struct WatchedRadio {
        let scanner: any RadioScanner
        var ladder: WatchdogLadder
        /// Whether the radio is switched off, or is unplugged and not named in the settings.
        var isAway = false
        /// The current step, in its own task, so that a step that hangs blocks neither the watch nor the exit.
        var recovery: Recovery?
    }

    /// Looks at all radios again and again.
    private func watch() async throws {
        var watched: [WatchedRadio] = []
        await admit(&watched)
        while true {
            try await clock.sleep(for: Self.interval)
            await admit(&watched)
            for index in watched.indices where !watched[index].isAway {
                guard let action = await examine(index, &watched[index]) else { continue }
                switch action {
                case .take(let step): begin(step, index, &watched[index])
                case .exit: try giveUp(index, &watched)
                }
            }
        }
    }

    /// Adds the radios that have joined, and notes which are away.
    private func admit(_ watched: inout [WatchedRadio]) async {
        for radio in radios.radios.dropFirst(watched.count) {
            watched.append(WatchedRadio(scanner: radio, ladder: WatchdogLadder(configuration, start: clock.now)))
        }
        status.admit(watched.map(\.scanner.adapter))
        var health: [RadioHealth] = []
        for radio in watched { health.append(await radio.scanner.radioHealth) }
        let isAnyPresent = health.contains(where: \.isPresent)
        for index in watched.indices {
            let isUnplugged = radios.isOpen && !health[index].isPresent && isAnyPresent
            let isAway = isUnplugged || health[index].isSwitchedOff
            if isAway != watched[index].isAway { watched[index].ladder.startOver(at: clock.now) }
            watched[index].isAway = isAway
        }
    }

    /// What to do about a radio now; nil for nothing.
    ///
    /// - Parameter index: its number in the set and in the status.
    private func examine(_ index: Int, _ radio: inout WatchedRadio) async -> WatchdogLadder.Action? {
        let health = await radio.scanner.radioHealth
        let steps = await radio.scanner.recoverySteps
        let wasClimbing = radio.ladder.isClimbing
        let action = radio.ladder.advance(to: clock.now, lastReport: health.lastReport, steps: steps)
        let silence = radio.ladder.silence(at: clock.now)
        let isRevived = wasClimbing && !radio.ladder.isClimbing
        status.update(index) { radio in
            radio.silence = silence
            if isRevived { radio.revivals += 1 }
        }
        if isRevived { logger.notice("radio hears again", metadata: ["adapter": "\(health.adapter)"]) }
        return action
    }

    /// Begins a step, and abandons the one before if it has not ended.
    private func begin(_ step: RecoveryStep, _ index: Int, _ radio: inout WatchedRadio) {
        let scanner = radio.scanner
        let metadata: Logger.Metadata = ["adapter": "\(scanner.adapter)", "step": "\(step.rawValue)"]
        if let unfinished = radio.recovery?.abandon() {
            fail(unfinished, scanner, index, "it did not finish")
        }
        logger.warning(
            "radio is quiet",
            metadata: metadata.merging(["silence": "\(radio.ladder.silence(at: clock.now))"]) { $1 }
        )
        let now = clock.now
        status.update(index) { radio in
            radio.taken[step, default: 0] += 1
            radio.lastStep = step
            radio.lastStepTime = now
        }
        radio.recovery = Recovery(step) {
            try await scanner.recover(by: step)
        } report: { failure in
            if let failure {
                fail(step, scanner, index, "\(failure)")
            } else {
                logger.info("recovery step done", metadata: metadata)
            }
        }
    }

    /// Notes that a step has failed.
    private func fail(_ step: RecoveryStep, _ scanner: any RadioScanner, _ index: Int, _ reason: String) {
        status.update(index) { radio in
            radio.failed[step, default: 0] += 1
            radio.lastError = reason
        }
        logger.error(
            "recovery step failed",
            metadata: ["adapter": "\(scanner.adapter)", "step": "\(step.rawValue)", "reason": "\(reason)"]
        )
    }

    /// Ends the program if no radio hears anything and a restart may help; otherwise only the ladder starts over.
    private func giveUp(_ index: Int, _ watched: inout [WatchedRadio]) throws(RadioFailure) {
        let now = clock.now
        let isAnyAlive = watched.contains { !$0.isAway && $0.ladder.silence(at: now) < configuration.quiet }
        // A restart would not help devices in the network, and would end the displays and the alarms.
        guard isAnyAlive || watched.allSatisfy(\.scanner.isRemote) else {
            for radio in watched { radio.recovery?.cancel() }
            throw RadioFailure(adapters: watched.map(\.scanner.adapter))
        }
        let adapter = watched[index].scanner.adapter
        logger.error("radio does not work: check it", metadata: ["adapter": "\(adapter)"])
        watched[index].ladder.startOver(at: now)
    }
}

/// An error if no radio hears anything and no step has helped. The program ends, and systemd restarts it.
public struct RadioFailure: Error, Hashable, Sendable {
    public let adapters: [String]
}

extension RadioFailure: CustomStringConvertible {
    public var description: String {
        "no radio hears anything (\(adapters.joined(separator: ", "))), and no recovery step has helped: "
            + "check the adapter, its antenna and its power supply"
    }
}
