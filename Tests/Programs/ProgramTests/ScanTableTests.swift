import Beacons
import Presence
import Terminal
import Testing

@testable import findmybike

@Suite("The table of a scan")
struct ScanTableTests {
    private static let mine = BeaconIdentity("21EECF71-D5C7-4A00-9B90-27C94B5146EA:1:20815")

    /// A bike’s weak but steady beacon, among strong strangers that are heard once.
    private static func survey(strangers: Int) throws -> BeaconSurvey {
        let mine = try #require(Self.mine)
        var survey = BeaconSurvey()
        for second in 0..<5 { try survey.hear(mine, rssi: -90, second: second) }
        for number in 0..<strangers {
            let identity = BeaconIdentity(uuid: mine.uuid, major: 7, minor: UInt16(number))
            try survey.hear(identity, rssi: -40, second: 5)
        }
        return survey
    }

    @Test("the user’s own bike comes first, above beacons that were heard only once")
    func own() throws {
        let survey = try Self.survey(strangers: 200)
        let own = [try #require(Self.mine): "Brompton C Line, MISSING"]
        let table = SurveyTable(SurveyFilter(), isLive: false, own: own)
        let lines = table.lines(survey, width: nil, limit: nil)
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("Brompton C Line, MISSING"))
        #expect(lines[2].contains("200 more beacons, heard once: --all lists them"))
        let all = SurveyTable(SurveyFilter(), isLive: false, listsAll: true).lines(survey, width: nil, limit: nil)
        #expect(all.count == 203 && all[1].contains(":1:20815"))
    }

    @Test(
        "on a terminal of any width, the table shows the beacon and how near it is", arguments: [120, 80, 60, 50, 46])
    func narrow(width: Int) throws {
        let survey = try Self.survey(strangers: 2)
        let own = [try #require(Self.mine): "Brompton"]
        let lines = SurveyTable(SurveyFilter(), isLive: true, own: own).lines(survey, width: width, limit: 20)
        #expect(lines.dropLast().allSatisfy { $0.columns <= width }, "\(lines)")
        for column in ["YOURS", "BEACON", "NEAR", "RSSI"] { #expect(lines[0].contains(column), "\(lines)") }
        #expect(lines[1].hasPrefix("Brompton") && lines[1].contains(":1:20815") && lines[1].contains("dBm"))
    }
}

extension BeaconSurvey {
    fileprivate mutating func hear(_ identity: BeaconIdentity, rssi: Int8, second: Int) throws {
        var batch = AdvertisementBatch(time: ScanInstant(nanoseconds: Int64(second) * 1_000_000_000))
        let beacon = IBeacon(identity: identity, measuredPower: -59)
        batch.append(
            time: batch.time, address: BluetoothAddress(0), addressKind: .random, rssi: rssi, event: [.legacy],
            data: beacon.advertisingData.span.bytes)
        add(batch)
    }
}
