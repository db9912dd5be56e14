import Beacons
import RegistryAPI
import RegistryTestSupport
import TestSupport
import Testing

@testable import RegistryRules

@Suite("Rotating beacons")
struct RotationTests {
    private static let noon = HandClock().now
    private static let slot = noon.milliseconds / 1000 / 1024

    /// A sighting of a slot that is this many slots old, in a slot counted from noon.
    private static func sighting(
        _ number: UInt64, at place: Int64, age: Int64 = 0, clock: BeaconClock, station: UInt64 = 1,
        lasting: Int64 = 60
    ) -> SightingEvidence {
        let first = Timestamp(milliseconds: ((slot + place) * 1024 + 300) * 1000)
        return SightingEvidence(
            Samples.visit(number, from: first, lasting: .seconds(lasting)), at: StationID(high: 0, low: station),
            venue: "Café", standing: Samples.place, slot: HeardSlot(slot: slot + place - age, clock: clock))
    }

    private static let exact = BeaconClock(lag: 0, checked: noon)

    private static func reasons(_ sightings: SightingEvidence...) -> [Set<SightingReason>] {
        Plausibility.reasons(of: sightings)
    }

    @Test(
        "what only the beacon can send at that time supports a sighting", arguments: [(0, true), (1, true), (2, false)])
    func proof(age: Int64, isProved: Bool) {
        let sighting = Self.sighting(1, at: 3, age: age, clock: Self.exact)
        let expected: Set<SightingReason> = isProved ? [.beaconProved] : []
        #expect(Self.reasons(sighting) == [expected] && Plausibility.reasons(of: sighting) == expected)
        var uncertain = sighting
        uncertain.timeUncertain = true
        #expect(Self.reasons(uncertain) == [[]])
    }

