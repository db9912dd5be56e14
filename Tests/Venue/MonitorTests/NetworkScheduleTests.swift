import Beacons
import Foundation
import HTTPClient
import Logging
import MissingList
import RegistryAPI
import RegistryClient
import TestSupport
import Testing

@testable import Monitor

/// A thousand runs of a station behind a network with every kind of failure.
@Suite("Random schedules through a bad network", .timeLimit(.minutes(20)))
struct NetworkScheduleTests {
    /// `Fixtures/proxy.py`, controlled over its control socket.
    private struct Network {
        let port: Int
        private let folder = try? TemporaryFolder()
        private let peer: PythonPeer
        private let control: HTTPConnection

        init(to registry: Int) throws {
            let script = try #require(Bundle.module.path(forResource: "proxy", ofType: "py", inDirectory: "Fixtures"))
            let socket = try #require(folder).file("control")
            peer = try PythonPeer(script, ["\(registry)", "0", socket])
            port = peer.port
            control = try HTTPConnection(HTTPConfiguration(unixSocket: socket))
        }

        func begin(seed: UInt64) async throws { try await tell("seed/\(seed)") }
        func clear() async throws { try await tell("clear") }

        private func tell(_ word: String) async throws {
            let answer = try await control.send(HTTPRequest(.post, url: "http://localhost/\(word)"))
            try #require(answer.status == 204)
        }
    }

    /// One station, with the actual state of its bikes.
    private struct Life {
        let folder: TemporaryFolder
        let network: Network
        let registry: FakeRegistry
        let history: ListHistory
        /// The versions of the list that the registry has had.
        var versions = 1
        var outbox: Outbox
        var list = CurrentList()
        var generator: SeededGenerator
        var maker = VisitMaker()
        var visits: [VisitID: Visit] = [:]
        var pace = ReportPace()
        private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        init(seed: UInt64, network: Network, registry: FakeRegistry, history: ListHistory) async throws {
            folder = try TemporaryFolder(isInMemory: true)
            self.network = network
            self.registry = registry
            generator = SeededGenerator(seed: seed)
            self.history = history
            outbox = try Outbox(path: folder.file("outbox.sqlite"))
            try await registry.forget()
            try await publish()
        }

        /// A new connection each time, so that the state of a lost connection does not affect the next attempt.
        private func connect() throws -> RegistryConnection {
            try RegistryConnection(
                url: "http://127.0.0.1:\(network.port)", token: "token",
                http: try HTTPConnection(HTTPConfiguration(timeout: .seconds(5))))
        }

        private func publish() async throws {
            let deltas = versions > 1 ? [(history.lists[versions - 2].version, history.deltas[versions - 1])] : []
            try await registry.setList(history.lists[versions - 1], deltas: deltas)
        }

        mutating func step() async throws {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0..<3: try await write(maker.visit())
            case 3..<6: try await hear()
            case 6..<9: try await report()
            case 9: try await refresh()
            case 10:
                versions = min(versions + 1, history.lists.count)
                try await publish()
            default: try restart()
            }
        }

        private mutating func write(_ visit: Visit) async throws {
            visits[visit.id] = visit
            try await outbox.record([visit])
        }

        mutating func hear() async throws {
            let open = visits.values.filter { !$0.ended }.sorted { $0.id < $1.id }
            guard var visit = open.randomElement(using: &generator) else { return }
            visit.count += 7
            visit.ended = Bool.random(using: &generator)
            try await write(visit)
        }

        /// One attempt of the reporter, at its pace but without its waits.
        mutating func report() async throws {
            let batch = try await outbox.pending(by: &pace)
            guard !batch.isEmpty else { return pace.rest() }
            do {
                let answer = try await connect().report(VisitBatch(visits: batch.map(\.visit)))
                try await outbox.settle(Array(zip(batch, answer.results)))
                pace.succeeded(batch.map(\.visit.id))
            } catch let error as RegistryError {
                _ = pace.failed(error, visits: batch.map(\.visit.id), using: &generator)
            }
        }

        func refresh() async throws {
            let sync = ListSync(
                registry: try connect(), list: list, path: folder.file("missing-list"), wait: .seconds(1),
                logger: logger)
            sync.restore()
            do {
                try await sync.refresh()
            } catch is RegistryError {
                return
            }
        }

        private mutating func restart() throws {
            outbox = try Outbox(path: folder.file("outbox.sqlite"))
            list = CurrentList()
            pace = ReportPace()
        }

        /// Restores the network.
        mutating func end() async throws {
            for visit in visits.values where !visit.ended {
                var ended = visit
                ended.ended = true
                try await write(ended)
            }
            var attempts = 0
            while try await outbox.depth() > 0 || list.identities.version != history.lists[versions - 1].version,
                attempts < 50
            {
                attempts += 1
                try await report()
                try await refresh()
            }
        }
    }

    @Test(
        "every visit is stored unchanged, and every list matches the registry's", arguments: 0..<4 as Range<UInt64>)
    func schedules(part: UInt64) async throws {
        let registry = try FakeRegistry()
        let network = try Network(to: registry.peer.port)
        let history = ListHistory(seed: part, bikes: 20, versions: 6)
        for seed in part * 250 + 1...part * 250 + TestDepth.cases(60, of: 250) {
            try await network.clear()
            var life = try await Life(seed: seed, network: network, registry: registry, history: history)
            try await network.begin(seed: seed)
            for _ in 0..<10 { try await life.step() }
            try await network.clear()
            try await life.end()
            let stored = try await registry.state().visits
            try #require(Set(stored.keys) == Set(life.visits.keys.map { "\($0)" }), "seed \(seed)")
            for (id, visit) in life.visits {
                let told = try #require(stored["\(id)"], "seed \(seed)")
                try #require(told.count == visit.count && told.ended, "seed \(seed), \(id)")
            }
            let list = life.history.lists[life.versions - 1]
            try #require(life.list.identities.version == list.version, "seed \(seed)")
            let kept = ListFiles(path: life.folder.file("missing-list")) { _ in }.read()?.list
            try #require(kept?.version == list.version, "seed \(seed)")
            try #require(try await life.outbox.refusals().isEmpty, "seed \(seed)")
        }
    }
}
