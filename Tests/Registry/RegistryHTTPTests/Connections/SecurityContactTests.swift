import Hummingbird
import RegistryAPI
import RegistryTestSupport
import Testing

@testable import RegistryHTTP

@Suite("security.txt")
struct SecurityContactTests {
    @Test("the file names the contact and an expiry date")
    func served() async throws {
        let contact = SecurityContact(
            contacts: ["mailto:security@registry.example", "https://registry.example/security"],
            policy: "https://registry.example/policy", publicURL: "https://registry.example")
        let registry = try Harness(options: ServerOptions(security: contact))
        let answer = try await registry.call(.get, "/.well-known/security.txt")
        #expect(answer.status == 200 && answer.headers[.contentType] == "text/plain; charset=utf-8")
        let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
        #expect(
            lines.filter { !$0.hasPrefix("Expires") } == [
                "Contact: mailto:security@registry.example", "Contact: https://registry.example/security",
                "Preferred-Languages: en, de", "Canonical: https://registry.example/.well-known/security.txt",
                "Policy: https://registry.example/policy",
            ])
        let expires = try #require(lines.first { $0.hasPrefix("Expires: ") }).dropFirst(9)
        let left = registry.clock.now.duration(to: try #require(Timestamp(expires)))
        #expect(left > .days(80) && left < .days(365))
    }

    @Test("without a contact the file is not found")
    func absent() async throws {
        #expect(SecurityContact(contacts: [], policy: nil, publicURL: nil) == nil)
        let registry = try Harness()
        let answer = try await registry.call(.get, "/.well-known/security.txt")
        #expect(answer.status == 404 && answer.problem == "not-found")
    }
}
