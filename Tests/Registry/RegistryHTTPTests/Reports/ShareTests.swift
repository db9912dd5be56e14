import Foundation
import HTTPTypes
import Operations
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Links to a search")
struct ShareTests {
    private static let police = ShareDraft(label: "Police")

    private let registry: Harness
    private let owner: String
    /// Of the owner's bike, which the station heard.
    private let report: MissingReport
    private let station: StationEnrolled

    init() async throws {
        let library = PhotoLibrary(pictures: MemoryPhotoStore(), converter: SampleConverter())
        registry = try Harness(photos: library)
        owner = try await registry.newOwner()
        let bike = try await registry.newBike(of: owner)
        report = try await registry.newReport(on: bike.id, of: owner)
        station = try await registry.newStation()
        _ = try await registry.report([Samples.visit(from: registry.clock.now)], as: station.token)
    }

    private static func path(_ report: MissingReport) -> String { "/v1/bikes/\(report.bike)/shares" }

    private func share(
        _ report: MissingReport, by token: String, _ draft: ShareDraft = Self.police,
        key: String? = nil
    ) async throws -> ShareCreated {
        let answer = try await registry.post(Self.path(report), token: token, draft, key: key)
        #expect(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
        return try answer.value()
    }

    @Test("the link’s secret is shown once, in the fragment; the list has no secret and counts views")
    func life() async throws {
        let answer = try await registry.post(Self.path(report), token: owner, Self.police)
        let made: ShareCreated = try answer.value()
        #expect(answer.headers[.location] == "\(Self.path(report))/\(made.details.id)")
        #expect(made.link == "https://registry.example/share#\(made.secret)")
        #expect(made.secret.hasPrefix("fmb_share_") && made.details.report == report.id)
        #expect(made.details.ends == registry.clock.now.advanced(by: ShareRules.usual))
        for _ in 1...3 { _ = try await registry.call(.get, "/v1/share", token: made.secret) }
        _ = try await registry.call(.get, "/v1/share/sightings", token: made.secret)
        let list = try await registry.call(.get, Self.path(report), token: owner)
        #expect(!String(decoding: list.body, as: UTF8.self).contains("fmb_share_"))
        let share = try #require(try list.value(Page<Share>.self).items.first)
        #expect(share.views == 3 && share.lastViewed == registry.clock.now && share.label == "Police")
        let revoked = try await registry.call(.delete, "\(Self.path(report))/\(share.id)", token: owner)
        #expect(revoked.status == 204)
        #expect(try await registry.call(.get, "/v1/share", token: made.secret).problem == "share-unknown")
        #expect(try await registry.call(.get, Self.path(report), token: owner).value(Page<Share>.self).items == [])
    }

    @Test("a link lasts 1 hour to 30 days, and needs a search that is running")
    func rules() async throws {
        let now = registry.clock.now
        for (wish, status) in [(3600, 201), (30 * 86_400, 201), (60, 422), (31 * 86_400, 422), (-60, 422)] {
            let draft = ShareDraft(ends: now.advanced(by: .seconds(wish)))
            #expect(try await registry.post(Self.path(report), token: owner, draft).status == status, "\(wish)")
        }
        let first = try await share(report, by: owner, key: "k")
        let second = try await share(report, by: owner, key: "k")
        #expect(first.details.id == second.details.id && first.secret != second.secret)
        #expect(try await registry.call(.get, "/v1/share", token: first.secret).problem == "share-unknown")
        #expect(try await registry.call(.get, "/v1/share", token: second.secret).status == 200)
        let again = try await registry.post(Self.path(report), token: owner, Self.police, key: "k")
        #expect(again.status == 409 && again.problem == "share-in-use")
        let other = try await registry.newBike(of: owner, Samples.identity(2))
        let early = try await registry.post("/v1/bikes/\(other.id)/shares", token: owner, Self.police)
        #expect(early.status == 409 && early.problem == "bike-not-missing")
    }

