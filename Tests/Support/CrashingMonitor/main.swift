// A monitor that kills itself, for the crash tests.
//
// Usage: CrashingMonitor SCENARIO STATE-FOLDER REGISTRY-URL listen|drain N
// Plays the scenario (or only reports the contents of the outbox) and sends itself SIGKILL at the N-th step of list and
// outbox; if N is 0, it runs to completion and prints the number of steps.

import Beacons
import Foundation
import HTTPClient
import Logging
import Monitor
import OperatingSystem
import Presence
import RegistryAPI
import RegistryClient
import Scanning
import ServiceLifecycle
import Simulation
import Synchronization

let arguments = CommandLine.arguments
let fatalStep = Int(arguments[5]) ?? 0
let steps = Mutex(0)

@Sendable func countStep() {
    let step = steps.withLock { steps in
        steps += 1
        return steps
    }
    if step == fatalStep { kill(getpid(), SIGKILL) }
}
let outbox = try Outbox(path: "\(arguments[2])/outbox.sqlite") { _ in countStep() }
let logger = Logger(label: "crashing-monitor") { _ in SwiftLogNoOpLogHandler() }
let registry = try RegistryConnection(url: arguments[3], token: "token", http: try HTTPConnection())
let signal = WakeUp()
let reporter = Reporter(outbox: outbox, registry: registry, signal: signal, logger: logger)
let list = CurrentList()
let listSync = ListSync(
    registry: registry, list: list, path: "\(arguments[2])/missing-list", wait: .seconds(60),
    observe: { _ in countStep() }, logger: logger
)
listSync.restore()
try await listSync.refresh()

if arguments[4] == "drain" {
    while try await reporter.reportOnce() {}
    try await outbox.flush()
} else {
    let scanner = SimulatedScanner(
        try Scenario(path: arguments[1]), pacing: .asFastAsPossible, clock: ContinuousClock()
    )
    let timeline = WallTimeline(scanner.timeSpan.lowerBound, at: Timestamp(milliseconds: 1_795_241_585_000))
    let loop = ScanLoop(
        scanner: scanner, list: list, outbox: outbox, signal: signal, presence: .standard, timeline: timeline,
        place: nil, logger: logger
    )
    let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
        .init(service: reporter),
        .init(service: loop, successTerminationBehavior: .gracefullyShutdownGroup),
    ]
    try await ServiceGroup(configuration: .init(services: services, logger: logger)).run()
}
print(steps.withLock { $0 })
