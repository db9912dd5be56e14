import Beacons
import Logging
import Radios
import Scanning
import ServiceLifecycle

/// Logs when a receiver begins to listen, and why it cannot, and when an adapter goes off or on: all of it at most once
/// a minute for each. The radios behind a receiver share its lines.
struct ReceiverLog: Service {
    let radios: RadioSet
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var outages: [String: OutageLog] = [:]
            while true {
                for radio in radios.radios {
                    let health = await radio.radioHealth
                    if radio.isRemote {
                        note(receiver: health, &outages, at: BootClock.now())
                        note(parts: radio.parts, of: health, &outages, at: BootClock.now())
                    } else {
                        note(adapter: health, &outages, at: BootClock.now())
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

    /// Logs the radios behind a receiver that begin to listen, and those that cannot. Failures of the whole receiver
    /// were logged for it.
    func note(
        parts: [RadioHealth], of whole: RadioHealth, _ outages: inout [String: OutageLog], at now: ScanInstant
    ) {
        guard whole.state == .scanning else { return }
        var listening: [String] = []
        var failed: [String: [String]] = [:]
        for part in parts {
            switch part.state {
            case .scanning:
                if outages[part.adapter, default: OutageLog(works: false)].succeeded() {
                    listening.append(part.adapter)
                }
            case .failed:
                let reason = part.lastError ?? ""
                if outages[part.adapter, default: OutageLog(works: false)].failed(reason, at: now) {
                    failed[reason, default: []].append(part.adapter)
                }
            case .idle, .starting, .recovering: break
            }
        }
        if !listening.isEmpty {
            logger.notice("receivers are listening", metadata: ["receivers": "\(Self.list(listening))"])
        }
        for (reason, names) in failed {
            logger.warning(
                "receivers cannot listen", metadata: ["receivers": "\(Self.list(names))", "reason": "\(reason)"])
        }
    }

    /// The first names, and how many others there are.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(8).joined(separator: ", ")
        return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
    }
}

/// Adds adapters that are plugged in while the monitor is running.
struct Newcomers: Service {
    let arrivals: AdapterArrivals
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await arrivals.run { logger.notice("adapter added", metadata: ["adapter": "\($0)"]) }
        }
    }
}
