import RegistryAPI
import RegistryClient
import Testing

@testable import Monitor

@Suite("A station's messages about a refusal")
struct StationWordsTests {
    private func refusal(_ status: Int) -> RegistryError {
        let problem = ProblemDetails(
            type: "urn:x", title: "", status: status, detail: "Send the token as ‘Authorization: Bearer …’.")
        return .refused(problem, retryAfter: nil)
    }

    @Test("a refused token is reported as a revoked station, with the remedy")
    func revoked() {
        let status = ListStatus()
        status.failed(refusal(401))
        let words = status.state.lastError ?? ""
        #expect(words.contains("revoked the station") && words.contains("enrol URL CODE --replace"))
        #expect(!words.contains("Bearer"))
        #expect(refusal(409).stationWords == refusal(409).description)
    }
}
