import HTTPTypes
import RegistryAPI
import RegistryRules
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("Before somebody signs up")
struct AboutTests {
    @Test("anyone gets the number of stations, which may be minutes old, and may keep the answer")
    func description() async throws {
        let registry = try Harness()
        let answer = try await registry.call(.get, "/v1/about")
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "public, max-age=600")
        let description: RegistryDescription = try answer.value()
        #expect(description == RegistryDescription(operator: nil, stations: StationAreas(listening: 0, areas: [])))
        var known = HTTPFields()
        known[.ifNoneMatch] = answer.headers[.eTag]
        #expect(try await registry.call(.get, "/v1/about", headers: known).status == 304)
        // A station that joins is not seen at once.
        let station = try await registry.newStation()
        let heartbeat = #"{"version":"1.0.0","adapters":[{"name":"hci0","state":"scanning","silentSeconds":0}]}"#
        let path = "/v1/station/heartbeat"
        #expect(try await registry.call(.put, path, token: station.token, body: heartbeat).status == 204)
        #expect(try await registry.call(.get, "/v1/about", headers: known).status == 304)
    }

    @Test("there is a picture of every sticker's address, given or not, and of no other text")
    func picture() async throws {
        let registry = try Harness()
        var entropy = Entropy.seeded(7)
        let code = StickerCode(using: &entropy).text
        let drawn = try await registry.call(.get, "/v1/stickers/\(code)/picture")
        #expect(drawn.status == 200 && drawn.headers[.contentType] == "image/svg+xml")
        #expect(String(decoding: drawn.body, as: UTF8.self).hasPrefix("<svg xmlns="))
        for text in ["0000-0000-0000", "x", String(repeating: "A", count: 200)] {
            #expect(try await registry.call(.get, "/v1/stickers/\(text)/picture").problem == "not-found")
        }
    }

    @Test(
        "a language that was chosen on a page counts before those of the browser",
        arguments: [
            ("language=de", "de"), ("other=1; language=de", "de"), ("language=la", "en"), ("language=pl", "pl"),
            ("language=", "en"),
        ])
    func language(cookie: String, language: String) async throws {
        let registry = try Harness()
        for path in ["/found", "/check"] {
            let page = try await registry.call(.get, path, headers: [.cookie: cookie, .acceptLanguage: "en"])
            #expect(String(decoding: page.body, as: UTF8.self).contains("<html lang=\"\(language)\">"))
        }
    }

    @Test("a page links to itself in the other languages, and the choice is kept, whatever the request becomes")
    func languageLinks() async throws {
        let registry = try Harness()
        for path in ["/found", "/check", "/followed", "/messages/none"] {
            let page = try await registry.call(.get, path + "?language=pl", headers: [.acceptLanguage: "de"])
            let text = String(decoding: page.body, as: UTF8.self)
            #expect(
                text.contains("<html lang=\"pl\">")
                    && text.contains("<a href=\"?language=fr\" lang=\"fr\">Français</a>"))
            #expect(page.headers[.setCookie] == "language=pl; Path=/; Max-Age=31536000; SameSite=Lax", "\(path)")
            let other = try await registry.call(.get, path + "?language=la", headers: [.acceptLanguage: "de"])
            #expect(String(decoding: other.body, as: UTF8.self).contains("<html lang=\"de\">"))
            #expect(other.headers[.setCookie] == nil)
        }
    }

    @Test("where a bike is left is shown to its owner alone")
    func parking() async throws {
        let registry = try Harness()
        let (owner, other) = (try await registry.newOwner(), try await registry.newOwner())
        let path = "/v1/bikes/\(try await registry.newBike(of: owner).id)"
        let body = #"{"place":{"latitude":51.5,"longitude":-0.12}}"#
        #expect(try await registry.call(.put, path + "/parking", token: other, body: body).problem == "not-found")
        let wrong = #"{"place":{"latitude":91,"longitude":0}}"#
        #expect(
            try await registry.call(.put, path + "/parking", token: owner, body: wrong).pointers == ["/place/latitude"])
        let parked: Bike = try await registry.call(.put, path + "/parking", token: owner, body: body).value()
        #expect(parked.parked?.place == Place(latitude: 51.5, longitude: -0.12))
        #expect(parked.parked?.since == registry.clock.now)
        let free: Bike = try await registry.call(.delete, path + "/parking", token: owner).value()
        #expect(free.parked == nil)
    }
}
