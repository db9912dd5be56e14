import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("The Date header field")
struct DateTests {
    @Test("every response has a Date field, including errors", arguments: ["/livez", "/v1/owner", "/made/up"])
    func answers(path: String) async throws {
        try await LiveServer.run(ServerOptions()) { server in
            let result = try await BuiltProgram(path: "/usr/bin/curl").run(
                [
                    "--silent", "--max-time", "30", "--output", "/dev/null", "--write-out", "%header{date}",
                    "http://127.0.0.1:\(server.port)\(path)",
                ]
            )
            #expect(result.output.hasSuffix(" GMT"))
        }
    }
}