    @Test("a clock may drift by 100 ppm since the last check")
    func drift() {
        let old = BeaconClock(lag: 0, checked: Self.noon.advanced(by: .days(-365)))
        // 3,154 s are three slots, and one more is always allowed.
        #expect(
            [3, 4, 5].map { Self.reasons(Self.sighting(1, at: 0, age: $0, clock: old))[0].contains(.beaconProved) }
                == [true, true, false])
    }

    /// Sightings of consecutive slots that are this old, each by the station with its number.
    private static func old(
        _ age: Int64, from place: Int64 = 1, clock: BeaconClock = exact, by stations: UInt64...
    )
        -> [SightingEvidence]
    {
        stations.enumerated().map { index, station in
            sighting(
                UInt64(index + 1), at: place + Int64(index), age: age, clock: clock, station: station)
        }
    }

    @Test("after a battery change, three slots that two stations heard prove one lag; a clock never gains time")
    func newLag() {
        let late = Self.old(9, by: 1, 1, 2)
        #expect(Self.reasons(late[0], late[1]) == [[], []])
        #expect(Self.reasons(late[0], late[0], late[2]) == [[], [], []], "two different slots")
        #expect(Self.reasons(late[0], late[1], late[2]) == [[.beaconProved], [.beaconProved], [.beaconProved]])
        var quarantined = late[2]
        quarantined.marks = .quarantined
        #expect(Self.reasons(late[0], late[1], quarantined) == [[], [], [.quarantined]])
        #expect(Plausibility.reasons(of: Self.old(9, by: 1, 1, 1, 1, 1)).allSatisfy { $0.isEmpty }, "one station alone")
        #expect(Plausibility.reasons(of: Self.old(-9, by: 1, 2, 3, 1)).allSatisfy { $0.isEmpty })
    }

    @Test("before a check, a beacon can have had a smaller lag, which stations prove, but no greater one")
    func lagBeforeCheck() {
        let clock = BeaconClock(lag: 20, checked: Self.noon.advanced(by: .seconds(100 * 1024)))
        let proved = Plausibility.reasons(of: Self.old(0, clock: clock, by: 1, 2, 1))
        #expect(proved.allSatisfy { $0 == [.beaconProved] })
        #expect(Plausibility.reasons(of: Self.old(0, clock: clock, by: 1, 1, 1)).allSatisfy { $0.isEmpty })
        #expect(Plausibility.reasons(of: Self.old(40, clock: clock, by: 1, 2, 1)).allSatisfy { $0.isEmpty })
        #expect(
            Plausibility.reasons(of: Self.old(40, from: 200, clock: clock, by: 1, 2, 1)).allSatisfy {
                $0 == [.beaconProved]
            })
    }

    @Test("a station whose lag is not the beacon's refutes nothing, unless another one has the same")
    func wrongLag() {
        let honest = Self.sighting(9, at: 6, age: 20, clock: Self.exact, station: 3)
        for stations in [[1, 1, 1], [1, 2, 1]] as [[UInt64]] {
            let others = zip(stations, 1...).map { station, place in
                Self.sighting(UInt64(place), at: Int64(place), age: 9, clock: Self.exact, station: station)
            }
            let reasons = Plausibility.reasons(of: others + [honest])[3]
            #expect(reasons == (stations == [1, 1, 1] ? [] : [.replayed]))
        }
    }

    @Test("a replay is seen weeks later")
    func lateReplay() {
        let later = Self.sighting(2, at: 4, clock: Self.exact)
        let replay = Self.sighting(3, at: 2000, age: 2000, clock: Self.exact, station: 2)
        #expect(Self.reasons(later, replay)[1] == [.replayed])
        // An uncertain time may be late by an hour, which is nearly four slots.
        for (place, isReplayed) in [(7, false), (8, true)] as [(Int64, Bool)] {
            var uncertain = Self.sighting(4, at: place, age: place, clock: Self.exact, station: 2)
            uncertain.timeUncertain = true
            #expect(Self.reasons(later, uncertain)[1].contains(.replayed) == isReplayed, "\(place)")
        }
    }

    @Test("the places where a store looks for witnesses have those that count")
    func searches() {
        var generator = SeededGenerator(seed: 57)
        for _ in 0..<2000 {
            let checked = Self.noon.advanced(
                by: .seconds(Int64.random(in: -40_000_000...40_000_000, using: &generator)))
            let clock = BeaconClock(lag: .random(in: -3...40, using: &generator), checked: checked)
            let lags = KnownLags(
                clock, proved: (0..<3).map { _ in clock.lag + .random(in: -50...50, using: &generator) })
            let sightings = (0..<6).map { number in
                Self.sighting(
                    number, at: .random(in: 0...200, using: &generator),
                    age: clock.lag + .random(in: -4...50, using: &generator), clock: clock,
                    lasting: .random(in: 0...3000, using: &generator))
            }
            .compactMap { evidence in evidence.slot.map { evidence.slotSighting($0.slot) } }
            for sighting in sightings {
                let witnesses = sightings.filter { lags.isTrusted($0.lag, at: $0.heard) }
                let searches = lags.searches(refuting: sighting, since: Self.slot - 10)
                let found = sightings.filter { other in
                    searches.contains { $0.lag == other.lag && $0.slots.contains(other.slot) }
                }
                let refuting = witnesses.filter { sighting.canBeRefuted(by: $0, lags) }
                #expect(Set(refuting).isSubset(of: found) && Set(found).isSubset(of: witnesses))
                let before = lags.searches(before: sighting, since: Self.slot - 10)
                let earlier = Set(
                    witnesses.filter { $0.slot < sighting.slot && $0.heard <= sighting.heard - KnownLags.longestDelay })
                #expect(
                    Set(
                        sightings.filter { other in
                            before.contains { $0.lag == other.lag && $0.slots.contains(other.slot) }
                        }) == earlier)
            }
        }
    }

    @Test("a slot that is heard after a later one is replayed")
    func replay() {
        let recorded = Self.sighting(1, at: 0, clock: Self.exact)
        let later = Self.sighting(2, at: 4, clock: Self.exact)
        let replay = Self.sighting(3, at: 5, age: 5, clock: Self.exact, station: 2)
        let reasons = Self.reasons(recorded, later, replay)
        #expect(reasons.map { $0.contains(.replayed) } == [false, false, true])
        #expect(Plausibility.level(for: reasons[2]) == .disputed)
        // The next slot may overlap, because stations' clocks differ.
        let next = Self.sighting(4, at: 1, clock: Self.exact)
        let lagging = Self.sighting(5, at: 1, age: 1, clock: Self.exact, station: 2)
        #expect(!Self.reasons(next, lagging).contains { $0.contains(.replayed) })
        // A visit that goes on long after its slot has ended.
        let stretched = Self.sighting(6, at: 0, clock: Self.exact, station: 2, lasting: 6000)
        #expect(Self.reasons(stretched, later)[0].contains(.replayed))
    }

    @Test("a station whose clock is behind cannot make honest sightings look replayed")
    func lyingStation() {
        let honest = Self.sighting(1, at: 4, clock: Self.exact)
        let backdated = Self.sighting(2, at: 0, age: -6, clock: Self.exact, station: 2)
        let reasons = Self.reasons(honest, backdated)[0]
        #expect(reasons.contains(.beaconProved) && !reasons.contains(.replayed))
    }

    @Test("nor can one that reports slots by as much too early as the last check allows", arguments: [0, 120, 370])
    func allowedLie(days: Int64) {
        // The beacon is 512 s late, and may have drifted since the check.
        let clock = BeaconClock(lag: 0, checked: Self.noon.advanced(by: .days(-days)))
        let tolerance = days * 86_400 / 1024 / BeaconClock.slotsPerDrift + 1
        func heard(_ number: UInt64, slot place: Int64, at second: Int64, station: UInt64) -> SightingEvidence {
            var evidence = Self.sighting(number, at: place, clock: clock, station: station)
            let start = (Self.slot + place) * 1024
            evidence.firstSeen = Timestamp(milliseconds: (start + second) * 1000)
            evidence.lastSeen = evidence.firstSeen.advanced(by: .seconds(60))
            return evidence
        }
        let honest = (0...4).map { heard(1 + UInt64($0), slot: $0, at: 512 + 900, station: 1 + UInt64($0 % 2)) }
        let lies = (2...4).map { heard(10 + UInt64($0), slot: $0, at: 1 - 1024 * tolerance, station: 3) }
        for reasons in Plausibility.reasons(of: honest + lies).prefix(honest.count) {
            #expect(reasons.contains(.beaconProved) && !reasons.contains(.replayed))
        }
    }

    @Test("reasons do not depend on the order of arrival")
    func order() {
        var generator = SeededGenerator(seed: 18)
        for _ in 0..<300 {
            let sightings = (0..<8).map { number in
                Self.sighting(
                    number, at: .random(in: 0...12, using: &generator), age: .random(in: -3...9, using: &generator),
                    clock: Self.exact, station: .random(in: 1...3, using: &generator),
                    lasting: .random(in: 0...3000, using: &generator))
            }
            let reasons = Dictionary(
                uniqueKeysWithValues: zip(sightings.map(\.visit), Plausibility.reasons(of: sightings)))
            let shuffled = sightings.shuffled(using: &generator)
            for (sighting, found) in zip(shuffled, Plausibility.reasons(of: shuffled)) {
                #expect(found == reasons[sighting.visit])
            }
        }
    }

    @Test("a station that has been offline for a day still knows what a beacon sends now, at every instant")
    func coverage() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            // The list is up to a refresh old when a station gets it, which then keeps it for a day.
            let made = Timestamp(milliseconds: .random(in: 1_000_000_000_000...4_000_000_000_000, using: &generator))
            let age = Int64.random(in: 0...103 * 1_024_000, using: &generator)
            let sent =
                RotationRules.slot(at: made.advanced(by: .milliseconds(age))) - .random(in: -1...84, using: &generator)
            let days = Int64.random(in: 0...400, using: &generator)
            let clock = BeaconClock(lag: 0, checked: made.advanced(by: .days(-days)))
            #expect(RotationRules.window(at: made, clock).contains(sent))
        }
        let ends = [Timestamp(milliseconds: 0), Timestamp(milliseconds: 4_294_967_295_000), Self.noon].flatMap { time in
            [0, 5_000_000, -5_000_000].map { RotationRules.window(at: time, BeaconClock(lag: $0, checked: time)) }
        }
        #expect(ends.allSatisfy { $0.lowerBound >= 0 && $0.upperBound < 1 << 22 })
    }

    @Test("a sealed key opens only with its vault and under its name")
    func vault() throws {
        let vaults = try (1...2 as ClosedRange<UInt8>).map {
            try #require(BeaconVault(keys: [[UInt8](repeating: $0, count: 32)]))
        }
        let key = RotatingBeaconKey.random()
        let sealed = try vaults[0].seal(key, of: Samples.identity(1))
        #expect(vaults[0].open(sealed, of: Samples.identity(1)) == key)
        #expect(vaults[0].open(sealed, of: Samples.identity(2)) == nil)
        #expect(vaults[1].open(sealed, of: Samples.identity(1)) == nil)
        #expect(vaults[0].open([], of: Samples.identity(1)) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(vaults[0].open(changed, of: Samples.identity(1)) == nil)
        }
        let both = try #require(
            BeaconVault(keys: [[UInt8](repeating: 2, count: 32), [UInt8](repeating: 1, count: 32)]))
        #expect(both.open(sealed, of: Samples.identity(1)) == key)
        #expect(BeaconVault(keys: []) == nil && BeaconVault(keys: [[1, 2, 3]]) == nil)
        #expect(!"\(vaults[0])".contains("01") && String(reflecting: vaults[0]).count < 200)
    }

    @Test("a visit with a wrong time is dated by its slot; one that agrees keeps its time")
    func dating() {
        let heard = HeardSlot(slot: Self.slot, clock: Self.exact)
        var visit = Samples.visit(from: Timestamp(milliseconds: 1000), lasting: .seconds(120))
        let received = Self.noon.advanced(by: .seconds(7200))
        let dated = SightingRules.dated(visit, by: heard, received: received)
        #expect(dated.timeUncertain == true && dated.lastSeen == heard.time.upperBound)
        #expect(dated.firstSeen.duration(to: dated.lastSeen) == .seconds(120))
        visit = Samples.visit(from: heard.time.lowerBound, lasting: .seconds(120))
        #expect(SightingRules.dated(visit, by: heard, received: received).firstSeen == visit.firstSeen)
    }

    @Test(
        "a slot corrects a time only within what is plausible; a replay is not dated back",
        arguments: [
            // A clock that is behind, and one that is ahead, by seconds before and after the slot.
            (-90_000, false, true), (-90_000, true, false), (1500, false, true), (4000, false, true),
            (4000, true, true), (9000, false, false), (9000, true, false), (200_000, false, false),
        ])
    func datingReplays(offset: Int64, isReckoned: Bool, isDated: Bool) {
        let heard = HeardSlot(slot: Self.slot, clock: Self.exact)
        let end = heard.time.upperBound
        let visit = Samples.visit(from: end.advanced(by: .seconds(offset)), lasting: .seconds(30))
        let received = end.advanced(by: .seconds(100_000))
        let dated = SightingRules.dated(visit, by: heard, received: received, isReckoned: isReckoned)
        #expect(dated.lastSeen == (isDated ? end : visit.lastSeen) && dated.timeUncertain == true)
    }

    @Test("a slot that the beacon has not sent yet dates nothing, and no visit is dated after its arrival")
    func datingFuture() {
        let heard = HeardSlot(slot: Self.slot, clock: Self.exact)
        let visit = Samples.visit(from: Timestamp(milliseconds: 1000))
        for seconds in stride(from: Int64(-5000), through: 3000, by: 250) {
            let received = heard.time.lowerBound.advanced(by: .seconds(seconds))
            let dated = SightingRules.dated(visit, by: heard, received: received)
            #expect(dated.lastSeen <= received)
            #expect((dated.lastSeen == visit.lastSeen) == (seconds < -1024), "\(seconds)")
        }
    }

    @Test("a visit with refused times is accepted if the slot of its beacon shows the time")
    func arrival() {
        let heard = HeardSlot(slot: Self.slot, clock: Self.exact)
        let received = heard.time.upperBound.advanced(by: .seconds(60))
        var told = Samples.visit(from: received.advanced(by: .seconds(-30)), lasting: .seconds(90))
        let accepted = ArrivedVisit(told, at: received)
        #expect(accepted.refusals.isEmpty && !accepted.isDoubtful && accepted.visit.lastSeen == received)
        told.timeUncertain = true
        #expect(ArrivedVisit(told, at: received).isDoubtful)
        told = Samples.visit(from: Timestamp(milliseconds: 1000))
        var refused = ArrivedVisit(told, at: received)
        #expect(refused.isDoubtful && refused.refusals.map(\.pointer) == ["/lastSeen"])
        refused.date(by: HeardSlot(slot: Self.slot + 9, clock: Self.exact))
        #expect(refused.refusals.map(\.pointer) == ["/lastSeen"])
        refused.date(by: heard)
        #expect(refused.refusals.isEmpty && refused.visit.lastSeen == heard.time.upperBound)
        #expect(refused.isDoubtful && refused.visit.id == told.id)
    }
}
