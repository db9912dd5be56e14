import Foundation
import RegistryAPI
import Testing

@testable import RegistryClient

@Suite("Numbers of a hostile registry")
struct BoundedAnswersTests {
    @Test("the lag of a beacon's clock is at most what the clock can show", arguments: [Int64.min, .max])
    func lag(sent: Int64) throws {
        let json = #"{"lag":\#(sent),"checked":"2026-11-21T06:13:05Z"}"#
        let rotation = try JSONDecoder().decode(BeaconRotation.self, from: Data(json.utf8))
        #expect(rotation.lag == (sent < 0 ? -4_194_304 : 4_194_304))
    }

    @Test("a day has 96 quarters of an hour")
    func quarters() {
        let quarter = CoverageQuarter(begins: Timestamp(milliseconds: 0), adverts: .max)
        let day = CalendarDate(quarter.begins)
        let sent = StationCoverage(day: day, quarters: Array(repeating: quarter, count: 5000))
        #expect(sent.bounded.quarters.count == 96)
        // What a program computes with them.
        #expect(sent.bounded.quarters.reduce(0) { $0 + $1.adverts } == 96 << 53)
    }

    @Test("a list that has no end is refused")
    func endlessList() async {
        await #expect(throws: RegistryError.self) {
            try await RegistryConnection.all { _ in Page<Int>(items: [], next: "again") }
        }
    }
}
