import Evidence
import Foundation
import GRDB
import HTTPClient
import Logging
import MissingList
import Monitor
import NIOCore
import OperatingSystem
import Operations
import RegistryAPI
import RegistryClient
import RegistryRules
import RegistrySQLiteTestSupport
import RegistryTestSupport
import ServiceLifecycle
import TestSupport
import Testing

@testable import RegistryHTTP
@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Long polls over TCP", .timeLimit(.minutes(20)))
struct LongPollTests {
    /// A registry that listens until it is stopped.
    private final class LiveServer: Sendable {
        let operations: RegistryOperations
        let store: SQLiteRegistryStore
        let missingList: MissingListPublisher
        let port: Int
        private let group: ServiceGroup
        private let running: Task<Void, any Error>

        init(
            database: String, port: Int = 0, clock: HandClock = HandClock(),
            options: ServerOptions = ServerOptions(timeouts: .patient)
        ) async throws {
            store = try await SQLiteRegistryStore.opening(database)
            var operations = RegistryOperations(store: store, logger: .silent)
            operations.givenIdentities = .open
            operations.clock = clock.wallClock
            self.operations = operations
            let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
            missingList = MissingListPublisher(
                store: store, clock: clock.wallClock, logger: .silent, revocationInterval: .milliseconds(500))
            let application = RegistryHTTPServer.buildApplication(
                operations: operations, host: "127.0.0.1", port: port, options: options, missingList: missingList,
                logger: .silent
            ) { continuation.yield($0.port ?? 0) }
            let group = ServiceGroup(configuration: .init(services: [application], logger: .silent))
            self.group = group
            running = Task { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            self.port = try #require(await iterator.next())
        }

        func waits(for count: Int) async throws {
            try await eventually("\(count) stations wait") { missingList.waiting.count == count }
        }

        func connect(_ token: String) throws -> RegistryConnection {
            try RegistryConnection(url: "http://127.0.0.1:\(port)", token: token, http: try HTTPConnection())
        }

        /// Connects over TLS, to a certificate for `localhost`.
        func connect(_ token: String, trusting certificate: String, http2: Bool) throws -> RegistryConnection {
            let configuration = HTTPConfiguration(certificateAuthorityFile: certificate, waitsForStreams: http2)
            return try RegistryConnection(
                url: "https://localhost:\(port)", token: token, http: try HTTPConnection(configuration))
        }

        func stop() async throws {
            await group.triggerGracefulShutdown()
            try await running.value
        }

        func newStation() async throws -> String {
            let draft = InvitationDraft(name: "Café", place: Samples.place)
            let code = try await operations.invite(draft, by: .operator(OperatorID(high: 1, low: 1)), once: nil).code
            return try await operations.enrol(EnrolmentRequest(code: code), attempt: nil).token
        }

        /// Adds a bike and reports it missing.
        @discardableResult
        func steal(_ minor: UInt16) async throws -> (owner: OwnerID, report: MissingReport) {
            let owner = try await operations.createOwner().owner.id
            var draft = Samples.bike
            draft.identity = Samples.identity(minor)
            let bike = try await operations.registerBike(draft, of: owner, once: nil)
            try await operations.accept(bike)
            return (owner, try await operations.openReport(MissingReportDraft(), on: bike.id, of: owner, once: nil))
        }

        /// Adds a partner, and returns the token with which it calls.
        func newPartner() async throws -> (id: PartnerID, token: String) {
            var entropy = Entropy.system
            let (id, now) = (PartnerID(high: 9, low: 9), operations.clock.now)
            let token = AccessToken(for: .partner, using: &entropy)
            let key = try #require(PublicKey(bytes: Array(repeating: 7, count: 32)))
            try await store.addPartner(
                NewPartnerInvitation(
                    id: id, name: "Zürich", code: SecretDigest(of: "code"), created: now, expires: now,
                    pseudonyms: Array(repeating: 3, count: 32), by: .operator(OperatorID(high: 1, low: 1))),
                PartnerTerms(
                    url: "https://registry.example.net", token: token.digest, secret: "secret", publicKeys: [key.pem]))
            return (id, token.text)
        }

        func waitsForPartner() async throws {
            try await eventually("a partner waits") { missingList.waitingPartners.count == 1 }
        }
    }

