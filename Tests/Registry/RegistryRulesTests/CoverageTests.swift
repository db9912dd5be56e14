import Evidence
import RegistryAPI
import RegistryRules
import Testing

@Suite("Coverage")
struct CoverageTests {
    // 2026-11-21T12:00:00Z
    private static let noon = Timestamp(milliseconds: 1_795_262_400_000)
    private static let day = CalendarDate(noon)

    /// A time in quarters of an hour after noon.
    private static func time(_ quarters: Int) -> Timestamp { noon.advanced(by: CoverageQuarter.length * quarters) }

    private static func quarter(_ number: Int, listened: Int = 900, listAge: Int? = 60) -> CoverageQuarter {
        CoverageQuarter(begins: time(number), listened: listened, adverts: 5, devices: 2, listAge: listAge)
    }

    @Test("a day's quarters survive packing, with the largest and the smallest numbers")
    func packing() throws {
        let quarters = [
            CoverageQuarter(begins: Self.day.start),
            CoverageQuarter(
                begins: Self.time(0), listened: 900, adverts: 1 << 53, devices: 65_535, restarts: 65_535,
                listAge: 1 << 31),
            CoverageQuarter(begins: Self.time(47), listened: 127, adverts: 128, devices: 1, restarts: 0, listAge: 0),
        ]
        let bytes = PackedCoverage.bytes(of: quarters)
        #expect(PackedCoverage.quarters(in: bytes, of: Self.day) == quarters)
        #expect(PackedCoverage.bytes(of: [Self.quarter(1)]).count <= 10)
    }

    @Test("damaged bytes are refused and never trap")
    func damage() {
        let bytes = PackedCoverage.bytes(of: [Self.quarter(0), Self.quarter(1)])
        for length in 1..<bytes.count where length != bytes.count / 2 {
            #expect(PackedCoverage.quarters(in: bytes.prefix(length), of: Self.day) == nil, "\(length)")
        }
        #expect(PackedCoverage.quarters(in: [96, 0, 0, 0, 0, 0] as [UInt8], of: Self.day) == nil)
        #expect(PackedCoverage.quarters(in: [0] + Array(repeating: 0xFF, count: 40) as [UInt8], of: Self.day) == nil)
        let many = Array(repeating: [0, 0, 0, 0, 0, 0] as [UInt8], count: 97).flatMap(\.self)
        #expect(PackedCoverage.quarters(in: many, of: Self.day) == nil)
        #expect(PackedCoverage.quarters(in: [] as [UInt8], of: CalendarDate(day: .max)) == [])
    }

