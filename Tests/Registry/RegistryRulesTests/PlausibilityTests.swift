import RegistryAPI
import RegistryRules
import RegistryTestSupport
import TestSupport
import Testing

@Suite("Plausibility of sightings")
struct PlausibilityTests {
    private static let noon = HandClock().now

    /// A visit that lasts a minute by default. Kilometres are measured eastwards along the equator.
    private static func sighting(
        _ station: UInt64, at seconds: Int, kilometres: Double = 0, venue: String? = nil, lasting: Int = 60
    ) -> SightingEvidence {
        var visit = Samples.visit(from: noon.advanced(by: .seconds(seconds)), lasting: .seconds(lasting))
        visit.id = VisitID(high: station, low: UInt64(bitPattern: Int64(seconds)))
        return SightingEvidence(
            visit, at: StationID(high: 0, low: station), venue: venue ?? "venue \(station)",
            standing: Place(latitude: 0, longitude: kilometres / 111.195, accuracy: 10))
    }

    private static func reasons(_ sightings: SightingEvidence...) -> [Set<SightingReason>] {
        Plausibility.reasons(of: sightings)
    }

    @Test("a sighting by a single station has the level possible")
    func alone() {
        let reasons = Self.reasons(Self.sighting(1, at: 0), Self.sighting(1, at: 600))
        #expect(reasons == [[], []])
        #expect(Plausibility.level(for: reasons[0]) == .possible)
    }

    @Test(
        "sightings that require more than 250 km/h cannot both be right",
        arguments: [(100.0, 1380, true), (100.0, 1440, false), (30.0, 300, true), (30.0, 500, false), (2.0, 60, false)]
    )
    func speed(kilometres: Double, seconds: Int, isTooFast: Bool) {
        // The first visit ends after 60 s, and clocks may differ by another 60 s.
        let reasons = Self.reasons(Self.sighting(1, at: 0), Self.sighting(2, at: seconds, kilometres: kilometres))
        #expect(reasons.map { $0.contains(.tooFast) } == [isTooFast, isTooFast])
    }

    @Test("a beacon cannot be in two places at once, unless one radio range may cover both")
    func twoPlaces() {
        let long = Self.sighting(1, at: 0, lasting: 3600)
        #expect(Self.reasons(long, Self.sighting(2, at: 600, kilometres: 2))[0] == [.tooFast])
        #expect(Self.reasons(long, Self.sighting(2, at: 600, kilometres: 0.3))[0] == [.otherVenue])
    }

    @Test("stations of different venues that agree corroborate each other; those of one venue, or hours apart, do not")
    func corroboration() {
        let here = Self.sighting(1, at: 0)
        #expect(Self.reasons(here, Self.sighting(2, at: 1200, kilometres: 5)) == [[.otherVenue], [.otherVenue]])
        #expect(Self.reasons(here, Self.sighting(2, at: 1200, kilometres: 5, venue: "venue 1")) == [[], []])
        #expect(Self.reasons(here, Self.sighting(2, at: 3 * 3600, kilometres: 5)) == [[], []])
        #expect(Plausibility.level(for: [.otherVenue]) == .corroborated)
        #expect(Plausibility.level(for: [.otherVenue, .tooFast]) == .disputed)
    }

    @Test("three fast passages in a row are implausible together, but not individually")
    func hops() {
        // 6 km in two minutes, several times: 180 km/h, each passage below 250 km/h.
        let round = (0..<4).map { Self.sighting($0 % 2 + 1, at: Int($0) * 180, kilometres: $0 % 2 == 0 ? 0 : 6.5) }
        #expect(Plausibility.reasons(of: round).allSatisfy { $0.contains(.tooManyHops) })
        let half = Plausibility.reasons(of: Array(round.prefix(3)))
        #expect(half.allSatisfy { !$0.contains(.tooManyHops) && !$0.contains(.tooFast) })
    }

    @Test(
        "a sighting that is withdrawn or of unknown origin neither supports nor refutes others",
        arguments: [1, 2, 4, 8])
    func marks(mark: Int) {
        var marked = Self.sighting(2, at: 60, kilometres: 500)
        marked.marks = .init(rawValue: mark)
        #expect(Self.reasons(Self.sighting(1, at: 0), marked)[0] == [])
        marked.place = Self.sighting(1, at: 0).place
        #expect(Self.reasons(Self.sighting(1, at: 0), marked)[0] == [])
    }