    private let folder: TemporaryFolder
    private var database: String { folder.file("registry.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// The status of the refusal of a request; nil if it failed for another reason.
    private func refusal(_ call: () async throws -> Void) async -> Int? {
        let error = await #expect(throws: RegistryError.self) { try await call() }
        guard case .refused(let problem, _)? = error else { return nil }
        return problem.status
    }

    /// Checks that a station gets no change at first, and then a theft as a change of its list.
    private func expectTheft(
        at station: RegistryConnection, of server: LiveServer, after wait: Duration
    ) async throws {
        let before = try full(try await station.missingList())
        #expect(try await station.missingList(after: before.version, wait: wait) == .unchanged)
        async let waiting = station.missingList(after: before.version, wait: .seconds(300))
        try await server.waits(for: 1)
        try await server.steal(1)
        #expect(try before.applying(delta(try await waiting)).contains(Samples.identity(1)))
        try await server.stop()
    }

    private func full(_ answer: RegistryConnection.MissingListAnswer) throws -> MissingIdentities {
        guard case .changed(let bytes) = answer, case .full(let list) = try ListMessage(bytes) else {
            throw ListCodingError.unknownFormat
        }
        return list
    }

    private func delta(_ answer: RegistryConnection.MissingListAnswer) throws -> ListDelta {
        guard case .changed(let bytes) = answer, case .delta(let delta) = try ListMessage(bytes) else {
            throw ListCodingError.unknownFormat
        }
        return delta
    }

    @Test("a waiting station gets a theft as a change of its list, and no response before that")
    func told() async throws {
        let server = try await LiveServer(database: database)
        let station = try server.connect(try await server.newStation())
        try await expectTheft(at: station, of: server, after: .seconds(1))
    }

    @Test("many waiting stations get the same change")
    func many() async throws {
        let server = try await LiveServer(database: database)
        var tokens: [String] = []
        for _ in 0..<20 { tokens.append(try await server.newStation()) }
        let before = try full(try await server.connect(tokens[0]).missingList())
        let answers = try await withThrowingTaskGroup(of: RegistryConnection.MissingListAnswer.self) { group in
            for token in tokens {
                let station = try server.connect(token)
                group.addTask { try await station.missingList(after: before.version, wait: .seconds(300)) }
            }
            try await server.waits(for: 20)
            try await server.steal(1)
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1 && answers != [.unchanged])
        try await server.stop()
    }

    @Test("a second request from the same station ends the first with 409")
    func oneAtATime() async throws {
        let server = try await LiveServer(database: database)
        let token = try await server.newStation()
        let (one, two) = (try server.connect(token), try server.connect(token))
        let version = try full(try await one.missingList()).version
        // The later request displaces the other.
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for station in [one, two] {
                group.addTask {
                    do {
                        _ = try await station.missingList(after: version, wait: .seconds(300))
                        return nil
                    } catch RegistryError.refused(let problem, _) {
                        return problem.status
                    } catch {
                        return 0
                    }
                }
            }
            let first = await group.next() ?? nil
            _ = try? await server.steal(1)
            return [first, await group.next() ?? nil]
        }
        #expect(statuses == [409, nil])
        try await server.stop()
    }

    @Test("revoking a token ends the wait of its station")
    func revoked() async throws {
        let server = try await LiveServer(database: database)
        let token = try await server.newStation()
        let station = try server.connect(token)
        let version = try full(try await station.missingList()).version
        let waiting = Task { try await station.missingList(after: version, wait: .seconds(300)) }
        try await server.waits(for: 1)
        try await server.store.write { db in
            try db.database.execute(
                sql: "DELETE FROM token WHERE digest = ?", arguments: [SecretDigest(of: token).blob])
        }
        #expect(await refusal { _ = try await waiting.value } == 401)
        try await server.stop()
    }

    @Test("a registry that shuts down responds to waiting stations, then stops")
    func shutdown() async throws {
        let server = try await LiveServer(database: database)
        let station = try server.connect(try await server.newStation())
        let version = try full(try await station.missingList()).version
        let waiting = Task { try await station.missingList(after: version, wait: .seconds(300)) }
        try await server.waits(for: 1)
        try await server.stop()
        #expect(try await waiting.value == .unchanged)
    }

    @Test("stations stay up to date when a registry restarts and when it is restored from a backup")
    func restarts() async throws {
        let list = CurrentList()
        let token = try await afterTheft(1) { server in
            let token = try await server.newStation()
            try await server.store.pool.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM INTO ?", arguments: [folder.file("backup.sqlite")])
            }
            await refresh(try station(token, of: server, list)) { list.identities.count == 1 }
            return token
        }
        try await afterTheft(2) { server in
            await refresh(try station(token, of: server, list)) { list.identities.count == 2 }
        }
        let lost = list.identities.version
        // The backup was made before the second theft. In the restored registry, other bikes are stolen.
        try FileManager.default.removeItem(atPath: database)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + suffix) }
        try FileManager.default.copyItem(atPath: folder.file("backup.sqlite"), toPath: database)
        try await afterTheft(3) { server in
            let station = try station(token, of: server, list)
            await refresh(station) { list.identities.version.mark != lost.mark }
            try await server.steal(4)
            await refresh(station) { list.identities.count == 3 }
        }
        #expect((1...4).map { list.identities.contains(Samples.identity($0)) } == [true, false, true, true])
    }

    /// A station with the previous list. Each registry has its own port, since another process may take the old one.
    private func station(_ token: String, of server: LiveServer, _ list: CurrentList) throws -> ListSync {
        let sync = ListSync(
            registry: try server.connect(token), list: list, path: folder.file("missing-list"), wait: .seconds(1),
            logger: .silent
        )
        sync.restore()
        return sync
    }

    /// Runs a registry in which a bike is reported missing.
    private func afterTheft<Result: Sendable>(
        _ minor: UInt16, _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let server = try await LiveServer(database: database)
        try await server.steal(minor)
        let result = try await body(server)
        try await server.stop()
        return result
    }

    /// Requests the list until it is as expected. A change is published within a quarter of a second after the one
    /// before it, and a connection that the previous registry has closed fails once.
    private func refresh(_ sync: ListSync, until isDone: () -> Bool) async {
        while !isDone() { try? await sync.refresh() }
    }
}

