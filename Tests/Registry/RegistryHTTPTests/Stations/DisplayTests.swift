import Beacons
import Foundation
import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistrySQL
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Displays at venues")
struct DisplayTests {
    /// A registry with a missing bike that a station hears, and a screen that is a display of the station.
    private struct Venue: Sendable {
        let registry: Harness
        let browser: Browser
        let owner: String
        let report: MissingReport
        let station: StationEnrolled
        /// The screen's cookie.
        let cookie: String

        init(options: ServerOptions = ServerOptions()) async throws {
            registry = try Harness(options: options)
            owner = try await registry.newOwner()
            let bike = try await registry.newBike(of: owner)
            report = try await registry.newReport(on: bike.id, of: owner)
            station = try await registry.newStation()
            _ = try await registry.report([Samples.visit(from: registry.clock.now, lasting: .zero)], as: station.token)
            browser = Browser(registry)
            let code: DisplayCode = try await registry.post(
                "/v1/station/displays", token: station.token, DisplayDraft(name: "Counter")
            ).value()
            let paired = try await browser.post("/v1/display/pairing", DisplayPairing(code: code.code))
            #expect(paired.status == 201, "\(String(decoding: paired.body, as: UTF8.self))")
            cookie = try #require(paired.cookie)
        }

        func answer(_ answer: String, to visit: VisitID, headers: HTTPFields = [:]) async throws -> Answer {
            try await browser.call(
                .post, "/v1/display/visits/\(visit)/answer", cookie: cookie, body: #"{"answer":"\#(answer)"}"#,
                headers: headers)
        }

        func view() async throws -> DisplayView {
            try await browser.call(.get, "/v1/display", cookie: cookie).value()
        }
    }