    @Test("marks, the claimed place and the staff's answer are reasons for the sighting itself")
    func ownReasons() {
        var sighting = Self.sighting(1, at: 0)
        sighting.marks = [.quarantined, .reportsEverything, .unverified]
        sighting.answer = .absent
        #expect(
            Self.reasons(sighting) == [[.quarantined, .reportsEverything, .unverified, .notSeenAtVenue]]
        )
        sighting.marks = []
        sighting.answer = .seen
        #expect(Self.reasons(sighting) == [[.seenAtVenue]])
        sighting.claimedPlace = Place(latitude: 0.01, longitude: 0, accuracy: 10)
        #expect(Self.reasons(sighting) == [[.seenAtVenue, .otherPlace]])
        sighting.claimedPlace = Place(latitude: 0.001, longitude: 0, accuracy: 10)
        #expect(Self.reasons(sighting) == [[.seenAtVenue]])
    }

    @Test("uncertain times prove nothing")
    func uncertain() {
        var other = Self.sighting(2, at: 60, kilometres: 500)
        other.timeUncertain = true
        #expect(Self.reasons(Self.sighting(1, at: 0), other) == [[], []])
    }

    @Test("the order in which sightings are given does not matter", arguments: 0..<100 as Range<UInt64>)
    func order(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sightings = Self.sightings(using: &generator)
        let expected = Dictionary(uniqueKeysWithValues: zip(sightings, Plausibility.reasons(of: sightings)))
        for _ in 0..<5 {
            let shuffled = sightings.shuffled(using: &generator)
            #expect(Dictionary(uniqueKeysWithValues: zip(shuffled, Plausibility.reasons(of: shuffled))) == expected)
        }
    }

    @Test("a sighting that is judged alone has the reasons of a set of one", arguments: 0..<100 as Range<UInt64>)
    func single(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for sighting in Self.sightings(using: &generator) {
            #expect(Plausibility.reasons(of: sighting) == Plausibility.reasons(of: [sighting])[0])
        }
    }

    private static func sightings(using generator: inout SeededGenerator) -> [SightingEvidence] {
        (0..<12).map { number in
            var sighting = Self.sighting(
                .random(in: 1...4, using: &generator), at: .random(in: 0...7200, using: &generator),
                kilometres: Double(Int.random(in: 0...40, using: &generator)),
                lasting: .random(in: 0...900, using: &generator)
            )
            sighting.visit = VisitID(high: 0, low: UInt64(number))
            sighting.timeUncertain = Int.random(in: 0..<8, using: &generator) == 0
            if Int.random(in: 0..<6, using: &generator) == 0 { sighting.marks = .dismissed }
            if Int.random(in: 0..<6, using: &generator) == 0 { sighting.answer = .absent }
            if Int.random(in: 0..<6, using: &generator) == 0 {
                sighting.claimedPlace = Place(latitude: 1, longitude: 0, accuracy: 10)
            }
            return sighting
        }
    }

    @Test("a sighting has the reasons that the others give it one by one", arguments: 0..<100 as Range<UInt64>)
    func pairs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sightings = Self.sightings(using: &generator)
        let reasons = Plausibility.stationReasons(of: sightings)
        for (sighting, reasons) in zip(sightings, reasons) {
            let expected = sightings.reduce(into: Set<SightingReason>()) { reasons, other in
                reasons.formUnion(Plausibility.stationReasons(of: [sighting, other])[0])
            }
            #expect(reasons.subtracting([.tooManyHops]) == expected)
        }
        let indices = [7, 2, 11]
        #expect(Plausibility.stationReasons(of: indices, in: sightings) == indices.map { reasons[$0] })
    }

    @Test(
        "a station that reports a large part of a long list is conspicuous, but one in a small town is not",
        arguments: [
            (3, 4, false), (10, 10, false), (11, 20, true), (11, 1000, false), (51, 1000, true), (200, 100_000, true),
        ]
    )
    func share(reports: Int, missing: Int, isTooLarge: Bool) {
        #expect(ReportingShare.isTooLarge(reports: reports, ofMissing: missing) == isTooLarge)
    }

    @Test(
        "distances follow the globe",
        arguments: [
            // The geodesic from London to Paris is 344 km; the poles are half a meridian apart.
            (51.5074, -0.1278, 48.8566, 2.3522, 343.6), (90.0, 0.0, -90.0, 0.0, 20_015.0),
            (0.0, 179.5, 0.0, -179.5, 111.2),
        ]
    )
    func distance(
        latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double, kilometres: Double
    ) {
        let place = Place(latitude: latitude, longitude: longitude)
        let metres = place.distance(to: Place(latitude: otherLatitude, longitude: otherLongitude))
        #expect(abs(metres / 1000 - kilometres) < kilometres * 0.005)
    }
}
