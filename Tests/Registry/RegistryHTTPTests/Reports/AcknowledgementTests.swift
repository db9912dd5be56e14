import HTTPTypes
import Languages
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistrySQLite
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Acknowledging alerts")
struct AcknowledgementTests {
    /// An owner with a delivered alert.
    private struct Told {
        let owner: String
        let report: MissingReport
        let alert: ClaimedAlert

        init(_ registry: Harness, language: AlertLanguage = .en) async throws {
            owner = try await registry.newOwner()
            _ = try await registry.post("/v1/channels", token: owner, Samples.webhook)
            let patch = #"{"language":"\#(language.rawValue)"}"#
            _ = try await registry.call(
                .patch, "/v1/owner", token: owner, body: patch,
                headers: try await registry.tag("/v1/owner", token: owner))
            let bike = try await registry.newBike(of: owner)
            report = try await registry.newReport(on: bike.id, of: owner)
            let station = try await registry.newStation()
            _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station.token)
            let claimed = try await registry.store.claimAlerts(
                at: registry.clock.now, leaseUntil: registry.clock.now.advanced(by: .seconds(60)), limit: 9)
            alert = try #require(claimed.first { $0.content.notice == nil })
        }

        var link: String {
            "/acknowledge/\(alert.id)/\(AcknowledgementCode(of: alert.id, secret: alert.channel.secret).text)"
        }

        func isRead(_ registry: Harness) async throws -> Bool {
            try await registry.sightings(of: report, by: owner).allSatisfy { $0.acknowledged != nil }
        }
    }

    @Test("opening an alert’s link changes nothing; the button there acknowledges", arguments: AlertLanguage.allCases)
    func link(language: AlertLanguage) async throws {
        let registry = try Harness()
        let told = try await Told(registry, language: language)
        let words = AcknowledgementWords(language)
        for method in [HTTPRequest.Method.get, .head, .get] {
            let page = try await registry.call(method, told.link)
            #expect(page.status == 200)
            guard method == .get else { continue }
            let html = String(decoding: page.body, as: UTF8.self)
            #expect(html.contains("lang=\"\(language.rawValue)\"") && html.contains(words.question))
            #expect(html.contains("<form method=\"post\">") && !html.contains("<script"))
            #expect(!html.contains("Café") && !html.contains("Brompton"))
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(page.headers[.cacheControl] == "no-store")
        }
        #expect(try await !told.isRead(registry))
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let done = try await registry.call(.post, told.link, headers: form)
        #expect(done.status == 200 && String(decoding: done.body, as: UTF8.self).contains(words.done))
        #expect(try await told.isRead(registry))
        #expect(try await registry.call(.post, told.link, headers: form).status == 200)
    }

    @Test("every invalid link gets the same response, and does nothing")
    func wrongLinks() async throws {
        let registry = try Harness()
        let told = try await Told(registry)
        let code = told.link.split(separator: "/").last.map(String.init) ?? ""
        let wrong = [
            "/acknowledge/\(told.alert.id)/00000000000000000000", "/acknowledge/\(told.alert.id)/x",
            "/acknowledge/\(told.alert.channel.id)/\(code)", "/acknowledge/nothing/\(code)",
        ]
        for method in [HTTPRequest.Method.get, .post] {
            var pages: Set<String> = []
            for path in wrong {
                let page = try await registry.call(method, path)
                #expect(page.status == 403)
                pages.insert(String(decoding: page.body, as: UTF8.self))
            }
            #expect(pages.count == 1)
        }
        registry.clock.advance(by: AcknowledgementCode.lifetime)
        #expect(try await registry.call(.post, told.link).status == 403)
        #expect(try await !told.isRead(registry))
    }

    @Test("an owner can acknowledge a sighting by its identifier")
    func byOwner() async throws {
        let registry = try Harness()
        let told = try await Told(registry)
        let sighting = try #require(try await registry.sightings(of: told.report, by: told.owner).first)
        let path =
            "/v1/bikes/\(told.report.bike)/reports/\(told.report.id)/sightings/\(sighting.id)/acknowledgement"
        let answer = try await registry.call(.post, path, token: told.owner)
        #expect(try answer.value(Sighting.self).acknowledged == registry.clock.now)
        let reader = try await registry.newToken(of: told.owner, scope: .read)
        #expect(try await registry.call(.post, path, token: reader).status == 403)
    }
}
