import Beacons
import Presence
import Testing

@Suite("Hot and cold search")
struct BeaconSearchTests {
    private static let bike = IBeacon.bike(1)

    /// A search that has received two frames of the bike per second, with these signal strengths.
    private func search(_ strengths: [Int8?], from start: Double = 0) -> BeaconSearch {
        var search = BeaconSearch(Self.bike.identity)
        for (index, rssi) in strengths.enumerated() {
            search.add(.single(Self.bike, rssi: rssi, at: start + Double(index) / 2))
        }
        return search
    }

    private func reading(_ strengths: [Int8?]) -> BeaconSearch.Reading {
        search(strengths).reading(at: .at(Double(strengths.count - 1) / 2))
    }

    @Test("before the first frame nothing is shown")
    func nothing() {
        let reading = BeaconSearch(Self.bike.identity).reading(at: .at(5))
        #expect(reading.rssi == nil && reading.age == nil && reading.nearness == 0 && reading.bellInterval == nil)
        #expect(reading.proximity == .unknown && reading.trend == .steady)
    }

    @Test("other beacons never move the bar")
    func others() {
        var search = BeaconSearch(Self.bike.identity)
        search.add(.single(.bike(2), rssi: -40, at: 0))
        #expect(search.frames == 0 && search.lastHeard == nil)
    }

    @Test("walking up shows as warmer, walking away as colder, and standing still as steady")
    func trend() {
        let up = (0..<20).map { Int8(-90 + $0 * 2) }
        #expect(reading(up).trend == .warmer)
        #expect(reading(up.reversed()).trend == .colder)
        #expect(reading([Int8](repeating: -70, count: 20)).trend == .steady)
        #expect(reading(up + [Int8](repeating: -52, count: 30)).trend == .steady)
    }

    @Test("noise of 2 dB does not change the direction")
    func hysteresis() {
        let noise: [Int8] = [-70, -72, -69, -71, -70, -68, -72, -70, -71, -69, -70, -72]
        #expect(reading(noise).trend == .steady)
        let up = (0..<15).map { Int8(-90 + $0 * 2) }
        #expect(reading(up + [-63, -62, -64]).trend == .warmer)
    }

    @Test("silence empties the bar and stops the bell")
    func silence() {
        let search = search([-60, -60, -60])
        #expect(search.reading(at: .at(9)).rssi != nil)
        let late = search.reading(at: .at(12))
        #expect(late.rssi == nil && late.nearness == 0 && late.bellInterval == nil && late.proximity == .unknown)
        #expect(late.age == .seconds(11))
    }

    @Test("the bell rings faster when nearer")
    func bell() throws {
        let intervals = try [-100, -80, -60, -35].map { rssi in
            try #require(reading([Int8](repeating: Int8(rssi), count: 5)).bellInterval)
        }
        #expect(intervals == intervals.sorted(by: >))
        #expect(intervals.first == .milliseconds(2000) && intervals.last == .milliseconds(150))
    }

    @Test("frames without a signal strength keep the beacon alive")
    func unknownStrength() {
        let reading = reading([-60, -60, -60, nil])
        #expect(reading.age == .zero && reading.rssi == -60)
    }

    @Test("extreme signal strengths give a bar between empty and full", arguments: [-127, 20] as [Int8])
    func bounds(rssi: Int8) {
        #expect((0...1).contains(reading([rssi, rssi, rssi]).nearness))
    }
}

@Suite("Filters of a survey")
struct SurveyFilterTests {
    private static let near = IBeacon.bike(1)
    private static let far = IBeacon.bike(2)

    private var survey: BeaconSurvey {
        var survey = BeaconSurvey()
        for second in 0..<5 {
            survey.add(.single(Self.near, rssi: -60, at: Double(second)))
            survey.add(.single(Self.far, rssi: -90, at: Double(second)))
        }
        survey.add(.single(.stranger(7), rssi: nil, at: 5))
        return survey
    }

    private func minors(_ change: (inout SurveyFilter) -> Void) -> [UInt16] {
        var filter = SurveyFilter()
        change(&filter)
        return survey.strongest(filter).compactMap { $0.frame.identity?.minor }
    }

    @Test("without a filter all are shown, the strongest first")
    func all() {
        #expect(minors { _ in } == [1, 2, 0])
    }

    @Test("beacons that fell silent come last while a scan continues")
    func silentLast() {
        var survey = survey
        survey.add(.single(Self.far, rssi: -90, at: 60))
        #expect(survey.strongest(at: .at(60)).compactMap { $0.frame.identity?.minor } == [2, 1, 0])
        #expect(survey.strongest().compactMap { $0.frame.identity?.minor } == [1, 2, 0])
    }

    @Test("each filter shows what it names")
    func filters() {
        #expect(minors { $0.kinds = [.iBeacon] } == [1, 2, 0])
        #expect(minors { $0.kinds = [.altBeacon, .eddystoneUID] } == [])
        #expect(minors { $0.identity = Self.far.identity } == [2])
        #expect(minors { $0.uuid = Self.far.identity.uuid } == [1, 2])
        #expect(minors { $0.minimumRSSI = -70 } == [1])
        #expect(minors { $0.minimumRSSI = -127 } == [1, 2])
        #expect(minors { $0.isNearOnly = true } == [1])
    }
}

extension AdvertisementBatch {
    /// One frame of a beacon.
    static func single(_ beacon: IBeacon, rssi: Int8?, at seconds: Double) -> AdvertisementBatch {
        var batch = AdvertisementBatch(time: .at(seconds))
        let data = beacon.advertisingData
        batch.append(
            time: .at(seconds), address: BluetoothAddress(1), addressKind: .random, rssi: rssi, event: .legacy,
            data: data.span.bytes)
        return batch
    }
}
