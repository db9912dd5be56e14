import Beacons
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import MissingList
import NIOCore
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("The missing list over HTTP")
struct MissingListTests {
    /// A registry with a station and missing bikes.
    private struct Scene {
        let registry: Harness
        let owner: String
        let station: String

        init(_ registry: Harness) async throws {
            self.registry = registry
            owner = try await registry.newOwner()
            station = try await registry.newStation().token
        }

        @discardableResult
        func steal(_ minor: UInt16) async throws -> MissingReport {
            let bike = try await registry.newBike(of: owner, Samples.identity(minor))
            return try await registry.newReport(on: bike.id, of: owner)
        }

        func recover(_ report: MissingReport) async throws {
            let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/closure"
            _ = try await registry.post(path, token: owner, ReportClosure(outcome: .recovered))
        }

        func ask(_ tag: String? = nil, delta: Bool = true, with more: HTTPFields = [:]) async throws -> Answer {
            var headers = more
            if headers[.accept] == nil { headers[.accept] = MediaType.missingList }
            if let tag { headers[.ifNoneMatch] = tag }
            if delta { headers[.aIM] = "findmybike" }
            return try await registry.call(.get, "/v1/missing", token: station, headers: headers)
        }
    }

    private func list(_ answer: Answer) throws -> MissingIdentities {
        guard case .full(let list) = try ListMessage([UInt8](answer.body)) else { throw ListCodingError.unknownFormat }
        return list
    }

    private func delta(_ answer: Answer) throws -> ListDelta {
        guard case .delta(let delta) = try ListMessage([UInt8](answer.body)) else {
            throw ListCodingError.unknownFormat
        }
        return delta
    }

    @Test("a station without a list gets the full list, then 304 until something changes")
    func full() async throws {
        let registry = try Harness()
        let scene = try await Scene(registry)
        try await scene.steal(1)
        let answer = try await scene.ask()
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == MediaType.missingList)
        #expect(answer.headers[.cacheControl]?.contains("private") == true)
        let list = try list(answer)
        #expect(answer.headers[.eTag] == "\"\(list.version)\"")
        #expect(list.contains(Samples.identity(1)) && list.count == 1)
        let again = try await scene.ask(answer.headers[.eTag])
        #expect(again.status == 304 && again.body.isEmpty && again.headers[.eTag] == answer.headers[.eTag])
    }

    @Test("a station with any earlier version gets the changes since then")
    func deltas() async throws {
        let registry = try Harness()
        let scene = try await Scene(registry)
        let first = try await scene.steal(1)
        try await scene.steal(2)
        let old = try await scene.ask()
        try await scene.steal(3)
        let middle = try await scene.ask()
        try await scene.recover(first)
        let latest = try list(try await scene.ask())
        for earlier in [old, middle] {
            let answer = try await scene.ask(earlier.headers[.eTag])
            #expect(answer.status == 226 && answer.headers[.iM] == "findmybike")
            #expect(answer.headers[.eTag] == "\"\(latest.version)\"")
            let list = try list(earlier).applying(delta(answer))
            #expect(list.digest == latest.digest && list.version == latest.version)
        }
        let unwelcome = try await scene.ask(old.headers[.eTag], delta: false)
        #expect(unwelcome.status == 200)
        #expect(try list(unwelcome).digest == latest.digest)
    }

    @Test(
        "an unknown version gets the full list",
        arguments: [
            "\"1-0000000000000000\"", "\"999-0123456789abcdef\"", "\"18446744073709551615-0000000000000001\"", "\"x\"",
            "\"", "\"\"", "*x", "W/\"1-\"", "1-0000000000000000",
        ]
    )
    func unknownVersion(tag: String) async throws {
        let registry = try Harness()
        let scene = try await Scene(registry)
        try await scene.steal(1)
        let answer = try await scene.ask(tag)
        #expect(answer.status == 200)
        #expect(try list(answer).count == 1)
    }

    @Test("a version that is more than seven days old gets the full list")
    func old() async throws {
        let registry = try Harness()
        let scene = try await Scene(registry)
        let publisher = MissingListPublisher(
            store: registry.store, clock: registry.clock.wallClock,
            logger: .silent)
        let tag = try await scene.ask().headers[.eTag]
        try await publisher.trimJournal()
        try await scene.steal(1)
        registry.clock.advance(by: .days(6))
        try await publisher.trimJournal()
        #expect(try await scene.ask(tag).status == 226)
        let later = try await scene.ask().headers[.eTag]
        registry.clock.advance(by: .days(8))
        try await publisher.trimJournal()
        try await scene.steal(2)
        #expect(try await scene.ask(tag).status == 200)
        #expect(try await scene.ask(later).status == 226)
    }

    @Test("people get JSON, with a separate entity tag")
    func json() async throws {
        let registry = try Harness()
        let scene = try await Scene(registry)
        try await scene.steal(1)
        let binary = try await scene.ask()
        for accept in ["application/json", "*/*", "text/html, */*;q=0.1"] {
            let answer = try await scene.ask(binary.headers[.eTag], with: [.accept: accept])
            #expect(answer.status == 200 && answer.headers[.contentType] == MediaType.json)
            #expect(try answer.value(MissingListDocument.self).identities == [Samples.identity(1)])
            let again = try await scene.ask(answer.headers[.eTag], with: [.accept: accept])
            #expect(again.status == 304)
            #expect(try await scene.ask(answer.headers[.eTag]).status == 200)
        }
    }

    @Test("a station reads a limited number of large lists as JSON at a time, and the list itself in any case")
    func largeJSON() async throws {
        var options = ServerOptions()
        options.freeLength = 16
        options.documents = TransferPlaces(2, share: 1)
        let registry = try Harness(options: options)
        let scene = try await Scene(registry)
        try await scene.steal(1)
        let station = try await registry.newStation().token
        let first = try await registry.respond(.get, "/v1/missing", token: station)
        #expect(first.status == .ok)
        #expect(try await registry.call(.get, "/v1/missing", token: station).problem == "overloaded")
        #expect(
            try await registry.call(
                .get, "/v1/missing", token: station, headers: [.accept: MediaType.missingList]
            ).status == 200)
        let list: MissingListDocument = try await registry.read(first).value()
        #expect(list.identities == [Samples.identity(1)])
        #expect(try await registry.call(.get, "/v1/missing", token: station).status == 200)
    }

    @Test(
        "media types and preferences are parsed as HTTP specifies",
        arguments: [
            "Application/Vnd.FindMyBike.Missing-List", "text/html, application/vnd.findmybike.missing-list;q=1",
        ]
    )
    func accept(field: String) async throws {
        let registry = try Harness()
        let answer = try await Scene(registry).ask(with: [.accept: field, .prefer: "respond-async, WAIT = 0; x=y"])
        #expect(answer.headers[.contentType] == MediaType.missingList)
    }

    @Test("a wait that is not a number is refused", arguments: ["wait", "wait=", "wait=x", "wait=-1", "wait=1.5"])
    func badWait(preference: String) async throws {
        let registry = try Harness()
        let answer = try await Scene(registry).ask(with: [.prefer: preference])
        #expect(answer.status == 400 && answer.problem == "invalid-wait")
    }

    @Test("only stations can read the list")
    func stationsOnly() async throws {
        let registry = try Harness()
        let headers: HTTPFields = [.accept: MediaType.missingList]
        let nobody = try await registry.call(.get, "/v1/missing", headers: headers)
        #expect(nobody.status == 401)
        let owner = try await registry.newOwner()
        #expect(try await registry.call(.get, "/v1/missing", token: owner, headers: headers).status == 403)
    }
}

