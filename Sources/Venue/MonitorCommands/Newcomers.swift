import Logging
import Radios
import ServiceLifecycle

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
