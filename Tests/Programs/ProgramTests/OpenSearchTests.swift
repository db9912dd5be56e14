import RegistryAPI
import Terminal
import Testing

@testable import findmybike

@Suite("Whether a missing bike is still searched for")
struct OpenSearchTests {
    private func report(until: Timestamp?, closed: Timestamp? = nil, reference: String? = nil) -> MissingReport {
        MissingReport(
            id: ReportID(high: 1, low: 1), bike: BikeID(high: 1, low: 2), opened: Timestamp(milliseconds: 0),
            missingSince: Timestamp(milliseconds: 0), policeReference: reference, sightingsUntil: until, closed: closed)
    }

    private let past = Timestamp(milliseconds: 1000)

    @Test("after the search has ended, the owner is shown what to do")
    func ended() throws {
        let remedy = try #require(report(until: past).endedSearchRemedy)
        #expect(remedy.hasPrefix("nobody has looked for it since 1970-01-01 "))
        #expect(remedy.contains("operator") && remedy.contains("--police-reference"))
        let referred = try #require(report(until: past, reference: "7/26").endedSearchRemedy)
        #expect(!referred.contains("--police-reference"))
    }

    @Test("a search that continues or has no end, and a closed report, are not mentioned")
    func goesOn() {
        let future = Timestamp.now.advanced(by: .seconds(3600))
        for report in [report(until: future), report(until: nil), report(until: past, closed: past)] {
            #expect(report.searchEnded == nil && report.endedSearchRemedy == nil)
        }
    }
}