@Suite("A published list")
struct PublishedListTests {
    /// Two identities of the network region whose hashes begin with the same 40 bits, a9be050661.
    private let twins = [
        BeaconIdentity(uuid: NetworkRegion.uuid, major: 4, minor: 2050),
        BeaconIdentity(uuid: NetworkRegion.uuid, major: 9, minor: 50_765),
    ]

    private func version(_ number: UInt64) -> ListVersion { ListVersion(number: number, mark: number) }

    private func changes(
        _ from: UInt64, added: [BeaconIdentity] = [], removed: [BeaconIdentity] = []
    ) -> MissingListChanges {
        MissingListChanges(from: version(from), to: version(from + 1), added: added, removed: removed)
    }

    @Test("a hash stays listed until the last bike with it is found")
    func sharedHash() throws {
        let start = PublishedList(MissingListSnapshot(version: version(1), identities: [Samples.identity(1)]))
        let one = try #require(start.applying(changes(1, added: [twins[0]])))
        let both = try #require(one.applying(changes(2, added: [twins[1]])))
        let other = try #require(both.applying(changes(3, removed: [twins[0]])))
        let none = try #require(other.applying(changes(4, removed: [twins[1]])))
        #expect([start, one, both, other, none].map(\.list.count) == [1, 2, 2, 2, 1])
        #expect(other.list.contains(twins[1]) && !none.list.contains(twins[1]))
        let rebuilt = PublishedList(MissingListSnapshot(version: version(3), identities: twins + [Samples.identity(1)]))
        let left = try #require(rebuilt.applying(changes(3, removed: [twins[1]])))
        #expect(left.list.contains(twins[0]) && left.list.digest == other.list.digest)
    }

    @Test("deltas are valid even if bikes share a hash")
    func sharedHashDelta() throws {
        let one = PublishedList(MissingListSnapshot(version: version(1), identities: [twins[0]]))
        for change in [
            changes(1, added: [twins[1]]), changes(1, added: [twins[1]], removed: [twins[0]]),
            changes(1, added: [Samples.identity(1)], removed: [twins[0]]),
        ] {
            let next = try #require(one.applying(change))
            let body = try #require(next.delta(change))
            guard case .delta(let delta) = try ListMessage([UInt8](body.readableBytesView)) else {
                Issue.record("no delta")
                return
            }
            #expect(try one.list.applying(delta).digest == next.list.digest)
        }
    }

    @Test("changes from another version are refused")
    func otherVersion() {
        let list = PublishedList(MissingListSnapshot(version: version(1), identities: []))
        #expect(list.applying(changes(2, added: [Samples.identity(1)])) == nil)
        #expect(list.applying(changes(1, removed: [Samples.identity(1)])) == nil)
        #expect(list.delta(changes(3)) == nil)
    }
}