    @Test("the operator’s code pairs a screen by a cookie that pages cannot read; it is listed and revoked")
    func pairing() async throws {
        let venue = try await Venue()
        let (registry, token) = (venue.registry, try await venue.registry.newOperator())
        let path = "/v1/stations/\(venue.station.station.id)/displays"
        let made = try await registry.post(path, token: token, DisplayDraft())
        let code: DisplayCode = try made.value()
        #expect(made.status == 201 && code.link == "https://registry.example/display#\(code.code)")
        #expect(code.code.wholeMatch(of: /[0-9A-Z]{5}-[0-9A-Z]{5}/) != nil)
        #expect(code.expires == registry.clock.now.advanced(by: DisplayRules.codeLifetime))
        let paired = try await venue.browser.post(
            "/v1/display/pairing", DisplayPairing(code: code.code.lowercased().replacing("-", with: " ")))
        let field = try #require(paired.headers[.setCookie])
        #expect(field.hasPrefix("__Host-display=fmb_display_") && field.contains("; Max-Age=31536000; Path=/;"))
        for attribute in ["Secure", "HttpOnly", "SameSite=Strict"] { #expect(field.contains(attribute)) }
        let list = try await registry.call(.get, path, token: token)
        #expect(!String(decoding: list.body, as: UTF8.self).contains("fmb_"))
        let displays = try list.value(Page<VenueDisplay>.self).items
        #expect(displays.map(\.name) == ["Counter", "Display"])
        let own = try await registry.call(.get, "/v1/station/displays", token: venue.station.token)
        #expect(try own.value(Page<VenueDisplay>.self).items == displays)
        #expect(try await registry.call(.delete, "\(path)/\(displays[1].id)", token: token).status == 204)
        let ended = try await venue.browser.call(.get, "/v1/display", cookie: paired.cookie)
        #expect(ended.status == 401 && ended.problem == "display-unpaired")
        let path2 = "/v1/station/displays/\(displays[0].id)"
        #expect(try await registry.call(.delete, path2, token: venue.station.token).status == 204)
        #expect(try await venue.browser.call(.get, "/v1/display", cookie: venue.cookie).status == 401)
        #expect(try await registry.call(.delete, path2, token: venue.station.token).status == 404)
    }

    @Test("a display shows what to look for, since when and the station’s health, and nothing about the owner")
    func fields() async throws {
        let venue = try await Venue()
        let heartbeat = StationHeartbeat(
            version: "1.0.0", adapters: [.init(name: "hci0", state: "scanning", silentSeconds: 0)], listVersion: 1)
        _ = try await venue.registry.call(
            .put, "/v1/station/heartbeat", token: venue.station.token,
            body: String(decoding: try JSONEncoder().encode(heartbeat), as: UTF8.self))
        let response = try await venue.browser.call(.get, "/v1/display", cookie: venue.cookie)
        #expect(response.status == 200 && response.headers[.cacheControl] == "no-store")
        let view: DisplayView = try response.value()
        #expect(view.station == "Café" && view.time == venue.registry.clock.now && view.more == 0)
        #expect(view.health == StationHealth(state: .listening, contact: venue.registry.clock.now))
        #expect(view.bikes.map(\.lookFor.model) == ["C Line"] && view.bikes[0].since == view.time)
        let text = String(decoding: response.body, as: UTF8.self).lowercased()
        let account: Owner = try await venue.registry.call(.get, "/v1/owner", token: venue.owner).value()
        for secret in [
            "\(account.id)", "\(venue.report.id)", "\(venue.report.bike)", "\(venue.station.station.id)", "minor",
            "494e5445", "crime-7", "place", "latitude", "photo",
        ] {
            #expect(!text.contains(secret.lowercased()), "\(secret)")
        }
    }

    @Test("an answer reaches the owner, can be changed, and is refused in words if the bike is not shown")
    func answers() async throws {
        let venue = try await Venue()
        let visit = try #require(try await venue.view().bikes.first).visit
        #expect(try await venue.answer("seen", to: visit).status == 204)
        var sighting = try #require(try await venue.registry.sightings(of: venue.report, by: venue.owner).first)
        #expect(sighting.confirmation?.answer == .seen && sighting.reasons == [.seenAtVenue])
        #expect(try await venue.view().bikes.first?.answer == sighting.confirmation)
        #expect(try await venue.answer("absent", to: visit).status == 204)
        sighting = try #require(try await venue.registry.sightings(of: venue.report, by: venue.owner).first)
        #expect(sighting.confirmation?.answer == .absent)
        let unknown = try await venue.answer("seen", to: VisitID(high: 9, low: 9))
        #expect(unknown.status == 404 && unknown.problem == "not-found")
        let wrong = try await venue.answer("perhaps", to: visit)
        #expect(wrong.status == 422 && wrong.pointers == ["/answer"])
    }

    @Test("another site can neither pair a screen nor answer nor read at it")
    func otherSites() async throws {
        let venue = try await Venue()
        let visit = try #require(try await venue.view().bikes.first).visit
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        for value in ["cross-site", "same-site", "none", nil] {
            var headers: HTTPFields = [.cookie: venue.cookie, .origin: "https://evil.example"]
            headers[site] = value
            let answer = try await venue.registry.call(
                .post, "/v1/display/visits/\(visit)/answer", body: #"{"answer":"seen"}"#, headers: headers)
            #expect(answer.status == 403 && answer.problem == "cross-site", "\(value ?? "-")")
            let paired = try await venue.registry.call(
                .post, "/v1/display/pairing", body: #"{"code":"A"}"#, headers: headers)
            #expect(paired.status == 403 && paired.problem == "cross-site", "\(value ?? "-")")
            let read = try await venue.registry.call(.get, "/v1/display", headers: headers)
            #expect(read.status == (value == nil || value == "none" ? 200 : 403))
        }
        let form = try await venue.answer("seen", to: visit, headers: [.contentType: "text/plain"])
        #expect(form.status == 415)
        #expect(try await venue.view().bikes.first?.answer == nil)
    }

    @Test("a display’s secret is refused by every other call, and the calls for displays refuse every other secret")
    func onlyItsOwnCalls() async throws {
        let venue = try await Venue()
        let secret = try #require(venue.cookie.split(separator: "=").last.map(String.init))
        var count = 0
        for call in venue.registry.calls() {
            let path = call.path.split(separator: "/")
                .map { $0.hasPrefix(":") ? "/\(venue.report.id)" : "/\($0)" }.joined()
            let body = [.get, .delete].contains(call.method) ? nil : "{}"
            if call.access == .display {
                count += 1
                let tokens = [
                    secret, venue.owner, try await venue.registry.newOperator(), venue.station.token, nil,
                ]
                for token in tokens {
                    let answer = try await venue.registry.call(call.method, path, token: token, body: body)
                    #expect(answer.status == 401 && answer.problem == "display-unpaired", "\(path)")
                }
            } else if call.access != .anyone {
                let answer = try await venue.registry.call(call.method, path, token: secret, body: body)
                #expect(answer.status == 401, "\(path)")
                let cookie: HTTPFields = [.cookie: "__Host-session=\(secret); \(venue.cookie)"]
                #expect(try await venue.registry.call(call.method, path, body: body, headers: cookie).status == 401)
            }
        }
        #expect(count == 2)
        let signIn = try await venue.browser.post("/v1/sessions", SignIn(token: secret))
        #expect(signIn.status == 403 && signIn.problem == "token-unusable")
    }

    @Test(
        "a station is told whether it may serve displays itself, only if the operator allows it",
        arguments: [true, false])
    func ownDisplays(isAllowed: Bool) async throws {
        let registry = try Harness(allowsOwnDisplays: isAllowed)
        let station = try await registry.newStation()
        let answer = try await registry.call(
            .put, "/v1/station/heartbeat", token: station.token, body: #"{"version":"1","adapters":[]}"#)
        guard isAllowed else {
            #expect(answer.status == 204)
            return
        }
        let terms = DisplayTerms(station: "Café", contact: "the police on 101")
        #expect(try answer.value(CoverageReceipt.self) == CoverageReceipt(stored: 0, ignored: 0, displays: terms))
    }

    @Test("a use is recorded once an hour, and prolongs the cookie")
    func uses() async throws {
        let venue = try await Venue()
        func cookie() async throws -> String? {
            try await venue.browser.call(.get, "/v1/display", cookie: venue.cookie).headers[.setCookie]
        }
        #expect(try await cookie()?.hasPrefix(venue.cookie) == true)
        #expect(try await cookie() == nil)
        venue.registry.clock.advance(by: .seconds(3600))
        #expect(try await cookie()?.hasPrefix(venue.cookie) == true)
        let list = try await venue.registry.call(.get, "/v1/station/displays", token: venue.station.token)
        let display = try #require(try list.value(Page<VenueDisplay>.self).items.first)
        #expect(display.lastUsed == venue.registry.clock.now)
        #expect(display.expires == venue.registry.clock.now.advanced(by: DisplayRules.lifetime))
        venue.registry.clock.advance(by: DisplayRules.lifetime)
        #expect(try await venue.browser.call(.get, "/v1/display", cookie: venue.cookie).status == 401)
    }

    @Test("the displays of a station can give few answers an hour, also after a screen is paired again")
    func limits() async throws {
        var limits = RateLimits()
        limits[.answers] = .rate(RequestRate(3, per: .seconds(3600)))
        limits[.codes] = .rate(RequestRate(4, per: .seconds(3600)))
        let venue = try await Venue(options: ServerOptions(limits: limits))
        let visit = try #require(try await venue.view().bikes.first).visit
        for answer in ["seen", "absent", "seen"] {
            #expect(try await venue.answer(answer, to: visit).status == 204)
        }
        let refused = try await venue.answer("absent", to: visit)
        #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
        #expect(try await venue.view().bikes.first?.answer?.answer == .seen)
        let code: DisplayCode = try await venue.registry.post(
            "/v1/station/displays", token: venue.station.token, DisplayDraft()
        ).value()
        let again = try #require(
            try await venue.browser.call(
                .post, "/v1/display/pairing", cookie: venue.cookie, body: #"{"code":"\#(code.code)"}"#
            ).cookie)
        let answer = try await venue.browser.call(
            .post, "/v1/display/visits/\(visit)/answer", cookie: again, body: #"{"answer":"absent"}"#)
        #expect(answer.status == 429)
    }
}
