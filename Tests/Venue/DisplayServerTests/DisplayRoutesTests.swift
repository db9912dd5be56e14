import Foundation
import OperatingSystem
import RegistryAPI
import StationStatus
import Synchronization
import Syntax
import Testing
import WebPages

@testable import DisplayServer
@testable import VenueHTTP

@Suite("Displays in a venue's network")
struct DisplayRoutesTests {
    private static let host = "192.168.1.20:8090"
    private static let guest = NetworkAddress(v4: 0xC0A8_0163)

    private let venue: Venue
    private let register: DisplayRegister
    private let routes: DisplayRoutes

    init() async throws {
        venue = try Venue()
        register = venue.register()
        await register.update(Venue.terms)
        routes = DisplayRoutes(
            register, venue, pages: .ofDisplays, names: ["findmybike.local"], connections: ConnectionLimits(),
            now: { [venue] in venue.now })
    }

    private func get(_ path: String, headers: [String: String] = [:]) async -> ServerResponse {
        let fields = ["host": Self.host].merging(headers) { $1 }
        return await routes.respond(to: ServerRequest(method: "GET", path: path, headers: fields), from: Self.guest)
    }

    private func post(
        _ path: String, _ body: String, headers: [String: String] = [:], from peer: NetworkAddress = guest
    ) async -> ServerResponse {
        let own = ["host": Self.host, "origin": "http://\(Self.host)", "content-type": "application/json"]
        return await routes.respond(
            to: ServerRequest(
                method: "POST", path: path, headers: own.merging(headers) { $1 }, body: Array(body.utf8)), from: peer)
    }

