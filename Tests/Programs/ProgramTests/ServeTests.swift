import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import findmybike_registry

@Suite("Starting and stopping a registry")
struct ServeTests {
    /// A service with a request that never ends.
    private struct BusyService: Service {
        let started: AsyncStream<Void>.Continuation

        func run() async throws {
            started.yield()
            try await Task.sleep(for: .seconds(86_400))
        }
    }

    /// A service that notes how it ends, as the one that signs the end of the audit.
    private final class LastService: Service {
        let isStopped = Mutex(false)

        func run() async throws {
            try await gracefulShutdown()
            isStopped.withLock { $0 = true }
        }
    }

    @Test("a request that never ends does not keep the last services from stopping in order")
    func busy() async throws {
        let last = LastService()
        let drain = Drain(limit: .milliseconds(10), least: .milliseconds(10))
        let (starts, started) = AsyncStream<Void>.makeStream()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let busy = (0..<2).map { _ in
            DrainedService(service: BusyService(started: started), drain: drain, logger: logger)
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [last] + busy, logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var count = 0
            for await _ in starts {
                count += 1
                if count == busy.count { break }
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(last.isStopped.withLock { $0 })
        #expect("\(busy[0])" == "BusyService")
    }

    @Test("SQLite is set up before anything looks into a database that exists")
    func setUp() async throws {
        let folder = try TemporaryFolder()
        _ = try await LiveRegistry.newOperator(in: folder)
        let log = try await StartedRegistry(in: folder).stop()
        #expect(log.contains("stopped") && !log.contains("SQLite"), "\(log)")
    }

    @Test("a service that fails is heard, and one that is not busy ends at once")
    func failing() async throws {
        struct Failure: Error {}
        struct FailingService: Service {
            func run() async throws { throw Failure() }
        }
        struct ObedientService: Service {
            func run() async throws { try? await gracefulShutdown() }
        }
        let drain = Drain(limit: .seconds(86_400))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let failing = DrainedService(service: FailingService(), drain: drain, logger: logger)
        await #expect(throws: Failure.self) { try await failing.run() }
        let obedient = DrainedService(service: ObedientService(), drain: drain, logger: logger)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [obedient], logger: logger))
        await group.triggerGracefulShutdown()
        try await group.run()
    }
}
