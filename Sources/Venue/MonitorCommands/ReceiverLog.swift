import Beacons
import Logging
import Scanning
import ServiceLifecycle

/// Logs when a receiver begins to listen, and why it cannot, and when an adapter goes off or on: all of it at most once a
/// minute for each.
struct ReceiverLog: Service {
    let radios: RadioSet
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var outages: [String: OutageLog] = [:]
            while true {
                for radio in radios.radios {
                    for health in await radio.wholeHealth {
                        if radio.isRemote {
                            note(receiver: health, &outages, at: BootClock.now())
                        } else {
                            note(adapter: health, &outages, at: BootClock.now())
                        }
                    }
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    func note(adapter health: RadioHealth, _ outages: inout [String: OutageLog], at now: ScanInstant) {
        let name = health.adapter
        if health.isSwitchedOff {
            guard outages[name, default: OutageLog()].failed("off", at: now) else { return }
            logger.warning(
                "radio is off", metadata: ["adapter": "\(name)", "reason": "\(health.lastError ?? "unknown")"])
        } else if health.isPresent, outages[name, default: OutageLog()].succeeded() {
            logger.notice("radio is on again", metadata: ["adapter": "\(name)"])
        }
    }

    func note(receiver health: RadioHealth, _ outages: inout [String: OutageLog], at now: ScanInstant) {
        let name = health.adapter
        switch health.state {
        case .scanning:
            guard outages[name, default: OutageLog(works: false)].succeeded() else { return }
            logger.notice("receiver is listening", metadata: ["receiver": "\(name)"])
        case .failed:
            let reason = health.lastError ?? ""
            guard outages[name, default: OutageLog(works: false)].failed(reason, at: now) else { return }
            logger.warning(
                "receiver cannot listen",
                metadata: ["receiver": "\(name)", "reason": "\(reason)"])
        case .idle, .starting, .recovering: break
        }
    }
}
