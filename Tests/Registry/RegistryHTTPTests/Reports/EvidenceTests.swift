import Evidence
import FoundationEssentials
import HTTPTypes
import Hummingbird
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP
@testable import RegistrySQL
@testable import RegistrySQLite

@Suite("Evidence and the audit over HTTP")
struct EvidenceTests {
    private let keyring = Keyring(at: HandClock().now)
    private var fingerprint: HashValue? { HashValue(keyring.current.fingerprint) }

    /// An owner whose missing bike was heard by a station.
    private func heardBike(_ registry: Harness) async throws -> (owner: String, report: MissingReport) {
        let owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        let report = try await registry.newReport(on: bike.id, of: owner)
        let station = try await registry.newStation()
        _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station.token)
        return (owner, report)
    }

    private func append(_ events: [AuditEvent], to registry: Harness) async throws {
        try await registry.store.write { db in for event in events { try AuditTrail(db).append(event) } }
    }

    private func path(_ report: MissingReport) -> String { "/v1/bikes/\(report.bike)/reports/\(report.id)/evidence" }

    @Test("an owner can download a valid pack with the trail, and the same state gives the same bytes")
    func download() async throws {
        let registry = try Harness(keyring: keyring)
        let (owner, report) = try await heardBike(registry)
        try await append([AuditEvent(.reportOpened, by: nil, at: registry.clock.now, report: report.id)], to: registry)
        let answer = try await registry.call(.get, path(report), token: owner)
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/zip")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"evidence-\(report.id).zip\"")
        #expect(answer.headers[.cacheControl] == "no-store")
        let pack = try EvidenceVerification([UInt8](answer.body), pinned: fingerprint)
        #expect(pack.isTrusted && pack.report == report && pack.made == registry.clock.now)
        #expect(pack.sightings == (try await registry.sightings(of: report, by: owner)))
        #expect(pack.audit.contains { $0.event?.action == "report.opened" })
        #expect(pack.stations.map(\.id) == pack.sightings.map(\.station.id))
        #expect(try await registry.call(.get, path(report), token: owner).body == answer.body)
    }

    @Test("an owner reads one pack or trail file at a time")
    func places() async throws {
        let registry = try Harness(keyring: keyring)
        let (owner, report) = try await heardBike(registry)
        let first = try await registry.respond(.get, path(report), token: owner)
        let trail = String(path(report).dropLast(8)) + "sightings"
        for (path, form) in [(path(report), "application/zip"), (trail, "text/csv")] {
            let second = try await registry.call(.get, path, token: owner, headers: [.accept: form])
            #expect(second.status == 503 && second.problem == "overloaded")
        }
        #expect(try await registry.read(first).status == 200)
        // Whoever asks for a file and goes away can ask again.
        for form in ["text/csv", "application/gpx+xml", "application/geo+json"] {
            let response = try await registry.respond(.get, trail, token: owner, headers: [.accept: form])
            #expect(response.status == .ok)
        }
    }

    @Test("evidence for another owner's report, or for an unknown report, is not found")
    func foreign() async throws {
        let registry = try Harness(keyring: keyring)
        let (owner, report) = try await heardBike(registry)
        let other = try await registry.newOwner()
        #expect(try await registry.call(.get, path(report), token: other).status == 404)
        var none = report
        none.id = ReportID(high: 9, low: 9)
        let answer = try await registry.call(.get, path(none), token: owner)
        #expect(answer.status == 404 && answer.problem == "not-found")
    }

    @Test("without a key the registry refuses to sign, and tells the operator what to do")
    func noKey() async throws {
        let registry = try Harness()
        let (owner, report) = try await heardBike(registry)
        let answer = try await registry.call(.get, path(report), token: owner)
        #expect(answer.status == 409 && answer.problem == "signing-key-missing")
        #expect(try answer.value(ProblemDetails.self).detail.contains("findmybike-registry key create"))
        let checkpoint = try await registry.call(.get, "/v1/audit/checkpoint", token: try await registry.newOperator())
        #expect(checkpoint.problem == "signing-key-missing")
        #expect(try await registry.call(.get, "/v1/keys").value(PublishedKeys.self).keys == [])
    }

    @Test("anyone can read the public keys, including retired ones")
    func keys() async throws {
        let rotated = keyring.rotated(at: HandClock().now.advanced(by: .seconds(1)))
        let registry = try Harness(keyring: rotated)
        let answer = try await registry.call(.get, "/v1/keys")
        #expect(try answer.value(PublishedKeys.self).keys == rotated.keys)
        #expect(rotated.keys.count == 2)
    }

    @Test("a checkpoint is signed and contains the end of the audit")
    func checkpoint() async throws {
        let registry = try Harness(keyring: keyring)
        try await append([AuditEvent(.ownerCreated, by: nil, at: registry.clock.now)], to: registry)
        let token = try await registry.newOperator()
        let signed: SignedCheckpoint = try await registry.call(.get, "/v1/audit/checkpoint", token: token).value()
        let key = try #require(PublicKey(pem: keyring.current.publicKey))
        let checkpoint = try #require(signed.verified(by: key))
        let end = try await registry.store.auditEnd()
        #expect(checkpoint.length == end.length && checkpoint.chain == end.hash)
        #expect(checkpoint.time == registry.clock.now && checkpoint.key == 1)
        _ = try await registry.store.verifyAudit(nil, against: [checkpoint])
    }

    @Test("an operator can list the registry's checkpoints in pages, with the latest first")
    func checkpoints() async throws {
        let registry = try Harness()
        let token = try await registry.newOperator()
        for time in 1...3 {
            try await append([AuditEvent(.ownerCreated, by: nil, at: registry.clock.now)], to: registry)
            registry.clock.advance(by: .seconds(time))
            let (checkpoint, signed) = try await registry.store.signedEnd(by: keyring, at: registry.clock.now)
            try await registry.store.keep(signed, length: checkpoint.length)
        }
        let key = try #require(PublicKey(pem: keyring.current.publicKey))
        let first: Page<SignedCheckpoint> = try await registry.call(
            .get, "/v1/audit/checkpoints?limit=2", token: token
        ).value()
        let cursor = try #require(first.next)
        let second: Page<SignedCheckpoint> = try await registry.call(
            .get, "/v1/audit/checkpoints?limit=2&cursor=\(cursor)", token: token
        ).value()
        let lengths = (first.items + second.items).compactMap { $0.verified(by: key)?.length }
        #expect(lengths.count == 3 && lengths == lengths.sorted(by: >) && second.next == nil)
        let owner = try await registry.newOwner()
        #expect(try await registry.call(.get, "/v1/audit/checkpoints", token: owner).status == 403)
    }

    @Test("an operator can read the audit in pages, with every filter")
    func audit() async throws {
        let registry = try Harness()
        let now = registry.clock.now
        let owner = OwnerID(high: 1, low: 1)
        let station = StationID(high: 2, low: 2)
        let early = AuditEvent(
            .reportClosed, by: .owner(owner), at: now.advanced(by: .seconds(-60)), bike: BikeID(high: 3, low: 3),
            report: ReportID(high: 4, low: 4), details: ["outcome": "recovered"]
        )
        let late = AuditEvent(.sightingStored, by: .station(station), at: now, station: station)
        try await append([early, late], to: registry)
        let token = try await registry.newOperator()
        func events(_ query: String) async throws -> [AuditEntry.Event?] {
            let page: Page<AuditEntry> = try await registry.call(.get, "/v1/audit" + query, token: token).value()
            return page.items.map(\.event)
        }
        for query in [
            "?owner=\(owner)", "?bike=\(BikeID(high: 3, low: 3))", "?report=\(ReportID(high: 4, low: 4))",
            "?action=report.closed", "?until=\(now)", "?owner=\(owner)&action=report.closed",
        ] { #expect(try await events(query) == [early.wire], "\(query)") }
        for query in ["?station=\(station)", "?action=sighting.stored", "?station=\(station)&since=\(now)"] {
            #expect(try await events(query) == [late.wire], "\(query)")
        }
        #expect(try await events("?owner=\(owner)&action=sighting.stored") == [])
        #expect(try await events("").starts(with: [early.wire, late.wire]))
    }

    @Test("a caller reads a limited number of large pages at a time")
    func largePages() async throws {
        let registry = try Harness()
        let event = AuditEvent(.bikeRegistered, by: .owner(OwnerID(high: 1, low: 1)), at: registry.clock.now)
        try await append(Array(repeating: event, count: 400), to: registry)
        let token = try await registry.newOperator()
        var held: [Response] = []
        for _ in 1...8 { held.append(try await registry.respond(.get, "/v1/audit?limit=500", token: token)) }
        #expect(held.allSatisfy { $0.status == .ok && $0.body.contentLength ?? 0 > ServerOptions().freeLength })
        #expect(try await registry.call(.get, "/v1/audit?limit=500", token: token).problem == "overloaded")
        #expect(try await registry.call(.get, "/v1/audit?limit=5", token: token).status == 200, "a small one")
        let page: Page<AuditEntry> = try await registry.read(held.removeFirst()).value()
        #expect(page.items.count == 401)
        #expect(try await registry.call(.get, "/v1/audit?limit=500", token: token).status == 200)
    }

    @Test("the link to the next page keeps the filter")
    func paging() async throws {
        let registry = try Harness()
        let owner = OwnerID(high: 1, low: 1)
        let event = AuditEvent(.bikeRegistered, by: .owner(owner), at: registry.clock.now)
        try await append([event, AuditEvent(.ownerCreated, by: nil, at: registry.clock.now), event], to: registry)
        let token = try await registry.newOperator()
        let latest: Page<AuditEntry> = try await registry.call(
            .get, "/v1/audit?owner=\(owner)&limit=1&order=newest", token: token
        ).value()
        #expect(latest.items.map(\.index) == [3] && latest.next != nil)
        let first = try await registry.call(.get, "/v1/audit?owner=\(owner)&limit=1", token: token)
        let link = try #require(HTTPField.Name("Link").flatMap { first.headers[$0] })
        let next = try #require(link.split(separator: ">").first.map { String($0.dropFirst()) })
        let second: Page<AuditEntry> = try await registry.call(.get, next, token: token).value()
        #expect(try first.value(Page<AuditEntry>.self).items.map(\.index) == [1])
        #expect(second.items.map(\.index) == [3] && second.next == nil)
    }

    @Test("an erased entry shows only its commitment")
    func erased() async throws {
        let registry = try Harness()
        let owner = OwnerID(high: 1, low: 1)
        try await append([AuditEvent(.bikeRegistered, by: .owner(owner), at: registry.clock.now)], to: registry)
        let now = registry.clock.now
        try await registry.store.write { db in try AuditTrail(db).erase(ofOwner: owner, at: now) }
        let answer = try await registry.call(.get, "/v1/audit", token: try await registry.newOperator())
        let entry = try #require(try answer.value(Page<AuditEntry>.self).items.first)
        #expect(entry.erasedBy == 2)
        #expect(entry.isErased && entry.commitment.count == 64 && entry.chain.count == 64)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(owner.description))
    }

    @Test(
        "an invalid filter is named",
        arguments: ["owner=x", "bike=1", "report=", "station=y", "since=yesterday", "until=1", "order=up"]
    )
    func badFilter(query: String) async throws {
        let registry = try Harness()
        let answer = try await registry.call(.get, "/v1/audit?\(query)", token: try await registry.newOperator())
        #expect(answer.status == 400 && answer.problem == "invalid-query")
        let name = try #require(query.split(separator: "=").first)
        #expect(try answer.value(ProblemDetails.self).detail.contains("‘\(name)’"))
    }
}
