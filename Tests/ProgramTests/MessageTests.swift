import Foundation
import RegistryAPI
import TestSupport
import Testing

@Suite("findmybike message and sticker, at a running registry", .timeLimit(.minutes(20)))
struct MessageTests {
    private let program: BuiltProgram
    private let folder: TemporaryFolder

    init() throws {
        program = try BuiltProgram("findmybike")
        folder = try TemporaryFolder()
    }

    private func run(
        _ registry: LiveRegistry, _ arguments: String..., home: String = "home", input: String? = nil
    ) async throws -> BuiltProgram.Result {
        try await program.run(
            arguments, environment: ["HOME": folder.file(home), "FINDMYBIKE_REGISTRY_URL": registry.url], input: input)
    }

    /// Writes as a finder, by form; returns the page, with the header fields before it.
    private func write(_ text: String, to code: String, at registry: LiveRegistry) async throws -> String {
        let form = ["--data-urlencode", "code=\(code)", "--data-urlencode", "message=\(text)"]
        return try await BuiltProgram(path: "/usr/bin/curl")
            .run(["--silent", "--fail", "--include"] + form + ["\(registry.url)/found"]).output
    }

    @Test("an owner makes a sticker, reads what a finder wrote, answers and reports; the operator reads and settles it")
    func life() async throws {
        let database = try folder.write("database: \(folder.file("registry.sqlite"))\n", to: "operator.yaml")
        let token = try await BuiltProgram("findmybike-registry").run(["operator", "create", "--config", database])
        let log = "log:\n  level: trace\n"
        let registry = try await LiveRegistry(in: folder, "publicURL: https://registry.example\n\(log)")
        #expect(try await run(registry, "owner", "create").status == 0)
        let bike = try await run(
            registry, "bike", "register", "--kind", "bicycle", "--make", "A", "--model", "B", "--colour", "red")
        #expect(bike.status == 0, "\(bike.errors)")
        let made = try await run(registry, "sticker", "create", "--sheet", folder.file("stickers.svg"))
        let sheet = try String(contentsOfFile: folder.file("stickers.svg"), encoding: .utf8)
        #expect(sheet.hasPrefix("<svg ") && sheet.contains("registry.example/found"))
        let match = made.output.firstMatch(of: /https:\/\/registry\.example\/found\/([\w-]{14})\n/)
        let code = String(try #require(match, "\(made.output) \(made.errors)").output.1)
        #expect(try await run(registry, "message", "list").output.contains("Nobody has written"))
        let page = try await write("hello\nthere", to: code, at: registry)
        let secret = String(try #require(page.firstMatch(of: /\/messages\/([\w-]{43})/)).output.1)
        let opened = try await BuiltProgram(path: "/usr/bin/curl")
            .run(["--silent", "--fail", "\(registry.url)/messages/\(secret)"])
        #expect(opened.output.contains("hello<br>there"), "\(opened.errors)")
        let list = try await run(registry, "message", "list")
        #expect(list.output.contains("waiting") && list.output.contains("hello there"), "\(list.errors)")
        let status = try await run(registry, "status")
        #expect(status.output.contains("Messages   waiting for an answer: A B (1)"), "\(status.output)")
        let secretOfDay = try FileManager.default.attributesOfItem(
            atPath: folder.file("registry.sqlite.day-secret"))
        #expect(secretOfDay[.posixPermissions] as? NSNumber == 0o600)
        let answer = try await run(registry, "message", "answer", "Thank you")
        #expect(answer.status == 0, "\(answer.errors)")
        let shown = try await run(registry, "message", "show")
        #expect(shown.output.contains("  hello\n  there") && shown.output.contains("  Thank you"), "\(shown.output)")
        let reported = try await run(registry, "message", "report", "wants money")
        #expect(reported.status == 0 && reported.output.contains("blocked"), "\(reported.errors)")
        #expect(try await run(registry, "message", "list").output.contains("reported"))
        #expect(try await run(registry, "message", "close").status == 0)
        let login = try await run(registry, "login", registry.url, home: "operator", input: token.output)
        #expect(login.status == 0, "\(login.errors)")
        let seen = try await run(registry, "message", "reported", home: "operator")
        #expect(seen.output.contains("wants money") && seen.output.contains("Thank you"), "\(seen.errors)")
        let id = try #require(seen.output.firstMatch(of: #/\n([0-9a-f-]{36}) /#)).output.1
        #expect(try await run(registry, "message", "settle", String(id.prefix(13)), home: "operator").status == 0)
        #expect(try await run(registry, "message", "reported", home: "operator").output.contains("No conversation"))
        let revoked = try await run(registry, "sticker", "revoke", "--yes")
        #expect(revoked.status == 0, "\(revoked.errors)")
        let written = await registry.stop()
        #expect(written.contains("/messages/{secret}") && !written.contains(secret) && !written.contains(code))
    }
}
