import FoundationEssentials
import GRDB
import HTTPClient
import Hummingbird
import Logging
import NIOCore
import OperatingSystem
import Operations
import RegistryAPI
import RegistryClient
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import RegistryHTTP
@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("The live trail over TCP", .timeLimit(.minutes(20)))
struct LiveTrailTests {
    @Test("each change is sent when it happens, and a stream resumes after the last event")
    func resume() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let first = live.follow(after: nil)
            try await first.waitFor(1)
            try await live.tell(2)
            try await first.waitFor(2)
            #expect(first.seen.map(\.id.low) == [1, 2])
            let last = first.last
            first.cancel()
            try await live.tell(3)
            let second = live.follow(after: last)
            try await second.waitFor(1)
            #expect(second.seen.map(\.id.low) == [3])
            live.clock.advance(by: .seconds(300))
            try await live.tell(3, lasting: .seconds(300))
            try await second.waitFor(2)
            #expect(second.seen.map(\.lastSeen).last == live.start.advanced(by: .seconds(300)))
            second.cancel()
        }
    }

    @Test("a client that is ahead of a restored database starts from the beginning, and gets later changes")
    func restored() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let follower = live.follow(after: "\(Int64.max)")
            try await follower.waitFor(1)
            try await live.tell(2)
            try await follower.waitFor(2)
            #expect(follower.seen.map(\.id.low) == [1, 2])
            follower.cancel()
        }
    }

    @Test("streams end when the token that opened them is revoked")
    func revocation() async throws {
        try await LiveTrail.run { live in
            let follower = live.follow(after: nil)
            try await live.tell(1)
            try await follower.waitFor(1)
            try await live.revokeOwner()
            try await follower.waitForEnd()
            await #expect(throws: RegistryError.self) { try await live.follow(after: nil).waitForEnd() }
        }
    }

    @Test("a stream with a link shows what anyone may know, and ends when the link is revoked")
    func shared() async throws {
        try await LiveTrail.run { live in
            let secret = try await live.share()
            try await live.tell(1)
            var follower = live.follow(with: secret).makeAsyncIterator()
            var text = ""
            while !text.contains("event: sighting"), let part = await follower.next() { text += part }
            #expect(text.contains("\"level\":\"possible\"") && !text.contains("rssi"))
            try await live.revokeShares()
            // Nothing that happens afterwards is shown.
            try await live.tell(2)
            while let part = await follower.next() { text += part }
            #expect(text.components(separatedBy: "event: sighting").count == 2)
            var again = live.follow(with: secret).makeAsyncIterator()
            #expect(await again.next()?.contains("share-unknown") == true)
        }
    }

    @Test("the crowd with a link cannot displace the owner’s streams, and is limited itself")
    func crowd() async throws {
        try await LiveTrail.run(perOwner: 1, total: 2) { live in
            try await live.tell(1)
            let owner = live.follow(after: nil)
            try await owner.waitFor(1)
            let secret = try await live.share()
            var first = live.follow(with: secret).makeAsyncIterator()
            #expect(await first.next() != nil)
            var second = live.follow(with: secret).makeAsyncIterator()
            var text = ""
            while let part = await second.next() { text += part }
            #expect(text.contains("too-many-streams"))
            try await live.tell(2)
            try await owner.waitFor(2)
            owner.cancel()
            try await live.revokeShares()
        }
    }

    @Test("a stream of a member ends when the member is removed")
    func removedMember() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let (follower, remove) = try await live.followAsMember()
            try await follower.waitFor(1)
            try await remove()
            try await follower.waitForEnd()
        }
    }

    @Test("streams of an owner are limited, and closing one makes room")
    func limit() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let followers = (0..<2).map { _ in live.follow(after: nil) }
            for follower in followers { try await follower.waitFor(1) }
            let error = await #expect(throws: RegistryError.self) { try await live.follow(after: nil).waitForEnd() }
            guard case .refused(let problem, let retryAfter) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(problem.status == 429 && problem.type.hasSuffix("too-many-streams") && retryAfter != nil)
            followers[0].cancel()
            try await eventually("the server notices the closed stream at a heartbeat") {
                let next = live.follow(after: nil)
                defer { next.cancel() }
                return (try? await next.waitFor(1)) != nil
            }
        }
    }

    @Test("if all streams are in use, a new client replaces the oldest one of the owner with the most")
    func crowded() async throws {
        try await LiveTrail.run(perOwner: 5, total: 3) { live in
            try await live.tell(1)
            let greedy = (0..<3).map { _ in live.follow(after: nil) }
            for follower in greedy { try await follower.waitFor(1) }
            let newcomer = try await live.followAsAnother()
            try await newcomer.waitFor(1)
            newcomer.cancel()
            for follower in greedy { follower.cancel() }
        }
    }

    @Test("closing a connection frees its stream before the next heartbeat")
    func closed() async throws {
        try await LiveTrail.run(total: 1, heartbeat: .seconds(3600)) { live in
            try await live.tell(1)
            let first = live.follow(after: nil)
            try await first.waitFor(1)
            first.cancel()
            try await eventually("the server notices the closed connection") {
                let next = live.follow(after: nil)
                defer { next.cancel() }
                return (try? await next.waitFor(1)) != nil
            }
        }
    }

    @Test("a graceful shutdown ends open streams")
    func shutdown() async throws {
        try await LiveTrail.run { live in
            try await live.tell(1)
            let follower = live.follow(after: nil)
            try await follower.waitFor(1)
            await live.shutDown()
            try await follower.waitForEnd()
        }
    }
}

