import Foundation
import HTTPClient
import MissingList
import RegistryAPI
import Synchronization
import TestSupport
import Testing

@testable import RegistryClient

@Suite("The registry connection")
struct RegistryConnectionTests {
    private let peer: PythonPeer
    private let registry: RegistryConnection

    init() throws {
        let script = try #require(Bundle.module.path(forResource: "registry", ofType: "py", inDirectory: "Fixtures"))
        peer = try PythonPeer(script)
        registry = try RegistryConnection(
            url: "http://127.0.0.1:\(peer.port)", token: "fmb_secret", http: try HTTPConnection()
        )
    }

    @Test(
        "a token is never sent in the clear, nor to an invalid address",
        arguments: [
            "http://registry.example", "registry.example", "ftp://a", "https://u:p@a", "http://127.evil.example@x",
            "https://a/b?c=", "https://a/b#",
        ]
    )
    func addresses(url: String) throws {
        let http = try HTTPConnection()
        let error = #expect(throws: RegistryError.self) { try RegistryConnection(url: url, token: nil, http: http) }
        #expect(error?.isTransient == false)
    }

    @Test("a dump of an object that holds a token does not contain it")
    func redaction() throws {
        var dumped = ""
        dump(registry, to: &dumped)
        #expect(!dumped.contains("fmb_secret"))
        #expect(!"\(registry)".contains("fmb_secret"))
        #expect(!String(reflecting: registry).contains("fmb_secret"))
    }

    @Test("the list is fetched once, then only the changes")
    func missingList() async throws {
        #expect(try await registry.missingList() == .changed(Array("all".utf8)))
        #expect(try await registry.missingList(after: ListVersion(number: 7, mark: 10)) == .unchanged)
        let earlier = ListVersion(number: 6, mark: 255)
        let asked = Array("\"6-00000000000000ff\" findmybike wait=30".utf8)
        #expect(try await registry.missingList(after: earlier, wait: .seconds(30)) == .changed(asked))
    }