    @Test("who has the link learns what to look for and where it was heard, and nothing about the owner")
    func fields() async throws {
        let patch = #"{"serial":"SN-1","vin":"VIN-1","plate":"PL-1","notes":"key under the mat"}"#
        let tag = try await registry.tag("/v1/bikes/\(report.bike)", token: owner)
        let path = "/v1/bikes/\(report.bike)"
        #expect(try await registry.call(.patch, path, token: owner, body: patch, headers: tag).status == 200)
        let made = try await share(report, by: owner)
        let search = try await registry.call(.get, "/v1/share", token: made.secret)
        let trail = try await registry.call(.get, "/v1/share/sightings", token: made.secret)
        #expect(search.headers[.cacheControl] == "no-store" && trail.headers[.cacheControl] == "no-store")
        let shown: SharedSearch = try search.value()
        #expect(shown.bike.model == "C Line" && shown.missingSince == report.missingSince && shown.closed == nil)
        let item =
            try #require(
                try JSONSerialization.jsonObject(with: trail.body) as? [String: Any])["items"] as? [[String: Any]]
        #expect(
            Set(try #require(item?.first).keys) == [
                "id", "station", "place", "firstSeen", "lastSeen", "ended", "timeUncertain", "late", "level",
                "dismissed",
            ])
        let text = String(decoding: search.body + trail.body, as: UTF8.self)
        let account: Owner = try await registry.call(.get, "/v1/owner", token: owner).value()
        for secret in [
            "\(account.id)", "\(report.id)", "\(report.bike)", "\(station.station.id)", "SN-1", "VIN-1", "PL-1",
            "the mat", "CRIME-7", "Police", "minor", "494e5445",
        ] {
            #expect(!text.lowercased().contains(secret.lowercased()), "\(secret)")
        }
    }

    @Test("after the search the link says how it ended, and shows no place; in the end it says that it has ended")
    func over() async throws {
        let made = try await share(report, by: owner)
        let path = "/v1/bikes/\(report.bike)/reports/\(report.id)/closure"
        #expect(try await registry.call(.post, path, token: owner, body: #"{"outcome":"recovered"}"#).status == 200)
        let search: SharedSearch = try await registry.call(.get, "/v1/share", token: made.secret).value()
        #expect(search.closed == registry.clock.now && search.outcome == .recovered)
        for path in ["/v1/share/sightings", "/v1/share/photos/\(report.id)"] {
            for accept in ["application/json", "text/event-stream"]
            where path.hasSuffix("s") || accept.hasSuffix("n") {
                let answer = try await registry.call(.get, path, token: made.secret, headers: [.accept: accept])
                #expect(answer.status == 410 && answer.problem == "search-over", "\(path)")
            }
        }
        registry.clock.advance(by: ShareRules.usual)
        for path in ["/v1/share", "/v1/share/sightings", "/v1/share/photos/\(report.id)"] {
            let answer = try await registry.call(.get, path, token: made.secret)
            #expect(answer.status == 410 && answer.problem == "share-ended", "\(path)")
        }
    }

    @Test("photos are shown to who has the link, for the bike of the search only")
    func photos() async throws {
        let file = JPEGSample(64, 48).bytes
        let other = try await registry.newBike(of: owner, Samples.identity(2))
        var photos: [Photo] = []
        for bike in [report.bike, other.id] {
            photos.append(try await registry.addPhoto(file, to: "/v1/bikes/\(bike)/photos", token: owner).value())
        }
        let made = try await share(report, by: owner)
        let search: SharedSearch = try await registry.call(.get, "/v1/share", token: made.secret).value()
        #expect(search.photos.map(\.id) == [photos[0].id])
        let shown = try await registry.call(.get, "/v1/share/photos/\(photos[0].id)?size=small", token: made.secret)
        #expect(shown.status == 200 && shown.headers[.contentType] == "image/jpeg")
        #expect(shown.headers[.cacheControl] == "no-store")
        for path in ["/v1/share/photos/\(photos[1].id)", "/v1/share/photos/x"] {
            #expect(try await registry.call(.get, path, token: made.secret).status == 404)
        }
    }

    @Test("a share’s secret is refused by every other call, and the calls for shares refuse every other secret")
    func onlyItsOwnCalls() async throws {
        let made = try await share(report, by: owner)
        var count = 0
        for call in registry.calls() {
            let path = call.path.replacing(":bike", with: "\(report.bike)")
                .replacing(":report", with: "\(report.id)").replacing(":share", with: "\(made.details.id)")
                .split(separator: "/").map { $0.hasPrefix(":") ? "/\(report.id)" : "/\($0)" }.joined()
            let body = [.get, .delete].contains(call.method) ? nil : "{}"
            let name = "\(call.method) \(path)"
            if call.access == .share {
                count += 1
                #expect(call.method == .get || call.path == "/v1/share/messages")
                for token in [owner, try await registry.newOperator(), station.token, "x", nil] {
                    let answer = try await registry.call(call.method, path, token: token, body: body)
                    #expect(answer.status == 401 && answer.problem == "share-unknown", "\(name)")
                    #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
                }
            } else if call.access != .anyone, call.access != .display {
                let answer = try await registry.call(call.method, path, token: made.secret, body: body)
                if call.access == .ownerOrShare {
                    #expect(answer.status == 404 && call.path.hasPrefix("/tiles/"), "\(name)")
                } else {
                    #expect(answer.status == 401 && answer.problem == "unauthenticated", "\(name)")
                }
                // Nor in the cookie of a session.
                let cookie: HTTPFields = [.cookie: "__Host-session=\(made.secret)"]
                #expect(try await registry.call(call.method, path, body: body, headers: cookie).status == 401)
            }
        }
        #expect(count == 4)
        // Calls for anyone give it no rights either.
        let signIn = try await Browser(registry).post("/v1/sessions", SignIn(token: made.secret))
        #expect(signIn.status == 403 && signIn.problem == "token-unusable")
        #expect(try await registry.call(.get, "/v1/share", token: made.secret).status == 200)
    }

    @Test("a session must be confirmed to make a link, and the link ends with the session; revoking needs less")
    func sessions() async throws {
        let registry = try Harness()
        let browser = Browser(registry)
        let signedUp = try await browser.signUp()
        let cookie = signedUp.cookie
        let owner: SignedUp = try signedUp.value()
        let made = try await browser.post("/v1/bikes", Samples.bike, cookie: cookie)
        let bike: Bike = try made.value()
        let report = try await browser.post("/v1/bikes/\(bike.id)/reports", MissingReportDraft(), cookie: cookie)
        #expect(report.status == 201)
        let path = "/v1/bikes/\(bike.id)/shares"
        let one: ShareCreated = try await browser.post(path, Self.police, cookie: cookie).value()
        let two: ShareCreated = try await browser.post(path, Self.police, cookie: cookie).value()
        registry.clock.advance(by: SessionState.confirmation)
        let late = try await browser.post(path, Self.police, cookie: cookie)
        #expect(late.status == 403 && late.problem == "confirmation-needed")
        let revoked = try await browser.call(.delete, "\(path)/\(one.details.id)", cookie: cookie)
        #expect(revoked.status == 204)
        #expect(try await registry.call(.get, "/v1/share", token: two.secret).status == 200)
        let other = try await browser.post("/v1/sessions", SignIn(recoveryCode: owner.recoveryCodes[0]))
        let ended = try await browser.call(.delete, "/v1/sessions/\(owner.session.id)", cookie: other.cookie)
        #expect(ended.status == 204)
        #expect(try await registry.call(.get, "/v1/share", token: two.secret).problem == "share-unknown")
    }

    @Test("without a public URL no link can be made")
    func unavailable() async throws {
        let problem = DomainError.linksUnavailable.problem
        #expect(problem.details.status == 409 && problem.details.detail.contains("publicURL"))
    }
}