/// A listening registry with a missing bike and a station. Its streams send a heartbeat every 50 ms.
private struct LiveTrail: Sendable {
    let clock: HandClock
    let start: Timestamp
    private let port: Int
    private let owner: OwnerCreated
    private let report: MissingReport
    private let station: StationID
    private let store: SQLiteRegistryStore
    private let operations: RegistryOperations
    private let group: ServiceGroup

    static func run(
        perOwner: Int = 2, total: Int = 1000, heartbeat: Duration = .milliseconds(50),
        _ test: @Sendable (LiveTrail) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteRegistryStore(newAt: folder.file("registry.sqlite"))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let clock = HandClock()
        var operations = RegistryOperations(store: store, logger: logger)
        operations.givenIdentities = .open
        operations.clock = clock.wallClock
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        var limits = TrailStreams.Limits()
        limits.perOwner = perOwner
        limits.total = total
        limits.heartbeat = heartbeat
        let application = Application(
            responder: RegistryHTTPServer.build(operations: operations, streams: limits).responder,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) }, logger: logger
        )
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        async let ended: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        let first = await iterator.next()
        let port = try #require(first)
        let live = try await LiveTrail(
            port: port, clock: clock, store: store, operations: operations, group: group)
        try await test(live)
        await group.triggerGracefulShutdown()
        try await ended
    }

    private init(
        port: Int, clock: HandClock, store: SQLiteRegistryStore, operations: RegistryOperations, group: ServiceGroup
    ) async throws {
        self.port = port
        self.clock = clock
        start = clock.now
        self.store = store
        self.operations = operations
        self.group = group
        owner = try await operations.createOwner()
        var draft = Samples.bike
        draft.identity = Samples.identity(1)
        let bike = try await operations.registerBike(draft, of: owner.owner.id, once: nil)
        try await operations.accept(bike)
        report = try await operations.openReport(
            MissingReportDraft(policeReference: "CRIME-7"), on: bike.id, of: owner.owner.id, once: nil)
        var entropy = Entropy.seeded(1)
        let invitation = try await operations.invite(
            InvitationDraft(name: "Café", place: Samples.place), by: .operator(OperatorID(at: start, using: &entropy)),
            once: nil
        )
        station = try await operations.enrol(EnrolmentRequest(code: invitation.code), attempt: nil).station.id
    }

    func tell(_ number: UInt64, lasting: Duration = .seconds(60)) async throws {
        let batch = VisitBatch(visits: [Samples.visit(number, from: start, lasting: lasting)])
        let reading = try VisitBatchReading([UInt8](try JSONEncoder().encode(batch)))
        _ = try await operations.record(reading, by: station)
    }

    func revokeOwner() async throws {
        try await store.write { db in try db.database.execute(sql: "DELETE FROM token WHERE owner IS NOT NULL") }
    }

    /// Adds a share of the report, and returns its secret.
    func share() async throws -> String {
        let text = "fmb_share_" + String(repeating: "A", count: 43)
        let secret = try #require(AccessToken(text, as: .share))
        let share = NewShare(
            id: ShareID(high: 1, low: 1), digest: secret.digest, created: start,
            ends: start.advanced(by: ShareRules.usual))
        let act = OwnerAct(owner: owner.owner.id, time: start, entropy: .seeded(2))
        _ = try await store.addShare(share, on: report.bike, by: act, once: nil)
        return text
    }

    func revokeShares() async throws {
        try await store.write { db in try db.database.execute(sql: "DELETE FROM share") }
    }

    /// The parts of a stream, or of a refusal, as they arrive.
    func follow(with secret: String) -> AsyncStream<String> {
        let (parts, continuation) = AsyncStream<String>.makeStream()
        let url = "http://127.0.0.1:\(port)/v1/share/sightings"
        let task = Task {
            defer { continuation.finish() }
            let headers = [("Authorization", "Bearer \(secret)"), ("Accept", "text/event-stream")]
            let request = HTTPClient.HTTPRequest(.get, url: url, headers: headers.map { (name: $0.0, value: $0.1) })
            let response = try await HTTPConnection().receive(request) { bytes in
                continuation.yield(String(decoding: bytes, as: UTF8.self))
            }
            continuation.yield(String(decoding: response.body, as: UTF8.self))
        }
        continuation.onTermination = { _ in task.cancel() }
        return parts
    }

    func shutDown() async { await group.triggerGracefulShutdown() }

    /// Adds another owner, and opens a stream of one of their reports.
    func followAsAnother() async throws -> Follower {
        let other = try await operations.createOwner()
        var draft = Samples.bike
        draft.identity = Samples.identity(2)
        let bike = try await operations.registerBike(draft, of: other.owner.id, once: nil)
        try await operations.accept(bike)
        let report = try await operations.openReport(
            MissingReportDraft(policeReference: "CRIME-8"), on: bike.id, of: other.owner.id, once: nil)
        let batch = VisitBatch(visits: [Samples.visit(99, of: Samples.identity(2), from: start)])
        let reading = try VisitBatchReading([UInt8](try JSONEncoder().encode(batch)))
        _ = try await operations.record(reading, by: station)
        return Follower(port: port, token: other.token, report: report, after: nil)
    }

    /// Opens a stream of a new member of the bike, and returns also what removes the member.
    func followAsMember() async throws -> (Follower, remove: @Sendable () async throws -> Void) {
        let friend = try await operations.createOwner()
        let act = operations.act(of: owner.owner.id, recoveryCode: nil)
        let made = try await operations.inviteMember(
            MemberInvitationDraft(role: .see, label: "Anna"), to: report.bike, by: act, once: nil)
        _ = try await operations.join(
            InvitationAcceptance(invitation: made.secret), by: operations.act(of: friend.owner.id, recoveryCode: nil),
            once: nil)
        let id = try #require(try await store.members(of: report.bike, by: owner.owner.id).first).id
        let follower = Follower(port: port, token: friend.token, report: report, after: nil)
        return (follower, { try await operations.store.removeMember(id, of: report.bike, by: act) })
    }

    func follow(after last: String?) -> Follower {
        Follower(port: port, token: owner.token, report: report, after: last)
    }
}

