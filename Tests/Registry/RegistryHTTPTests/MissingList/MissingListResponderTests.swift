import HTTPClient
import MissingList
import Operations
import RegistryAPI
import RegistryClient
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryHTTP

@Suite("Requests that wait", .timeLimit(.minutes(20)))
struct MissingListResponderTests {
    private func newStation(_ server: LiveServer) async throws -> String {
        let draft = InvitationDraft(name: "Café", place: Samples.place)
        let operatorID = Principal.operator(OperatorID(high: 1, low: 1))
        let code = try await server.operations.invite(draft, by: operatorID, once: nil).code
        return try await server.operations.enrol(EnrolmentRequest(code: code), attempt: nil).token
    }

    @Test("a wait counts as one request in the metrics, and a pipelined request is served after it")
    func oneRequest() async throws {
        let options = ServerOptions()
        try await LiveServer.run(options) { server in
            let token = try await newStation(server)
            let client = Task { try await server.meet("waiting", [token]) as [Int] }
            let route = #"method="GET",route="/v1/missing""#
            func isWaiting(_ text: String) -> Bool {
                text.contains(#"requests_total{\#(route),status="200"} 1"#)
                    && text.contains(#"in_progress{\#(route)} 1"#)
            }
            try await eventually("its request waits", by: client) { isWaiting(options.metrics.text(nil)) }
            await server.drain()
            #expect(try await client.value == [304, 200])
            let text = options.metrics.text(nil)
            #expect(text.contains(#"in_progress{\#(route)} 0"#))
            #expect(text.contains(#"requests_total{\#(route),status="304"} 1"#))
            #expect(!text.contains(#"status="499""#))
        }
    }

    @Test("a request with another spelling of the path gets a response at once")
    func otherSpelling() async throws {
        try await LiveServer.run(ServerOptions()) { server in
            let token = try await newStation(server)
            let station = try RegistryConnection(
                url: "http://127.0.0.1:\(server.port)", token: token, http: try HTTPConnection())
            guard case .changed(let bytes) = try await station.missingList(),
                case .full(let list) = try ListMessage(bytes)
            else {
                Issue.record("expected the full list")
                return
            }
            let answer = try await server.curl([
                "--header", "Authorization: Bearer \(token)", "--header", "Prefer: wait=900",
                "--header", "Accept: \(MediaType.missingList)", "--header", "If-None-Match: \"\(list.version)\"",
                "http://127.0.0.1:\(server.port)/v1/missing/",
            ])
            #expect(answer.status == 304)
        }
    }
}