    @Test("quarters are accepted once they have ended, and for two days")
    func acceptance() {
        let quarters = (-200...3).map { Self.quarter($0) }
        let accepted = CoverageRules.acceptable(quarters, at: Self.time(1))
        #expect(accepted.first?.ends == Self.time(-191) && accepted.last?.ends == Self.time(1))
        #expect(
            CoverageRules.acceptable(quarters, at: Self.time(1).advanced(by: .milliseconds(-1))).last?.ends == Self.noon
        )
    }

    @Test("a known quarter is never changed, and one that comes twice in a heartbeat counts once")
    func once() {
        let known = [Self.quarter(0, listened: 10), Self.quarter(3)]
        let (all, stored, contradicted) = CoverageRules.adding(
            [Self.quarter(0), Self.quarter(3), Self.quarter(2, listened: 1), Self.quarter(2)], to: known)
        #expect(stored == 1 && contradicted == 1 && all == [known[0], Self.quarter(2, listened: 1), known[1]])
    }

    private func spans(
        _ quarters: [CoverageQuarter], from: Int = -100, until: Int = 100, heard: [(Timestamp, Timestamp)] = []
    ) -> [Range<Timestamp>] {
        ListeningRules(
            listed: Self.time(from)..<Self.time(until), heard: heard.map { (first: $0.0, last: $0.1) }
        ).spans(quarters).map { $0.from..<$0.until }
    }

    @Test("quarters that follow each other form one span; a gap or a quarter with too little begins another")
    func joining() {
        let quarters = [0, 1, 2, 4, 5, 6].map { Self.quarter($0, listened: $0 == 5 ? 839 : 840) }
        #expect(
            spans(quarters) == [
                Self.time(0)..<Self.time(3), Self.time(4)..<Self.time(5), Self.time(6)..<Self.time(7),
            ])
        let rules = ListeningRules(listed: Self.time(0).advanced(by: .seconds(-900))..<Self.time(9), heard: [])
        #expect(rules.spans(quarters).map(\.listened) == [2520, 840, 840])
        #expect(spans(quarters + quarters) == spans(quarters), "repeated or unordered quarters add nothing")
    }

    @Test("a quarter counts only if its list was confirmed after the beacon was put on it, and ends before its end")
    func listed() {
        let quarters = (0..<4).map { Self.quarter($0, listAge: 840) }
        #expect(spans(quarters, from: 0, until: 3) == [Self.time(1)..<Self.time(3)])
        #expect(
            spans(quarters.map { Self.quarter($0.numberInDay - 48, listAge: 841) }, from: 0, until: 3)
                == [Self.time(2)..<Self.time(3)])
        #expect(spans([Self.quarter(2, listAge: nil)]) == [])
        #expect(spans([Self.quarter(2, listAge: 1 << 31)]) == [])
    }

    @Test("a quarter in which the station heard the beacon at any moment says nothing")
    func heard() {
        let quarters = (0..<8).map { Self.quarter($0) }
        let second = { (quarters: Int, seconds: Int) in Self.time(quarters).advanced(by: .seconds(seconds)) }
        #expect(
            spans(quarters, heard: [(second(2, -1), second(2, 0)), (second(5, 1), second(5, 1))])
                == [Self.time(0)..<Self.time(1), Self.time(3)..<Self.time(5), Self.time(6)..<Self.time(8)])
        #expect(spans(quarters, heard: [(second(-500, 0), second(500, 0))]) == [])
        #expect(
            spans(quarters, heard: [(second(3, 5), second(3, 0))]).count == 2, "a visit whose end is before its start")
        let outside = [(second(-500, 0), second(-101, 0)), (second(101, 0), second(500, 0))]
        #expect(spans(quarters, heard: outside).count == 1)
    }

    @Test("a period longer than coverage is kept is cut at its beginning, whatever its length")
    func longPeriods() {
        let rules = ListeningRules(
            listed: Timestamp(milliseconds: .min)..<Timestamp(milliseconds: .max),
            heard: [(first: Timestamp(milliseconds: .min), last: Timestamp(milliseconds: .max))])
        #expect(rules.listed.lowerBound.duration(to: rules.listed.upperBound) == CoverageRules.retention)
        #expect(rules.spans([Self.quarter(0)]) == [])
        let empty = ListeningRules(listed: Self.noon..<Self.noon, heard: [])
        #expect(empty.spans([Self.quarter(0)]) == [])
    }

    @Test("the nearest stations are chosen by their areas alone")
    func nearness() throws {
        let place = Place(latitude: 51.504, longitude: -0.124)
        let areas = NearStations.areas(lastPlace: nil, heard: [place, Place(latitude: 51.5, longitude: -0.12)])
        #expect(areas == [CoverageArea(of: place)] && areas[0].latitude == 51.5 && areas[0].longitude == -0.12)
        let station = { (number: Int) in StationID(high: 0, low: UInt64(number)) }
        let near = Dictionary(
            uniqueKeysWithValues: (1...30).map { number in
                (station(number), CoverageArea(of: Place(latitude: 51.5 + 0.0004 * Double(number), longitude: -0.12)))
            })
        let chosen = NearStations.choose(near, near: areas)
        // First all of the same area, then of the next; of equally distant ones those with the first identifiers.
        #expect(chosen.map(\.id) == (1...NearStations.maximumCount).map(station))
        #expect(chosen.map(\.area.latitude).max() == 51.51)
        #expect(
            NearStations.choose([station(1): CoverageArea(of: Place(latitude: 51.52, longitude: -0.12))], near: areas)
                .isEmpty)
        #expect(NearStations.choose(near, near: []).isEmpty)
        let places = (0..<50).map { Place(latitude: Double($0), longitude: 0) }
        #expect(NearStations.areas(lastPlace: place, heard: places).count == NearStations.maximumAreas)
        for latitude in [-90.0, 0, 89.9, 90] {
            let degrees = NearStations.degrees(around: CoverageArea(of: Place(latitude: latitude, longitude: 180)))
            #expect(degrees.latitudes.contains(latitude) && degrees.longitudes.contains(180))
        }
    }
}
