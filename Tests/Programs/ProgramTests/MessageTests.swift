import Foundation
import TestSupport
import Testing

@Suite("findmybike message and sticker, at a running registry", .timeLimit(.minutes(20)))
struct MessageTests {
    private static func curl(_ arguments: String...) async throws -> String {
        let result = try await BuiltProgram(path: "/usr/bin/curl").run(["--silent", "--fail"] + arguments)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    @Test("an owner makes a sticker, reads what a finder wrote, answers and reports; the operator reads and settles it")
    func life() async throws {
        let folder = try TemporaryFolder()
        let token = try await LiveRegistry.newOperator(in: folder)
        let registry = try await LiveRegistry(
            in: folder, "publicURL: https://registry.example\nlog:\n  level: trace\n")
        let (owner, chief) = (registry.person("owner"), registry.person("operator"))
        try await owner.becomeOwner()
        let made = try await owner.output("sticker", "create", "--sheet", folder.file("stickers.svg"))
        let sheet = try String(contentsOfFile: folder.file("stickers.svg"), encoding: .utf8)
        #expect(sheet.hasPrefix("<svg ") && sheet.contains("registry.example/found"))
        let match = made.firstMatch(of: /https:\/\/registry\.example\/found\/([\w-]{14})\n/)
        let code = String(try #require(match, "\(made)").output.1)
        #expect(try await owner.output("message", "list").contains("Nobody has written"))
        // A finder writes by form.
        let page = try await Self.curl(
            "--include", "--data-urlencode", "code=\(code)", "--data-urlencode", "message=hello\nthere",
            "\(registry.url)/found")
        let secret = String(try #require(page.firstMatch(of: /\/messages\/([\w-]{43})/)).output.1)
        #expect(try await Self.curl("\(registry.url)/messages/\(secret)").contains("hello<br>there"))
        let list = try await owner.output("message", "list")
        #expect(list.contains("waiting") && list.contains("hello there"), "\(list)")
        let status = try await owner.output("status")
        #expect(status.contains("Messages   waiting for an answer: A B (1)"), "\(status)")
        let secretOfDay = try FileManager.default.attributesOfItem(atPath: folder.file("registry.sqlite.day-secret"))
        #expect(secretOfDay[.posixPermissions] as? NSNumber == 0o600)
        _ = try await owner.output("message", "answer", "Thank you")
        let shown = try await owner.output("message", "show")
        #expect(shown.contains("  hello\n  there") && shown.contains("  Thank you"), "\(shown)")
        #expect(try await owner.output("message", "report", "wants money").contains("blocked"))
        #expect(try await owner.output("message", "list").contains("reported"))
        _ = try await owner.output("message", "close")
        _ = try await chief.output("login", registry.url, input: token)
        let seen = try await chief.output("message", "reported")
        #expect(seen.contains("wants money") && seen.contains("Thank you"), "\(seen)")
        let id = try #require(seen.firstMatch(of: #/\n([0-9a-f-]{36}) /#)).output.1
        _ = try await chief.output("message", "settle", String(id.prefix(13)))
        #expect(try await chief.output("message", "reported").contains("No conversation"))
        _ = try await owner.output("sticker", "revoke", "--yes")
        let written = await registry.stop()
        #expect(written.contains("/messages/{secret}") && !written.contains(secret) && !written.contains(code))
    }
}
