import Beacons
import Glibc
import Scanning

// Commands to the controller.
extension HCISession {
    /// Makes the controller scan, whatever its state.
    func setUp() async throws(HCIError) {
        switch access.role {
        case .listener: return health.update { $0.state = .scanning }
        case .owned:
            try await perform(.reset)
            try await perform(.setEventMask)
            try await perform(.setLEEventMask)
            try await chooseKind()
        case .shared(let device):
            do throws(HCIError) {
                try await chooseKind()
            } catch {
                guard error.isPoweredOff, let device, Capabilities.current.administersNetworks else { throw error }
                try await device.powerOn()
                try await chooseKind()
            }
        }
        try await startScan()
    }

    /// Determines which family of commands the controller has.
    private func chooseKind() async throws(HCIError) {
        let answer = try await perform(.readLocalLEFeatures)
        guard answer.count >= 8 else { throw .malformedAnswer(command: HCICommand.Opcode.readLocalLEFeatures.name) }
        kind = ScanKind(features: answer.span.bytes.littleEndian(0, as: UInt64.self))
    }

    /// Restarts the scan, and notes the reason as the last error.
    func restartScan(_ reason: ScanSupervisor.Reason) async throws(HCIError) {
        health.update { health in
            switch reason {
            case .interrupted: health.lastError = "another program changed the scan"
            case .silent: health.lastError = "nothing was heard for a while"
            }
        }
        if reason == .interrupted { ownsRunningScan = false }
        try await startScan()
    }

    /// Restarts the scan; it is disabled first, because its parameters cannot be changed while it is running.
    ///
    /// Features can be wrong, and a controller that was used with one family of commands rejects the other: so the
    /// other family is tried before giving up.
    func startScan() async throws(HCIError) {
        let preferred = kind ?? .legacy
        do throws(HCIError) {
            try await startScan(preferred)
        } catch {
            guard case .refused(_, let status) = error, status.isRefusalOfKind else { throw error }
            do throws(HCIError) { try await startScan(preferred.other) } catch _ { throw error }
        }
        isScanning = true
        supervisor.began(at: clock.now)
        health.update { $0.state = .scanning }
    }

    /// Starts the scan by one family of commands.
    private func startScan(_ kind: ScanKind) async throws(HCIError) {
        if case .shared = access.role { try await checkForOtherScan(kind) }
        do throws(HCIError) {
            try await perform(.setEnable(kind, false))
        } catch {
            // Some controllers reject disabling a scan that is not enabled.
            guard case .refused(_, let status) = error, status.isRefusalOfKind else { throw error }
        }
        try await perform(.setParameters(kind, options))
        try await perform(.setEnable(kind, true))
        ownsRunningScan = true
        self.kind = kind
    }

    /// Finds out whether another program is scanning.
    ///
    /// HCI has no query for that, but a controller rejects new parameters with Command Disallowed while it is scanning
    /// (Core Specification 5.4, volume 4, part E, sections 7.8.10 and 7.8.64).
    private func checkForOtherScan(_ kind: ScanKind) async throws(HCIError) {
        do throws(HCIError) {
            try await perform(.setParameters(kind, options))
            hasTakenOver = false
        } catch {
            guard case .refused(_, let status) = error else { throw error }
            if status == .commandDisallowed, !ownsRunningScan { hasTakenOver = true }
        }
    }

    /// Restores the controller's state, if it still accepts commands: without a scan, or with a scan if another program
    /// was scanning. The kernel never restarts a scan that another program ended: bluetoothd’s discovery would hear
    /// nothing until it is stopped and started. That scan keeps our parameters, because HCI has no command that reads
    /// the previous ones.
    func restore() async {
        supervisor.ended()
        try? await inTurn { session throws(HCIError) in
            guard session.isScanning, let kind = session.kind else { return }
            session.isScanning = false
            guard !session.hasTakenOver else { return }
            _ = try await session.exchange(.setEnable(kind, false))
        }
    }

    /// Sends a command and waits for its final reply.
    ///
    /// - Returns: the return parameters after the status.
    @discardableResult
    private func perform(_ command: HCICommand) async throws(HCIError) -> [UInt8] {
        guard !isStopping else { throw .notScanning(adapter: access.adapter) }
        return try await exchange(command)
    }

    /// Sends a command and waits for its final reply, even while the session stops.
    private func exchange(_ command: HCICommand) async throws(HCIError) -> [UInt8] {
        guard let transport else { throw .closed(target: access.adapter) }
        // Before sending, or the reply could arrive first.
        exchange = CommandExchange(command.opcode, deadline: clock.now.advanced(by: Self.commandTimeout))
        defer { exchange = nil }
        try await transport.send(command.packet)
        let answer = try await withCheckedContinuation { exchange?.wait($0) }.get()
        guard answer.status == .success else { throw .refused(command: command.opcode.name, status: answer.status) }
        return answer.returned
    }
}

extension HCIError {
    /// Whether the kernel refused a command because the adapter is off.
    fileprivate var isPoweredOff: Bool {
        if case .system(.write, _, ENETDOWN) = self { true } else { false }
    }
}
