import Foundation
import Monitor
import Scanning
import ServiceLifecycle
import Synchronization
import Systemd

/// Reports readiness to the service manager once a radio is actually listening. A recording or a simulation has no
/// radio, and is ready immediately.
struct Supervision: Service {
    let manager: NotifySocket
    let radios: RadioSet?

    func run() async throws {
        manager.send(.status("waiting for a radio"))
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    let names = await listening()
                    guard names.isEmpty else {
                        return manager.send(.ready, .status("listening with \(names.joined(separator: ", "))"))
                    }
                    try await Task.sleep(for: .milliseconds(200))
                }
            }
            try await gracefulShutdown()
        } catch is CancellationError {}
        manager.send(.stopping)
    }

    /// The adapters that are listening.
    private func listening() async -> [String] {
        guard let radios else { return ["a recording or a simulation"] }
        var names: [String] = []
        for radio in radios.radios {
            let health = await radio.radioHealth
            if health.state == .scanning { names.append(radio.adapter) }
        }
        return names
    }

    /// The services that the manager requests; none without a manager.
    static func services(_ radios: RadioSet?, _ hearing: HearingStatus) -> [any Service] {
        let environment = ProcessInfo.processInfo.environment
        guard let manager = NotifySocket(environment: environment) else { return [] }
        // With a radio, the scan loop processes a batch at least once a second, even on a silent street.
        let last = Mutex(-1)
        let watchdog = Watchdog(socket: manager, environment: environment) {
            guard radios != nil else { return true }
            let batches = hearing.counts.batches
            return last.withLock { last in
                defer { last = batches }
                return batches != last
            }
        }
        return [Supervision(manager: manager, radios: radios)] + (watchdog.map { [$0] } ?? [])
    }
}
