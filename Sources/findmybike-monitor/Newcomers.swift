import Logging
import Radios
import ServiceLifecycle

/// Takes in adapters that are plugged in while the monitor runs.
struct Newcomers: Service {
    let arrivals: AdapterArrivals
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await arrivals.run { logger.notice("adapter joins", metadata: ["adapter": "\($0)"]) }
        }
    }
}
