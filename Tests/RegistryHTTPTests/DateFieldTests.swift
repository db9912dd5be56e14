import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("The field Date")
struct DateFieldTests {
    @Test(
        "a time is written as HTTP wants it",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ]
    )
    func text(second: Int, text: String) {
        #expect(DateField.text(at: second) == text)
    }

    @Test("every answer carries the time, an error too", arguments: ["/livez", "/v1/owner", "/made/up"])
    func answers(path: String) async throws {
        try await LiveServer.run(ServerOptions()) { server in
            let result = try await LiveServer.run(
                "/usr/bin/curl",
                [
                    "--silent", "--max-time", "30", "--output", "/dev/null", "--write-out", "%header{date}",
                    "http://127.0.0.1:\(server.port)\(path)",
                ]
            )
            #expect(result.output.hasSuffix(" GMT"))
        }
    }
}
