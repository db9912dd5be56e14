import Scanning
import StationStatus
import Testing

@testable import Diagnosis

@Suite("The doctor and receivers")
struct ReceiverCheckTests {
    private static func radio(
        _ state: RadioHealth.State, _ change: (inout StatusReport.Radio) -> Void = { _ in }
    )
        -> ReceiverState.Finding
    {
        var radio = StatusReport.Radio(adapter: "bar", state: state)
        change(&radio)
        return .reported(radio)
    }

    @Test(
        "each state of a receiver has a verdict, and what does not work has a remedy",
        arguments: [
            (radio(.scanning) { ($0.reports, $0.lastReportAge) = (7, 2.6) }, .ok, "7 adverts, the last 2 s ago"),
            (radio(.scanning) { ($0.reports, $0.lastReportAge) = (1, 60) }, .ok, "1 advert, the last 60 s ago"),
            (radio(.scanning) { $0.lastReportAge = .infinity }, .ok, "0 adverts"),
            (radio(.failed) { $0.lastError = "the proxy requires a key" }, .failure, "requires a key"),
            (radio(.starting), .warning, "not hear 192.168.1.30:6053 yet"),
            (.unknownToMonitor, .warning, "does not have it"), (.reachable, .ok, "accepts connections"),
            (.unreachable("the proxy cannot be reached: No route to host"), .failure, "No route to host"),
            (.untested, .notApplicable, "no monitor is running"),
        ] as [(ReceiverState.Finding, Verdict, String)])
    func verdicts(finding: ReceiverState.Finding, verdict: Verdict, words: String) throws {
        let state = ReceiverState(name: "bar", source: "192.168.1.30:6053", finding: finding)
        let check = try #require(ReceiverCheck.judge(.configured([state])).first)
        #expect(check.identifier == "receiver" && check.verdict == verdict)
        #expect(check.finding.hasPrefix("bar: ") && check.finding.contains(words), "\(check.finding)")
        #expect((check.remedy != nil) == [.warning, .failure].contains(verdict))
    }

    @Test("there is one check for each receiver, and one line for settings that are invalid")
    func number() {
        let states = ["bar", "door"].map { ReceiverState(name: $0, source: "x", finding: .reachable) }
        #expect(ReceiverCheck.judge(.configured(states)).map(\.verdict) == [.ok, .ok])
        #expect(ReceiverCheck.judge(.configured([])).map(\.verdict) == [.notApplicable])
        let wrong = ReceiverCheck.judge(.misconfigured("one\ntwo"))
        #expect(wrong.map(\.verdict) == [.failure] && wrong.first?.finding == "one; two")
    }
}