extension LongPollTests {
    /// Timeouts far shorter than any wait, except those that a client on a slow machine needs to send its request.
    private static let impatient = ConnectionTimeouts(
        header: .seconds(600), body: .milliseconds(200), idle: .seconds(600), write: .milliseconds(200))

    @Test("a station may wait longer than other clients, and gets its response on the same connection")
    func outlives() async throws {
        let server = try await LiveServer(database: database, options: ServerOptions(timeouts: Self.impatient))
        let station = try server.connect(try await server.newStation())
        let before = try full(try await station.missingList())
        #expect(try await station.missingList(after: before.version, wait: .seconds(2)) == .unchanged)
        async let waiting = station.missingList(after: before.version, wait: .seconds(300))
        try await server.waits(for: 1)
        try await server.steal(1)
        #expect(try await waiting != .unchanged)
        try await server.stop()
    }

    @Test("a wait counts once against the limit of its token, however long it is and however it ends")
    func countsOnce() async throws {
        var limits = RateLimits()
        limits[.token] = .rate(RequestRate(3, per: .seconds(60)))
        // The clock is stopped, so the bucket is not refilled.
        let server = try await LiveServer(
            database: database, options: ServerOptions(limits: limits, timeouts: .patient, now: { 0 }))
        let station = try server.connect(try await server.newStation())
        let before = try full(try await station.missingList())
        #expect(try await station.missingList(after: before.version, wait: .seconds(1)) == .unchanged)
        async let waiting = station.missingList(after: before.version, wait: .seconds(300))
        try await server.waits(for: 1)
        try await server.steal(1)
        #expect(try await waiting != .unchanged)
        #expect(await refusal { _ = try await station.missingList() } == 429)
        try await server.stop()
    }

    @Test("a station can wait over TLS, with HTTP/1.1 and with HTTP/2", arguments: [false, true])
    func encrypted(http2: Bool) async throws {
        let pair = try await TestCertificate.make("served", in: folder)
        let tls = try TLSFiles(certificate: pair.certificate, key: pair.key)
        let server = try await LiveServer(
            database: database, options: ServerOptions(timeouts: Self.impatient, tls: tls))
        let station = try server.connect(try await server.newStation(), trusting: pair.certificate, http2: http2)
        try await expectTheft(at: station, of: server, after: .seconds(2))
    }
}

extension LongPollTests {
    @Test(
        "a partner waits as a station does: for a theft and an owner’s choice, with one request and while it is active")
    func partner() async throws {
        let server = try await LiveServer(database: database)
        let (partner, token) = try await server.newPartner()
        let path = "/v1/partner/missing"
        func waiting(after version: ListVersion) -> Task<RegistryConnection.MissingListAnswer, any Error> {
            Task { try await server.connect(token).missingList(after: version, wait: .seconds(300), path: path) }
        }
        let before = try full(try await server.connect(token).missingList(path: path))
        #expect(before.count == 0)
        let theft = waiting(after: before.version)
        try await server.waitsForPartner()
        let (owner, report) = try await server.steal(1)
        let list = try before.applying(delta(try await theft.value))
        #expect(list.contains(Samples.identity(1)))
        // Stations get no new version.
        let choice = waiting(after: list.version)
        try await server.waitsForPartner()
        var patch = MissingReportPatch()
        try patch.set("onlyHere", true)
        let act = OwnerAct(owner: owner, time: server.operations.clock.now, entropy: .system)
        _ = try await server.store.changeReport(report.id, on: report.bike, patch, by: act)
        let empty = try list.applying(delta(try await choice.value))
        #expect(empty.count == 0)
        let first = waiting(after: empty.version)
        try await server.waitsForPartner()
        let second = waiting(after: empty.version)
        #expect(await refusal { _ = try await first.value } == 409)
        _ = try await server.store.changePartner(
            partner, PartnerPatch(suspended: true), quarantineSince: nil, by: .operator(OperatorID(high: 1, low: 1)),
            at: server.operations.clock.now)
        #expect(await refusal { _ = try await second.value } == 401)
        try await server.stop()
    }
}
