import Scanning

// Recovery of a radio that hears nothing.
extension HCISession {
    /// Tries a recovery step, which is counted even if it fails.
    func recover(by step: RecoveryStep) async throws(HCIError) {
        guard !isStopping else { throw .notScanning(adapter: access.adapter) }
        health.update { health in
            health.recoveries[step, default: 0] += 1
            health.state = .recovering
        }
        do throws(HCIError) {
            try await perform(step)
        } catch {
            health.update { $0.fail("\(error)") }
            throw error
        }
    }

    private func perform(_ step: RecoveryStep) async throws(HCIError) {
        switch (step, access.role) {
        case (.reopen, _): try await reopen()
        case (.restartScan, _): try await inTurn { session throws(HCIError) in try await session.startScan() }
        case (.reset, .owned): try await inTurn { session throws(HCIError) in try await session.setUp() }
        case (.powerCycle, .shared(let device?)):
            try await inTurn { session throws(HCIError) in
                try await device.powerCycle()
                try await session.setUp()
            }
        case (.reset, .shared(let device?)):
            try await inTurn { session throws(HCIError) in
                try await device.reset()
                try await session.setUp()
            }
        default: throw .unavailableStep(step.rawValue, adapter: access.adapter)
        }
    }
}