/// A client of the stream that shares no code with the server: libcurl.
private final class Follower: Sendable {
    private struct Record: Sendable {
        var seen: [Sighting] = []
        var last: String?
    }

    private final class Notes: Sendable {
        let record = Mutex(Record())
    }

    private let notes = Notes()
    private let task: Task<Void, any Error>
    private let signals: AsyncStream<Void>

    init(port: Int, token: String, report: MissingReport, after last: String?) {
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        self.signals = signals
        task = Task { [notes] in
            defer { continuation.finish() }
            let registry = try RegistryConnection(
                url: "http://127.0.0.1:\(port)", token: token, http: try HTTPConnection())
            try await registry.followSightings(of: report.id, on: report.bike, after: last) { sighting, id in
                notes.record.withLock {
                    $0.seen.append(sighting)
                    $0.last = id
                }
                continuation.yield()
            }
        }
    }

    var seen: [Sighting] { notes.record.withLock { $0.seen } }
    var last: String? { notes.record.withLock { $0.last } }

    func waitFor(_ count: Int) async throws {
        var iterator = signals.makeAsyncIterator()
        while seen.count < count {
            guard await iterator.next() != nil else {
                try await waitForEnd()
                throw EndedEarly()
            }
        }
    }

    func waitForEnd() async throws { try await task.value }

    func cancel() { task.cancel() }

    struct EndedEarly: Error {}
}
