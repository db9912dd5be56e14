import OperatingSystem
import RegistryAPI
import StationStatus
import Testing
import VenueHTTP
import WebPages

@testable import DisplayServer

@Suite("Displays behind Home Assistant's ingress")
struct DisplayGatewayTests {
    private static let ingress = NetworkAddress(v4: 0xAC1E_2002)
    private static let headers = ["host": "homeassistant.local:8123", "x-ingress-path": "/api/hassio_ingress/x"]

    private let venue: Venue
    private let register: DisplayRegister
    private let routes: DisplayRoutes

    init() throws {
        venue = try Venue()
        register = venue.register()
        var topic = StatusTopic("radio <b>", ["it's & fine", "deaf"])
        topic.problems = [1]
        let gateway = DisplayGateway(Self.ingress) { [topic] in [topic] }
        routes = DisplayRoutes(
            register, venue, pages: .ofDisplays, names: [], gateway: gateway, connections: ConnectionLimits(),
            now: { [venue] in venue.now })
    }

    private func ask(
        _ path: String, method: String = "GET", headers: [String: String] = [:], body: String = ""
    ) async -> ServerResponse {
        await routes.respond(
            to: ServerRequest(
                method: method, path: path, headers: Self.headers.merging(headers) { $1 }, body: Array(body.utf8)),
            from: Self.ingress)
    }

    @Test("nobody else may connect")
    func others() {
        #expect(routes.admits(Self.ingress))
        #expect(!routes.admits(NetworkAddress(v4: 0xAC1E_2001)))
    }

    @Test("bikes are shown and answers taken without a code, if the registry allows displays")
    func shown() async throws {
        #expect(await ask("/").headers.contains { $0.name == "Location" && $0.value == "status" })
        #expect(await ask("/v1/display").status == 401)
        await register.update(Venue.terms)
        #expect(await ask("/").headers.contains { $0.name == "Location" && $0.value == "display" })
        let shown = await ask("/v1/display")
        #expect(shown.status == 200 && String(decoding: shown.body, as: UTF8.self).contains("Brompton"))
        #expect(!shown.headers.contains { $0.name == "Set-Cookie" })
        let json = ["origin": "https://homeassistant.example", "content-type": "application/json"]
        let path = "/v1/display/visits/\(Venue.visit)/answer"
        #expect(await ask(path, method: "POST", headers: json, body: #"{"answer":"seen"}"#).status == 204)
        #expect(venue.said == [.seen])
    }

    @Test("forms and other sites give no answers, and no screen is paired")
    func otherSites() async throws {
        await register.update(Venue.terms)
        let path = "/v1/display/visits/\(Venue.visit)/answer"
        let answer = #"{"answer":"seen"}"#
        #expect(await ask(path, method: "POST", headers: ["content-type": "text/plain"], body: answer).status == 403)
        let foreign = ["content-type": "application/json", "sec-fetch-site": "cross-site"]
        #expect(await ask(path, method: "POST", headers: foreign, body: answer).status == 403)
        let json = ["content-type": "application/json"]
        #expect(await ask("/v1/display/pairing", method: "POST", headers: json, body: #"{"code":"x"}"#).status == 404)
        #expect(venue.said.isEmpty)
    }

    @Test("the status is text, and only the house's own page may frame it")
    func status() async throws {
        let page = await ask("/status")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("<dt>radio &lt;b&gt;</dt><dd>it's &amp; fine<br>"))
        #expect(text.contains("<strong class=\"bad\">deaf</strong></dd>"))
        #expect(!text.contains("hassio_ingress"))
        let policy = page.headers.first { $0.name == "Content-Security-Policy" }?.value
        #expect(policy?.contains("frame-ancestors 'self'") == true)
    }

    @Test(
        "the status is in the first of the browser's languages that there are texts in, and leads to a display that is allowed",
        arguments: [
            ("de-AT,de;q=0.9", "Die Station empfängt, aber etwas stimmt nicht.", "Anzeige"),
            ("la,de", "Die Station empfängt, aber etwas stimmt nicht.", "Anzeige"),
            ("la", "The station is listening, but something is wrong.", "Display"),
        ])
    func languages(accepted: String, sentence: String, link: String) async throws {
        let before = await ask("/status", headers: ["accept-language": accepted])
        #expect(String(decoding: before.body, as: UTF8.self).contains(sentence))
        #expect(!String(decoding: before.body, as: UTF8.self).contains("href=\"display\""))
        await register.update(Venue.terms)
        let after = await ask("/status", headers: ["accept-language": accepted])
        #expect(String(decoding: after.body, as: UTF8.self).contains("<a href=\"display\">\(link)</a>"))
    }
}
