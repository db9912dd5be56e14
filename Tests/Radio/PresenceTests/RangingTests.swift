import Beacons
import Presence
import TestSupport
import Testing

@Suite("Ranging")
struct RangingTests {
    @Test("smoothing ignores one outlier at any position", arguments: 0..<6)
    func outlier(position: Int) throws {
        var filter = SignalFilter()
        for index in 0..<6 { filter.add(index == position ? -30 : -70, at: .at(Double(index))) }
        filter.add(-70, at: .at(6))
        #expect(filter.value == -70)
        #expect(filter.isSettled && filter.lastSample == .at(6))
    }

    @Test("smoothing follows time, not the number of frames", arguments: [0.1, 0.35, 1])
    func timeAware(interval: Double) throws {
        var filter = SignalFilter()
        var time = 0.0
        while time < 20 { filter.add(-90, at: .at(time)); time += interval }
        let step = time
        // The median delays the step by one sample; one time constant later, 63 % of it must have passed.
        while time <= step + 6 + interval { filter.add(-60, at: .at(time)); time += interval }
        let value = try #require(filter.value)
        #expect(abs(value - (-60 - 30 * 0.368)) < 3)
    }

    @Test("smoothing restarts after a silence, so that no old signal is shown as new")
    func silence() {
        var filter = SignalFilter()
        for index in 0..<10 { filter.add(-50, at: .at(Double(index))) }
        filter.add(-90, at: .at(40))
        #expect(filter.value == -90 && !filter.isSettled)
    }

    @Test("time that goes back or stands still changes nothing by itself")
    func backwards() {
        var filter = SignalFilter()
        for second in [0.0, 1, 2] { filter.add(-50, at: .at(second)) }
        for second in [1.0, -5, 2] { filter.add(-90, at: .at(second)) }
        #expect(filter.value == -50 && filter.lastSample == .at(2))
    }

    @Test(
        "without hysteresis the bands are those of the distance", arguments: -100 ... -1,
        [-59, -30, -100, 0, 20] as [Int8])
    func bands(rssi: Int8, power: Int8) throws {
        var tracker = ProximityTracker(ranging: try Ranging(margin: 0))
        tracker.add(rssi: rssi, measuredPower: power, at: .at(0))
        let metres = Proximity.metres(rssi: Double(rssi), measuredPower: power)
        #expect(tracker.proximity(at: .at(0)) == metres.map { Proximity(metres: $0) } ?? .unknown)
        #expect(tracker.metres == metres)
    }

    @Test("a signal stronger than any distance allows is immediate")
    func strong() {
        var tracker = ProximityTracker()
        tracker.add(rssi: 5, measuredPower: -59, at: .at(0))
        #expect(tracker.proximity(at: .at(0)) == .immediate && tracker.metres == nil)
    }

    /// The number of band changes in an hour of signal around the edge between near and far (−71.3 dBm), with one frame
    /// a second and 4 dB of shadowing, correlated from frame to frame.
    private func changes(margin: Double, correlation: Double, seed: Int) throws -> Int {
        var tracker = ProximityTracker(ranging: try Ranging(margin: margin))
        var random = SeededGenerator(seed: UInt64(seed))
        var (bands, fading) = ([Proximity](), 0.0)
        for second in 0..<3600 {
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
            fading = correlation * fading + 4 * (1 - correlation * correlation).squareRoot() * noise
            tracker.add(rssi: Int8((-71.3 + fading).rounded()), measuredPower: -59, at: .at(Double(second)))
            bands.append(tracker.proximity(at: .at(Double(second))))
        }
        return zip(bands, bands.dropFirst()).count { $0 != $1 }
    }

    @Test("a bike at a band's edge does not flap", arguments: 1...5)
    func hysteresis(seed: Int) throws {
        // Shadowing that changes with every frame …
        #expect(try changes(margin: 0, correlation: 0, seed: seed) > 200)
        #expect(try changes(margin: Ranging.standard.margin, correlation: 0, seed: seed) <= 2)
        // … and shadowing that lasts three seconds, which smoothing removes less well.
        #expect(try changes(margin: 0, correlation: 0.72, seed: seed) > 150)
        #expect(try changes(margin: Ranging.standard.margin, correlation: 0.72, seed: seed) < 25)
    }

    @Test("with hysteresis a bike that really moves still changes its band, in both directions")
    func movement() {
        var tracker = ProximityTracker()
        var bands: [Proximity] = []
        let signal: [Int8] = [-90, -65, -45, -65, -90]
        for (index, rssi) in signal.enumerated() {
            for second in 0..<30 {
                tracker.add(rssi: rssi, measuredPower: -59, at: .at(Double(index * 30 + second)))
            }
            bands.append(tracker.proximity(at: .at(Double(index * 30 + 29))))
        }
        #expect(bands == [.far, .near, .immediate, .near, .far])
        #expect(tracker.nearest == .immediate)
    }

    @Test("the band is unknown after thirty seconds without a signal, and returns with the next one")
    func unknown() {
        var tracker = ProximityTracker()
        #expect(tracker.proximity(at: .at(0)) == .unknown && tracker.nearest == .unknown && tracker.metres == nil)
        tracker.add(rssi: -40, measuredPower: -59, at: .at(0))
        #expect(tracker.proximity(at: .at(30)) == .immediate)
        #expect(tracker.proximity(at: .at(30.1)) == .unknown)
        tracker.add(rssi: nil, measuredPower: -59, at: .at(31))
        #expect(tracker.proximity(at: .at(31)) == .unknown)
        tracker.add(rssi: -65, measuredPower: -59, at: .at(32))
        // A single frame does not give a nearest band.
        #expect(tracker.proximity(at: .at(32)) == .near && tracker.nearest == .unknown)
        tracker.add(rssi: -65, measuredPower: -59, at: .at(33))
        #expect(tracker.nearest == .near)
    }

    @Test("one outlier never gives the nearest band", arguments: [0, 1, 2, 7])
    func nearestOutlier(position: Int) {
        var tracker = ProximityTracker()
        for index in 0..<10 {
            tracker.add(rssi: index == position ? -30 : -85, measuredPower: -59, at: .at(Double(index)))
        }
        #expect(tracker.nearest == .far)
    }

    @Test("an invalid power gives no distance, and the next valid one does")
    func power() {
        var tracker = ProximityTracker()
        tracker.add(rssi: -40, measuredPower: 0, at: .at(0))
        #expect(tracker.proximity(at: .at(0)) == .unknown && tracker.metres == nil && tracker.nearest == .unknown)
        tracker.add(rssi: -40, measuredPower: -59, at: .at(1))
        #expect(tracker.proximity(at: .at(1)) == .immediate)
    }
}
