import Beacons
import Glibc
import Scanning

// What is said to the controller.
extension HCISession {
    /// Makes the controller scan, from whatever state it is in.
    func setUp() async throws(HCIError) {
        switch access.role {
        case .listener: return health.update { $0.state = .scanning }
        case .owned:
            try await perform(.reset)
            try await perform(.setEventMask)
            try await perform(.setLEEventMask)
            try await choose()
        case .shared(let device):
            do throws(HCIError) {
                try await choose()
            } catch {
                guard error.isPoweredOff, let device, Capabilities.current.administersNetworks else { throw error }
                try await device.powerOn()
                try await choose()
            }
        }
        try await startScan()
    }

    /// Asks which commands the controller has.
    private func choose() async throws(HCIError) {
        let answer = try await perform(.readLocalLEFeatures)
        guard answer.count >= 8 else { throw .malformedAnswer(command: HCICommand.Opcode.readLocalLEFeatures.name) }
        kind = ScanKind(features: answer.span.bytes.littleEndian(0, as: UInt64.self))
    }

    func restartScan(_ reason: ScanSupervisor.Reason) async throws(HCIError) {
        health.update { health in
            switch reason {
            case .interrupted: health.lastError = "another program changed the scan"
            case .silent: health.lastError = "nothing was heard for a while"
            }
        }
        try await startScan()
    }

    /// Starts the scan anew: disabled first, for its parameters cannot be changed while it runs.
    ///
    /// Features can be wrong, and a controller that was used with one family of commands refuses the other: the other
    /// one is tried before giving up.
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

    private func startScan(_ kind: ScanKind) async throws(HCIError) {
        do throws(HCIError) {
            try await perform(.setEnable(kind, false))
        } catch {
            // Some controllers refuse to disable what is not enabled.
            guard case .refused(_, let status) = error, status.isRefusalOfKind else { throw error }
        }
        try await perform(.setParameters(kind, options))
        try await perform(.setEnable(kind, true))
        self.kind = kind
    }

    /// Leaves the controller without a scan, as far as it listens to us. HCI cannot tell what was before.
    func restore() async {
        supervisor.ended()
        try? await inTurn { session throws(HCIError) in
            guard session.isScanning, let kind = session.kind else { return }
            session.isScanning = false
            _ = try await session.exchange(.setEnable(kind, false))
        }
    }

    /// Sends a command and waits for its last answer.
    ///
    /// - Returns: the return parameters after the status.
    @discardableResult
    private func perform(_ command: HCICommand) async throws(HCIError) -> [UInt8] {
        guard !isStopping else { throw .notScanning(adapter: access.adapter) }
        return try await exchange(command)
    }

    private func exchange(_ command: HCICommand) async throws(HCIError) -> [UInt8] {
        guard let transport else { throw .closed(target: access.adapter) }
        // Before it is sent, or the answer could come first.
        exchange = CommandExchange(command.opcode, deadline: clock.now.advanced(by: Self.commandTimeout))
        defer { exchange = nil }
        try await transport.send(command.packet)
        let answer = try await withCheckedContinuation { exchange?.wait($0) }.get()
        guard answer.status == .success else { throw .refused(command: command.opcode.name, status: answer.status) }
        return answer.returned
    }
}

extension HCIError {
    fileprivate var isPoweredOff: Bool {
        if case .system(.write, _, ENETDOWN) = self { true } else { false }
    }
}
