import Foundation
import RegistryAPI
import StationStatus
import Testing

@testable import DisplayServer

@Suite("The displays of a monitor")
struct DisplayRegisterTests {
    private let venue: Venue

    init() throws { venue = try Venue() }

    private func paired(_ register: DisplayRegister, _ name: String = "Counter") async throws -> String {
        let code = try await register.add(name: name)
        return try #require(await register.pair(code.code, attempt: nil, former: nil))
    }

    @Test("a code connects one screen, which stays connected through a restart; the file has no secret")
    func pairing() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        let code = try await register.add(name: "Counter")
        #expect(code.link == "http://192.168.1.20:8090/display#\(code.code)")
        #expect(code.code.wholeMatch(of: /[0-9A-Z]{5}-[0-9A-Z]{5}/) != nil)
        let secret = try #require(
            await register.pair(code.code.lowercased().replacing("-", with: " "), attempt: nil, former: nil))
        #expect(await register.pair(code.code, attempt: nil, former: nil) == nil)
        #expect(await register.open(secret) == Venue.terms)
        let kept = try String(contentsOfFile: venue.file, encoding: .utf8)
        #expect(!kept.contains(secret) && !kept.contains(code.code) && kept.contains("Counter"))
        let mode = try FileManager.default.attributesOfItem(atPath: venue.file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let next = venue.register()
        #expect(await next.open(secret) == Venue.terms)
        #expect(await next.open("x") == nil)
        #expect(await next.open(nil) == nil)
        let display = try #require(await next.displays().first)
        #expect(try await next.revoke(display.id))
        #expect(try await next.revoke(display.id) == false)
        #expect(await next.open(secret) == nil)
        #expect(await venue.register().open(secret) == nil)
    }

    @Test("a display that is revoked while nothing can be stored has ended, and the venue learns that it may come back")
    func unsaved() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        let secret = try await paired(register)
        #expect(await register.open(secret) == Venue.terms)
        let display = try #require(await register.displays().first)
        // Nothing can be written.
        let obstacle = venue.file + ".new"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        for _ in 1...2 {
            await #expect(throws: DisplayRefusal.notSaved) { try await register.revoke(display.id) }
            #expect(await register.open(secret) == nil)
        }
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try await register.revoke(display.id))
        #expect(await venue.register().open(secret) == nil)
    }

    @Test("a code that was used is not repeated without an identifier, nor after the screen has used its secret")
    func emptyIdentifier() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        var code = try await register.add(name: "One").code
        #expect(await register.pair(code, attempt: "", former: nil) != nil)
        #expect(await register.pair(code, attempt: "", former: nil) == nil)
        code = try await register.add(name: "Two").code
        let first = try #require(await register.pair(code, attempt: "x", former: nil))
        let second = try #require(await register.pair(code, attempt: "x", former: nil))
        #expect(await register.open(first) == nil)
        #expect(await register.open(second) == Venue.terms)
        #expect(await register.pair(code, attempt: "x", former: nil) == nil)
        await register.note("no such address")
        await #expect(throws: DisplayRefusal.notServed("no such address")) { try await register.add(name: nil) }
    }

    @Test("without the registry's permission nothing is shown and no code is made; with it, screens work again")
    func permission() async throws {
        let register = venue.register()
        await #expect(throws: DisplayRefusal.notAllowed) { try await register.add(name: nil) }
        await register.update(Venue.terms)
        let secret = try await paired(register)
        let code = try await register.add(name: nil)
        await register.update(nil)
        #expect(await register.open(secret) == nil)
        #expect(await register.pair(code.code, attempt: nil, former: nil) == nil)
        #expect(await venue.register().open(secret) == nil)
        await register.update(Venue.terms)
        #expect(await register.open(secret) == Venue.terms)
        #expect(await register.pair(code.code, attempt: nil, former: nil) == nil)
    }

    @Test("a code ends after 15 minutes, and with the next code")
    func codes() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        let first = try await register.add(name: nil)
        let second = try await register.add(name: nil)
        #expect(await register.pair(first.code, attempt: nil, former: nil) == nil)
        venue.advance(by: .seconds(900))
        #expect(await register.pair(second.code, attempt: nil, former: nil) == nil)
    }

    @Test("a pairing whose response was lost can be repeated until the display is used, by the same screen only")
    func repetition() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        let code = try await register.add(name: nil).code
        let lost = try #require(await register.pair(code, attempt: "one", former: nil))
        #expect(await register.pair(code, attempt: "two", former: nil) == nil)
        let secret = try #require(await register.pair(code, attempt: "one", former: nil))
        #expect(await register.open(lost) == nil)
        #expect(await register.open(secret) != nil)
        #expect(await register.pair(code, attempt: "one", former: nil) == nil)
        #expect(await register.displays().count == 1)
    }

    @Test("there are at most five, a screen that is paired again counts once, and an unused one ends after a year")
    func bounds() async throws {
        let register = venue.register()
        await register.update(Venue.terms)
        var last = ""
        for _ in 1...5 { last = try await paired(register) }
        await #expect(throws: DisplayRefusal.full) { try await register.add(name: nil) }
        #expect(try await register.revoke(try #require(await register.displays().first).id))
        let code = try await register.add(name: nil).code
        #expect(await register.pair(code, attempt: nil, former: last) != nil)
        #expect(await register.open(last) == nil)
        #expect(await register.displays().count == 4)
        venue.advance(by: DisplayRules.lifetime)
        #expect(await venue.register(isCertain: false).displays().count == 4)
        #expect(await register.displays().isEmpty)
        for name in ["", String(repeating: "x", count: 65), "a\u{1B}[2J"] {
            await #expect(throws: DisplayRefusal.invalidName) { try await register.add(name: name) }
        }
    }

    @Test("a damaged file counts as empty")
    func damage() async throws {
        try Data("{\"displays\": 7".utf8).write(to: URL(filePath: venue.file))
        let register = venue.register()
        #expect(await register.displays().isEmpty)
        await register.update(Venue.terms)
        _ = try await paired(register)
        #expect(await venue.register().displays().count == 1)
    }
}