    /// Pairs a screen; its cookie.
    private func pair() async throws -> String {
        let code = try await register.add(name: nil).code
        let paired = await post("/v1/display/pairing", #"{"code":"\#(code)"}"#)
        #expect(paired.status == 201)
        let field = try #require(paired.headers.first { $0.name == "Set-Cookie" }).value
        #expect(field.contains("; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict"))
        return String(field.prefix { $0 != ";" })
    }

    @Test("the page and all its files are served, and nothing else of the registry's pages")
    func files() async throws {
        let page = await get("/display")
        #expect(page.status == 200)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(
            page.headers.contains { $0.name == "Content-Security-Policy" && $0.value.contains("default-src 'none'") })
        let links = text.matches(of: /(?:href|src)="([^"]+)"/).map { String($0.1) }
        // Relative, so that the page also works under another path.
        #expect(links.contains("." + (try #require(WebPages.ofDisplays.address(of: "js/display.js")))))
        for link in links {
            let path = try #require(link.dropping(prefix: "."))
            #expect(await get(String(path)).status == 200, "\(link)")
        }
        for language in AlertLanguage.allCases {
            let texts = try #require(WebPages.ofDisplays.address(of: "js/text/\(language)/display.js"))
            #expect(await get(texts).status == 200)
        }
        let script = try #require(WebPages.built.address(of: "js/app.js"))
        for path in ["/my", "/desk", "/service-worker.js", script, "/../etc/passwd", "/v1/bikes"] {
            #expect(await get(path).status == 404, "\(path)")
        }
        #expect(await get("/").headers.contains { $0.name == "Location" && $0.value == "display" })
        let tag = try #require(page.headers.first { $0.name == "ETag" }).value
        #expect(await get("/display", headers: ["if-none-match": tag]).status == 304)
    }

    @Test("without a valid cookie nothing is shown and no answer is taken")
    func cookies() async throws {
        let cookie = try await pair()
        let answer = "/v1/display/visits/\(Venue.visit)/answer"
        for wrong in [nil, "findmybike-display=", "findmybike-display=x", "other=\(cookie)", "__Host-display=x"] {
            let headers = wrong.map { ["cookie": $0] } ?? [:]
            let shown = await get("/v1/display", headers: headers)
            #expect(shown.status == 401 && !String(decoding: shown.body, as: UTF8.self).contains("Brompton"))
            #expect(await post(answer, #"{"answer":"seen"}"#, headers: headers).status == 401)
        }
        let shown = await get("/v1/display", headers: ["cookie": "a=b; \(cookie)"])
        let view = try JSONDecoder().decode(DisplayView.self, from: Data(shown.body))
        #expect(shown.status == 200 && view.station == "Café Sprocket" && view.contact == "the police on 101")
        #expect(view.bikes.map(\.lookFor.make) == ["Brompton"])
        #expect(await post(answer, #"{"answer":"seen"}"#, headers: ["cookie": cookie]).status == 204)
        #expect(venue.said == [.seen])
        await register.update(nil)
        #expect(await get("/v1/display", headers: ["cookie": cookie]).status == 401)
    }

    @Test("a page of another site can neither read, pair nor answer, also under a name that leads here")
    func otherSites() async throws {
        let cookie = try await pair()
        let answer = "/v1/display/visits/\(Venue.visit)/answer"
        for host in ["evil.example", "evil.example:8090", "192.168.1.20.evil.example", "", "[::1", "999.1.1.1"] {
            let headers = ["host": host, "origin": "http://\(host)", "cookie": cookie]
            #expect(await get("/v1/display", headers: headers).status == 421, "\(host)")
            #expect(await get("/display", headers: headers).status == 421, "\(host)")
            #expect(await post(answer, #"{"answer":"seen"}"#, headers: headers).status == 421, "\(host)")
        }
        let foreign = [
            ["origin": "http://evil.example"], ["origin": "null"], ["origin": "https://\(Self.host)"],
            ["content-type": "text/plain"], ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
            ["sec-fetch-site": "none"],
        ]
        for headers in foreign {
            let all = headers.merging(["cookie": cookie]) { $1 }
            #expect(await post(answer, #"{"answer":"seen"}"#, headers: all).status == 403, "\(headers)")
            #expect(await post("/v1/display/pairing", "{}", headers: all).status == 403, "\(headers)")
        }
        for headers in [["origin": "http://evil.example"], ["sec-fetch-site": "cross-site"]] {
            #expect(await get("/v1/display", headers: headers.merging(["cookie": cookie]) { $1 }).status == 403)
        }
        #expect(venue.said.isEmpty)
        let named = ["host": "FindMyBike.local:8090", "cookie": cookie]
        #expect(await get("/v1/display", headers: named).status == 200)
    }

    @Test("an address can try few codes, and all displays together can give few answers, in an hour")
    func limits() async throws {
        for _ in 1...DisplayRoutes.codes {
            #expect(await post("/v1/display/pairing", #"{"code":"AAAAA-AAAAA"}"#).status == 403)
        }
        let refused = await post("/v1/display/pairing", #"{"code":"AAAAA-AAAAA"}"#)
        #expect(refused.status == 429 && refused.headers.contains { $0.name == "Retry-After" })
        let other = NetworkAddress(v4: 0xC0A8_0164)
        #expect(await post("/v1/display/pairing", #"{"code":"AAAAA-AAAAA"}"#, from: other).status == 403)
        venue.advance(by: .seconds(3600))
        let cookies = [try await pair(), try await pair()]
        let answer = "/v1/display/visits/\(Venue.visit)/answer"
        for number in 1...DisplayRoutes.answers {
            let status = await post(answer, #"{"answer":"seen"}"#, headers: ["cookie": cookies[number % 2]]).status
            #expect(status == 204)
        }
        #expect(await post(answer, #"{"answer":"absent"}"#, headers: ["cookie": cookies[0]]).status == 429)
        // A screen that is paired again gets no new allowance.
        let again = try await pair()
        #expect(await post(answer, #"{"answer":"absent"}"#, headers: ["cookie": again]).status == 429)
        venue.advance(by: .seconds(3600))
        #expect(await post(answer, #"{"answer":"absent"}"#, headers: ["cookie": again]).status == 204)
        for (path, body, status) in [
            (answer, #"{"answer":"perhaps"}"#, 422), (answer, "[", 422),
            ("/v1/display/visits/x/answer", #"{"answer":"seen"}"#, 404),
            ("/v1/display/visits/\(VisitID(high: 9, low: 9))/answer", #"{"answer":"seen"}"#, 404),
            ("/v1/nothing", "{}", 404),
        ] {
            #expect(await post(path, body, headers: ["cookie": again]).status == status, "\(path) \(body)")
        }
    }

    @Test("guests cannot use up the connections of a display, nor of one with a new address")
    func connections() throws {
        let limits = ConnectionLimits()
        let ended = Ended()
        limits.note(NetworkAddress(v4: 1))
        func admit(_ address: UInt32) -> UInt64? {
            limits.admit(NetworkAddress(v4: address)) { ended.addresses.withLock { $0.append(address) } }
        }
        // Two guests take all places.
        for guest in 2...3 as ClosedRange<UInt32> {
            for _ in 0..<20 { _ = admit(guest) }
        }
        #expect(ended.all.isEmpty)
        // A stranger, who may be a display with a new address, gets the place of the one with the most.
        let id = try #require(admit(200))
        #expect(ended.all == [2])
        for _ in 0..<100 {
            for guest in 2...3 as ClosedRange<UInt32> { _ = admit(guest) }
        }
        #expect(ended.all.count > 1 && !ended.all.contains(200))
        limits.release(id)
        for _ in 1...ConnectionLimits.perAddress { #expect(admit(1) != nil) }
        #expect(admit(1) == nil)
    }

    @Test(
        "a guest with any number of addresses of the venue's IPv6 network keeps out neither screens nor other strangers"
    )
    func sharedNetwork() async throws {
        let limits = ConnectionLimits()
        let (screen, moved) = (NetworkAddress(high: 0xFD00, low: 1), NetworkAddress(high: 0xFD00, low: 2))
        func fill() {
            for guest in 100..<300 as Range<UInt64> {
                for _ in 1...2 { _ = limits.admit(NetworkAddress(high: 0xFD00, low: guest)) {} }
            }
        }
        limits.note(screen)
        fill()
        for _ in 1...ConnectionLimits.perAddress { #expect(limits.admit(screen) {} != nil) }
        // Strangers of other networks have places of their own.
        let ended = Ended()
        for address in 1...8 as ClosedRange<UInt32> {
            #expect(
                limits.admit(NetworkAddress(v4: address)) { ended.addresses.withLock { $0.append(address) } } != nil)
        }
        fill()
        #expect(ended.all.isEmpty)
        // A screen with a new address is a stranger until its first request.
        let routes = DisplayRoutes(
            register, venue, pages: .ofDisplays, names: [], connections: limits, now: { [venue] in venue.now })
        let headers = ["host": Self.host, "cookie": try await pair()]
        #expect(limits.admit(moved) { ended.addresses.withLock { $0.append(200) } } != nil)
        let page = ServerRequest(method: "GET", path: "/display", headers: headers)
        #expect(await routes.respond(to: page, from: moved).status == 200)
        fill()
        #expect(ended.all.isEmpty)
    }

    @Test("a guest's wrong codes do not keep others of the same IPv6 network from pairing a screen")
    func codesOfNetwork() async throws {
        let (guest, screen) = (NetworkAddress(high: 0xFD00, low: 1), NetworkAddress(high: 0xFD00, low: 2))
        for _ in 0...DisplayRoutes.codes {
            _ = await post("/v1/display/pairing", #"{"code":"AAAAA-AAAAA"}"#, from: guest)
        }
        #expect(await post("/v1/display/pairing", #"{"code":"AAAAA-AAAAA"}"#, from: guest).status == 429)
        let code = try await register.add(name: nil).code
        #expect(await post("/v1/display/pairing", #"{"code":"\#(code)"}"#, from: screen).status == 201)
    }
}

private final class Ended: Sendable {
    let addresses = Mutex<[UInt32]>([])
    var all: [UInt32] { addresses.withLock(\.self) }
}
