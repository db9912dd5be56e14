import Beacons
import Scanning
import Testing

@testable import Simulation

@Suite("Comparison of simulation and reports")
struct ComparisonTests {
    private static let bike = BeaconIdentity(uuid: ProximityUUID(high: 1, low: 1), major: 1, minor: 1)
    private static let other = BeaconIdentity(uuid: ProximityUUID(high: 1, low: 1), major: 1, minor: 2)

    private static func seconds(_ from: Int, _ to: Int) -> ClosedRange<ScanInstant> {
        let start = ScanInstant(nanoseconds: 1_000_000_000_000)
        return start.advanced(by: .seconds(from))...start.advanced(by: .seconds(to))
    }

    private static func visit(
        _ from: Int, _ to: Int, of identity: BeaconIdentity = bike, stay: String = "a"
    ) -> ReportedVisit {
        ReportedVisit(identity: identity, stay: stay, heard: seconds(from, to))
    }

    private func compare(
        _ heard: [ClosedRange<ScanInstant>], _ reported: [ReportedVisit], inRange: [ClosedRange<ScanInstant>]? = nil
    ) -> Comparison {
        let always = [Self.seconds(0, 9000)]
        let truth = [
            GroundTruth(
                name: "bike", identity: Self.bike, isMissing: true, inRange: inRange ?? heard, heard: heard),
            GroundTruth(name: "other", identity: Self.other, isMissing: false, inRange: always, heard: always),
        ]
        return Comparison(truth, reported)
    }

    @Test("a stay that was reported once and in time is faultless")
    func faultless() {
        let comparison = compare([Self.seconds(100, 160)], [Self.visit(105, 150)])
        #expect(comparison.isFaultless)
        #expect(comparison.expected.map(\.name) == ["bike"])
    }

    @Test("a stay without a report was missed, even if only a single frame of it was heard")
    func missed() {
        #expect(compare([Self.seconds(100, 160)], []).missed.count == 1)
        #expect(compare([Self.seconds(100, 100)], []).missed.count == 1)
        #expect(compare([Self.seconds(100, 100)], [Self.visit(100, 100)]).isFaultless)
    }

    @Test("a bike in range without any received frame is counted separately, since no rule could report it")
    func unheard() {
        let comparison = compare([], [], inRange: [Self.seconds(100, 160)])
        #expect(comparison.isFaultless && comparison.expected.isEmpty)
        #expect(comparison.unheard.map(\.name) == ["bike"])
        #expect(compare([Self.seconds(99, 161)], [Self.visit(99, 161)]).unheard.isEmpty)
    }

    @Test("a report that begins long after the bike arrived is late")
    func late() {
        #expect(compare([Self.seconds(100, 300)], [Self.visit(131, 300)]).late.count == 1)
        #expect(compare([Self.seconds(100, 300)], [Self.visit(130, 300)]).late.isEmpty)
    }

    @Test("a second visit in one stay is a duplicate; a continued one is not")
    func duplicate() {
        let range = [Self.seconds(100, 4000)]
        #expect(compare(range, [Self.visit(100, 900), Self.visit(1200, 4000, stay: "b")]).duplicate.count == 1)
        #expect(compare(range, [Self.visit(100, 900), Self.visit(900, 4000)]).isFaultless)
    }

    @Test("times in range with a short silence between them are one stay, and with a long one two stays")
    func silences() {
        #expect(compare([Self.seconds(100, 160), Self.seconds(300, 360)], [Self.visit(100, 360)]).isFaultless)
        let two = compare(
            [Self.seconds(100, 160), Self.seconds(900, 960)], [Self.visit(100, 160), Self.visit(900, 960, stay: "b")]
        )
        #expect(two.isFaultless)
        #expect(two.expected.count == 2)
    }

    @Test("a report about a bike that is not missing, or not there, is wrong")
    func wrong() {
        let range = [Self.seconds(100, 160)]
        #expect(compare(range, [Self.visit(100, 160), Self.visit(10, 20, of: Self.other)]).wrong.count == 1)
        #expect(compare(range, [Self.visit(100, 160), Self.visit(5000, 5060, stay: "b")]).wrong.count == 1)
    }
}