    @Test("a web page in place of the list is refused")
    func pageForList() async throws {
        let error = await #expect(throws: RegistryError.self) {
            try await registry.missingList(after: ListVersion(number: 5, mark: 1))
        }
        guard case .malformedAnswer = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a problem is thrown with its detail and each invalid field")
    func problem() async throws {
        let error = await #expect(throws: RegistryError.self) {
            let _: Owner = try await registry.get("/problem")
        }
        #expect(error?.description == "Look at the fields; /make: too long")
        #expect(error?.isTransient == false)
    }

    @Test("a problem with endless texts and control characters is cut to a line for a log")
    func endlessProblem() async throws {
        let error = await #expect(throws: RegistryError.self) {
            let _: Owner = try await registry.get("/endless-problem")
        }
        guard case .refused(let problem, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let text = try #require(error?.description)
        #expect(text.hasPrefix("no [31m xxx") && text.utf8.count < 8000, "\(text.utf8.count)")
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" })
        #expect(problem.detail.unicodeScalars.count == 1000 && problem.title.unicodeScalars.count == 200)
        #expect(problem.errors?.count == 16)
    }

    @Test("what a registry tells staff to look for is within the limits of a bike")
    func endlessAppearance() async throws {
        let results = try await registry.report(VisitBatch(visits: [])).results
        let bike = try #require(results.first?.lookFor)
        #expect(bike.make.hasPrefix("H [2J ooo") && bike.make.unicodeScalars.count == 64)
        #expect(bike.model == "x ")
        #expect(bike.colours == [.red, .red, .red])
        let errors = try #require(results.last?.errors)
        #expect(errors.count == 16)
        #expect(errors.allSatisfy { $0.pointer.utf8.count <= 102 && $0.detail.utf8.count <= 302 })
    }

    @Test("an overloaded registry is a transient failure with the time to wait")
    func busy() async throws {
        let error = await #expect(throws: RegistryError.self) { let _: Owner = try await registry.get("/busy") }
        #expect(error?.isTransient == true)
        #expect(error?.retryAfter == .seconds(7))
    }

    @Test("a redirect on the same origin is followed, with the token")
    func sameOrigin() async throws {
        let owner: Owner = try await registry.get("/moved")
        #expect(owner.created == Timestamp(milliseconds: 0))
    }

    @Test("a redirect to another host, or one that would turn a POST into a GET, is refused")
    func otherHost() async throws {
        let elsewhere = await #expect(throws: RegistryError.self) {
            let _: Owner = try await registry.get("/elsewhere")
        }
        guard case .redirectRefused = elsewhere else {
            Issue.record("followed to another host: \(String(describing: elsewhere))")
            return
        }
        let lost = await #expect(throws: RegistryError.self) {
            let _: Owner = try await registry.post("/found", Place(latitude: 1, longitude: 2))
        }
        guard case .redirectRefused = lost else {
            Issue.record("a POST became a GET: \(String(describing: lost))")
            return
        }
    }

    @Test("an endless redirect ends")
    func round() async throws {
        await #expect(throws: RegistryError.self) { let _: Owner = try await registry.get("/round") }
    }

    @Test("a web page in place of a response is explained", arguments: ["/page", "/page-with-200"])
    func page(path: String) async throws {
        let error = await #expect(throws: RegistryError.self) { let _: Owner = try await registry.get(path) }
        #expect(error?.isTransient == false)
        #expect(error?.description.contains("URL") == true)
    }

    @Test("an untrusted certificate is refused and is not a transient failure")
    func untrustedCertificate() async throws {
        let script = try #require(Bundle.module.path(forResource: "registry", ofType: "py", inDirectory: "Fixtures"))
        let folder = try TemporaryFolder()
        let secure = try PythonPeer(script, ["--tls", folder.path])
        let url = "https://localhost:\(secure.port)"
        let distrusting = try RegistryConnection(url: url, token: nil, http: try HTTPConnection())
        let error = await #expect(throws: RegistryError.self) { _ = try await distrusting.missingList() }
        #expect(error?.isTransient == false)
        #expect(error?.description.contains("certificate") == true)

        let configuration = HTTPConfiguration(certificateAuthorityFile: folder.file("certificate.pem"))
        let trusting = try RegistryConnection(url: url, token: "fmb_secret", http: try HTTPConnection(configuration))
        _ = try await trusting.missingList()

        let otherName = try RegistryConnection(
            url: "https://127.0.0.1:\(secure.port)", token: nil, http: try HTTPConnection(configuration)
        )
        await #expect(throws: RegistryError.self) { _ = try await otherName.missingList() }
    }

    @Test(
        "a token is sent in the clear only to this machine",
        arguments: [
            ("http://127.0.0.1:80", true), ("http://127.8.9.1", true), ("http://localhost", true),
            ("http://[::1]:8", true),
            ("http://127.evil.example", false), ("http://127.0.0.1.example", false), ("http://127.0.0", false),
            ("http://registry.example", false),
        ]
    )
    func confidential(url: String, isTaken: Bool) throws {
        let connection = try? RegistryConnection(url: url, token: "fmb_secret", http: try HTTPConnection())
        #expect((connection != nil) == isTaken)
    }

    @Test("a call is repeated only after a transient failure, as often and as late as the policy says")
    func retries() async throws {
        let clock = ImpatientClock()
        let retries = Retries(RetryPolicy(attempts: 4)) { try await clock.sleep(for: $0) }
        var calls = 0
        let result = try await retries.repeating {
            calls += 1
            if calls < 3 { throw RegistryError.unexpectedStatus(502, retryAfter: .seconds(9)) }
            return calls
        }
        #expect(result == 3)
        #expect(clock.sleeps == [.seconds(9), .seconds(9)])

        await #expect(throws: RegistryError.self) {
            try await retries.repeating {
                calls += 1
                throw RegistryError.malformedAnswer("x")
            }
        }
        #expect(calls == 4)
    }

    @Test("a request is repeated only if the registry may receive it twice")
    func repeatableRequests() async throws {
        let counter = Mutex(0)
        let unreachable = try RegistryConnection(
            url: "https://registry.example", token: nil, http: try HTTPConnection(),
            retries: Retries(RetryPolicy(attempts: 3)) { _ in },
            transport: { _ in
                counter.withLock { $0 += 1 }
                throw HTTPError.transfer(code: 7, message: "away")
            })
        func attempts(_ call: () async throws -> Void) async -> Int {
            counter.withLock { $0 = 0 }
            await #expect(throws: RegistryError.self) { try await call() }
            return counter.withLock { $0 }
        }
        #expect(await attempts { _ = try await unreachable.owner() } == 3)
        #expect(await attempts { _ = try await unreachable.createOwner(idempotencyKey: "k") } == 3)
        #expect(await attempts { _ = try await unreachable.change(OwnerPatch()) } == 3)
        #expect(await attempts { _ = try await unreachable.resumeOwner(OwnerID(high: 1, low: 1)) } == 3)
        #expect(await attempts { _ = try await unreachable.recover(RecoveryRequest(code: "c", name: nil)) } == 1)
        #expect(await attempts { _ = try await unreachable.createOperator(OperatorDraft(name: "Ada")) } == 1)
        #expect(await attempts { try await unreachable.revokeToken(TokenID(high: 1, low: 1)) } == 1)
        #expect(await attempts { _ = try await unreachable.report(VisitBatch(visits: [])) } == 1)
        let find = Find(identity: .blank)
        #expect(await attempts { try await unreachable.tell(find) } == 1)
    }

    @Test("a change without a response may have been made; one that was never sent has not")
    func unanswered() async throws {
        let failures = Mutex<[HTTPError]>([])
        let cut = HTTPError.transfer(code: 52, message: "empty reply", isSent: true)
        let refused = HTTPError.transfer(code: 7, message: "refused")
        let registry = try RegistryConnection(
            url: "https://registry.example", token: nil, http: try HTTPConnection(),
            retries: Retries(RetryPolicy(attempts: 2)) { _ in },
            transport: { _ in throw failures.withLock { $0.removeFirst() } })
        func isUnanswered(_ attempts: [HTTPError], _ call: () async throws -> Void) async -> Bool {
            failures.withLock { $0 = attempts }
            let error = await #expect(throws: RegistryError.self) { try await call() }
            guard case .unanswered? = error else { return false }
            #expect(error?.description.contains("may have been made") == true)
            return true
        }
        let recovery = RecoveryRequest(code: "c", name: nil)
        #expect(await isUnanswered([cut]) { _ = try await registry.recover(recovery) })
        #expect(!(await isUnanswered([refused]) { _ = try await registry.recover(recovery) }))
        #expect(await isUnanswered([cut]) { _ = try await registry.createOperator(OperatorDraft(name: "Ada")) })
        #expect(
            await isUnanswered([cut]) {
                _ = try await registry.changeStation(.specimen, StationPatch(name: "x"), ifMatch: "1")
            })
        #expect(await isUnanswered([cut, refused]) { _ = try await registry.createOwner(idempotencyKey: "k") })
        #expect(!(await isUnanswered([cut, cut]) { _ = try await registry.owner() }))
    }

    @Test("a channel is removed although deliveries change it meanwhile")
    func removal() async throws {
        try await registry.deleteChannel(ChannelID(high: 1, low: 1))
    }

    @Test("a response in another format is explained in plain words")
    func format() async throws {
        let lacking = await #expect(throws: RegistryError.self) { let _: Owner = try await registry.get("/lacking") }
        #expect(
            lacking?.description.contains("could not be read (‘created’ is missing)") == true,
            "\(String(describing: lacking))")
        let wrong = await #expect(throws: RegistryError.self) { let _: Owner = try await registry.get("/wrong") }
        #expect(
            wrong?.description.contains("(‘created’ has an unexpected value)") == true, "\(String(describing: wrong))")
    }
}
