import Foundation
import HTTPClient
import Logging
import OperatingSystem
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

@testable import Monitor

/// A reporter on a mobile connection in a garage.
@Suite("Reports through a bad network", .timeLimit(.minutes(20)))
struct NetworkTests {
    private let registry: FakeRegistry
    private let folder: TemporaryFolder
    private let outbox: Outbox
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private var maker = VisitMaker()

    init() throws {
        registry = try FakeRegistry()
        folder = try TemporaryFolder()
        outbox = try Outbox(path: folder.file("outbox.sqlite"))
    }

    @Test("slow, lossy, reset and partitioned connections neither lose nor duplicate visits", arguments: 1...6)
    mutating func proxy(seed: Int) async throws {
        let script = try #require(Bundle.module.path(forResource: "proxy", ofType: "py", inDirectory: "Fixtures"))
        let proxy = try PythonPeer(script, ["\(registry.peer.port)", "\(seed)"])
        let connection = try RegistryConnection(
            url: "http://127.0.0.1:\(proxy.port)", token: "token",
            http: try HTTPConnection(HTTPConfiguration(timeout: .seconds(5))))
        let signal = WakeUp()
        let reporter = Reporter(
            outbox: outbox, registry: connection, signal: signal, clock: ImpatientClock(), logger: logger)
        var visits = (0..<40).map { _ in maker.visit() }
        try await outbox.record(visits)
        try await reporter.drain(outbox) {
            // Changes arrive while reports are in progress.
            for index in visits.indices {
                visits[index].count += 3
                visits[index].ended = true
                try await outbox.record([visits[index]])
                signal.wake()
            }
        }
        let stored = try await registry.state().visits
        #expect(Set(stored.keys) == Set(visits.map { "\($0.id)" }))
        #expect(stored.values.allSatisfy { $0.ended && $0.count == 5 })
        #expect(try await outbox.refusals().isEmpty)
    }
}
