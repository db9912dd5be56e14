import ESPHome
import Logging
import MQTT
import Scanning
import ServiceLifecycle

/// Logs when a receiver begins to listen, and why it cannot.
struct ReceiverLog: Service {
    let radios: RadioSet
    let logger: Logger

    func run() async throws {
        let receivers = radios.radios.filter { $0 is ESPHomeScanner || $0 is GatewayScanner }
        guard !receivers.isEmpty else { return try await gracefulShutdown() }
        try? await cancelWhenGracefulShutdown {
            // What was logged last of each receiver: nil for listening, or the error.
            var told: [String: String?] = [:]
            while true {
                for receiver in receivers { note(await receiver.radioHealth, &told) }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func note(_ health: RadioHealth, _ told: inout [String: String?]) {
        let name = health.adapter
        switch health.state {
        case .scanning:
            if let last = told[name], last == nil { return }
            told[name] = .some(nil)
            logger.notice("receiver is listening", metadata: ["receiver": "\(name)"])
        case .failed:
            if let last = told[name], last == health.lastError { return }
            told[name] = .some(health.lastError)
            logger.warning(
                "receiver cannot listen; trying again",
                metadata: ["receiver": "\(name)", "reason": "\(health.lastError ?? "")"])
        case .idle, .starting, .recovering: break
        }
    }
}
