import Beacons
import Foundation
import Logging
import MissingList
import RegistryClient
import TestSupport
import Testing

@testable import Monitor

@Suite("List sync")
struct ListSyncTests {
    private let registry: FakeRegistry
    private let folder: TemporaryFolder
    private let list = CurrentList()
    private let history = ListHistory(seed: 5, bikes: 30, versions: 4)

    init() throws {
        registry = try FakeRegistry()
        folder = try TemporaryFolder()
    }

    private func sync(_ list: CurrentList? = nil) throws -> ListSync {
        ListSync(
            registry: try registry.connect(), list: list ?? self.list, path: folder.file("missing-list"),
            wait: .seconds(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func tag(_ index: Int) -> String { "\"\(history.lists[index].version)\"" }

    @Test("the list is fetched once and then updated by changes")
    func deltas() async throws {
        let sync = try sync()
        #expect(list.age == nil)
        for index in history.lists.indices {
            let earlier = index > 0 ? [(history.lists[index - 1].version, history.deltas[index])] : []
            try await registry.setList(history.lists[index], deltas: earlier)
            try await sync.refresh()
            #expect(list.identities.digest == history.lists[index].digest)
        }
        try await sync.refresh()
        #expect(try await registry.state().questions == [nil, tag(0), tag(1), tag(2), tag(3)])
        #expect(try #require(list.age) < .seconds(60))
    }

    @Test("a list that is too long is refused, the error says what to do, and the current list is kept")
    func tooLong() async throws {
        let sync = ListSync(
            registry: try registry.connect(), list: list, path: folder.file("missing-list"), wait: .seconds(1),
            limit: 30, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await registry.setList(history.lists[0])
        try await sync.refresh()
        #expect(sync.status.state.failingSince == nil)
        let long = MissingIdentities(
            version: ListVersion(number: 9, mark: 9),
            identities: (0..<31).map { BeaconIdentity(uuid: ProximityUUID(high: 1, low: 1), major: 1, minor: $0) })
        try await registry.setList(long)
        await #expect(throws: RegistryError.self) { try await sync.refresh() }
        #expect(list.identities.digest == history.lists[0].digest)
        #expect(sync.status.state.failingSince != nil)
        #expect(sync.status.state.lastError?.contains("raise list.maximumEntries") == true)
        try await registry.setList(history.lists[0])
        try await sync.refresh()
        #expect(sync.status.state.failingSince == nil)
    }

    @Test("a response that is too long is refused, and the error says what to do")
    func tooManyBytes() async throws {
        let sync = ListSync(
            registry: try registry.connect(responseLimit: 100), list: list, path: folder.file("missing-list"),
            wait: .seconds(1), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await registry.setList(history.lists[0])
        await #expect(throws: RegistryError.self) { try await sync.refresh() }
        #expect(sync.status.state.lastError?.contains("more than 100 bytes") == true)
        #expect(sync.status.state.lastError?.contains("raise list.maximumEntries") == true)
    }

    @Test("after a reboot without a network the station has its list, and knows how old it is")
    func restart() async throws {
        let first = try sync()
        try await registry.setList(history.lists[0])
        try await first.refresh()
        try await registry.setList(history.lists[1], deltas: [(history.lists[0].version, history.deltas[1])])
        try await first.refresh()
        let rebooted = CurrentList()
        let second = try sync(rebooted)
        second.restore()
        #expect(rebooted.identities.digest == history.lists[1].digest)
        #expect(try #require(rebooted.age) < .seconds(60))
        try await second.refresh()
        #expect(try await registry.state().questions.last == tag(1))
    }

    @Test("a list dated in the future has no age")
    func clockBehind() async throws {
        try await registry.setList(history.lists[0])
        try await sync().refresh()
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: folder.file("missing-list")
        )
        let rebooted = CurrentList()
        try sync(rebooted).restore()
        #expect(rebooted.identities.count == 30 && rebooted.age == nil)
    }

    @Test(
        "whatever a registry or a proxy sends, the list is kept, and the next request is for the full list",
        arguments: [[], Array("<html>".utf8), Array("FMBL".utf8)] as [[UInt8]]
    )
    func broken(answer: [UInt8]) async throws {
        try await recovers(from: answer)
    }

    @Test("a change that does not apply, or was damaged in transit, is rejected")
    func unfitting() async throws {
        try await recovers(from: history.deltas[3])
        var damaged = history.lists[2].encoded
        damaged[damaged.count - 1] ^= 1
        try await recovers(from: damaged)
    }

    private func recovers(from answer: [UInt8]) async throws {
        let sync = try sync()
        try await registry.setList(history.lists[0])
        try await sync.refresh()
        try await registry.setList(
            history.lists[2], deltas: [(history.lists[0].version, history.deltas[1])], broken: answer
        )
        await #expect(throws: RegistryError.self) { try await sync.refresh() }
        #expect(list.identities.digest == history.lists[0].digest)
        try await sync.refresh()
        #expect(list.identities.digest == history.lists[2].digest)
        #expect(try await registry.state().questions.last == .some(nil))
    }

    @Test("a registry that was restored from a backup sends the full list")
    func restored() async throws {
        let sync = try sync()
        try await registry.setList(history.lists[1])
        try await sync.refresh()
        let other = MissingIdentities(
            version: ListVersion(number: history.lists[1].version.number, mark: 99), hashes: history.lists[0].hashes
        )
        try await registry.setList(other)
        try await sync.refresh()
        #expect(list.identities.digest == history.lists[0].digest && list.identities.version.mark == 99)
    }

    @Test("damaged files from an earlier run cost one download of the full list")
    func damagedFiles() async throws {
        try await registry.setList(history.lists[0])
        try await sync().refresh()
        try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.file("missing-list")))
        let rebooted = CurrentList()
        let sync = try sync(rebooted)
        sync.restore()
        #expect(rebooted.identities.count == 0)
        try await sync.refresh()
        #expect(rebooted.identities.count == 30)
        let again = CurrentList()
        try self.sync(again).restore()
        #expect(again.identities.count == 30)
    }

    @Test("a full disk does not prevent matching")
    func fullDisk() async throws {
        let sync = ListSync(
            registry: try registry.connect(), list: list, path: "/proc/missing-list", wait: .seconds(1),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await registry.setList(history.lists[0])
        try await sync.refresh()
        try await registry.setList(history.lists[1], deltas: [(history.lists[0].version, history.deltas[1])])
        try await sync.refresh()
        #expect(list.identities.digest == history.lists[1].digest)
    }
}
