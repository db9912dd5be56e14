import HTTPClient
import RegistryClient
import Testing

@testable import Monitor

@Suite("Long-poll wait for the missing list")
struct PollWaitTests {
    private static let cut = RegistryError.unexpectedStatus(504, retryAfter: nil)
    private static let lost = RegistryError.unreachable(.transfer(code: 52, message: "Empty reply from server"))

    @Test(
        "if a proxy cuts off idle connections, the wait is shortened from the second time on", arguments: [cut, lost])
    func cuts(error: RegistryError) {
        var wait = PollWait(.seconds(300))
        var isShorter = wait.failed(error, after: .seconds(60))
        #expect(!isShorter && wait.duration == .seconds(300))
        isShorter = wait.failed(error, after: .seconds(60))
        #expect(isShorter && wait.duration == .seconds(45))
        // Below the timeout, nothing changes any longer.
        wait.succeeded()
        #expect(wait.duration == .seconds(45))
    }

    @Test("a restart or an outage of the registry does not shorten the wait")
    func outages() {
        var wait = PollWait(.seconds(50))
        _ = wait.failed(Self.lost, after: .seconds(30))
        for _ in 0..<10 {
            _ = wait.failed(.unreachable(.transfer(code: 7, message: "Connection refused")), after: .seconds(30))
            _ = wait.failed(.unexpectedStatus(502, retryAfter: nil), after: .milliseconds(5))
        }
        wait.succeeded()
        _ = wait.failed(Self.lost, after: .seconds(30))
        #expect(wait.duration == .seconds(50))
    }

    @Test("the wait has a lower limit, however soon connections are cut off")
    func shortest() {
        var wait = PollWait(.seconds(900))
        for _ in 0..<100 { _ = wait.failed(Self.lost, after: .seconds(11)) }
        #expect(wait.duration == PollWait.shortest)
    }
}
