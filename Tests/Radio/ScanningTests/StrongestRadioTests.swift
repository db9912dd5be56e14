import Beacons
import Testing

@testable import Scanning

/// Two radios in a venue must not make one bike two, nor cause a distance that jumps between them.
@Suite struct StrongestRadioTests {
    private let beacon = IBeacon(
        identity: BeaconIdentity(uuid: ProximityUUID(high: 1, low: 2), major: 3, minor: 4), measuredPower: -59
    )

    /// A frame: the second in which it was heard, the radio, and the signal strength.
    private typealias Frame = (time: Double, radio: Int, rssi: Int8?)

    /// The frames that are accepted.
    private func accepted(_ frames: [Frame]) -> [Bool] {
        let judge = Judge()
        return frames.map { frame in
            judge.accept(beacon.advertisingData, frame.rssi, from: frame.radio, at: frame.time)
        }
    }

    @Test("the radio that hears a beacon first keeps it, and an equally strong one does not take it over")
    func first() {
        #expect(accepted([(0, 0, -60), (0, 1, -60), (0.1, 0, -61), (0.1, 1, -57)]) == [true, false, true, false])
    }

    @Test("a radio that hears it 6 dB stronger takes it over at once, and the other's frames are then dropped")
    func stronger() {
        #expect(accepted([(0, 0, -70), (0.1, 1, -64), (0.2, 0, -70), (0.3, 1, -65)]) == [true, true, false, true])
    }

    @Test("one strong frame among weak ones does not take it over")
    func outlier() {
        let weak = (1...10).map { Frame(Double($0) / 10, 1, -85) }
        #expect(
            accepted([(0, 0, -70)] + weak + [(1.1, 1, -64), (1.2, 1, -85)]) == [true]
                + Array(repeating: false, count: 12))
    }

    @Test("a radio that has not heard it for 5 s loses it")
    func silent() {
        #expect(accepted([(0, 0, -40), (5, 1, -90), (5.1, 1, -90), (5.2, 0, -80)]) == [true, false, true, true])
        #expect(accepted([(0, 0, -40), (5.1, 1, -90), (5.2, 0, -92)]) == [true, true, false])
    }

    @Test("a frame without a signal strength is the weakest")
    func unknown() {
        #expect(accepted([(0, 0, nil), (0, 1, nil), (0.1, 1, -100), (0.2, 0, nil)]) == [true, false, true, false])
    }

    @Test("the beacons of a removed radio are taken over by the others")
    func removed() {
        let judge = Judge()
        let data = beacon.advertisingData
        #expect(judge.accept(data, -40, from: 0, at: 0))
        #expect(!judge.accept(data, -90, from: 1, at: 0))
        judge.rule.remove(0)
        #expect(judge.accept(data, -90, from: 1, at: 0.1))
    }

    @Test("beacons are distinguished by identity, and frames of other kinds are accepted from every radio")
    func others() {
        let judge = Judge()
        let other = IBeacon(
            identity: BeaconIdentity(uuid: beacon.identity.uuid, major: 3, minor: 5), measuredPower: -59
        )
        #expect(judge.accept(beacon.advertisingData, -40, from: 0, at: 0))
        #expect(judge.accept(other.advertisingData, -90, from: 1, at: 0))
        for radio in [0, 1] {
            for data in [[], [2, 1, 6]] as [[UInt8]] {
                #expect(judge.accept(data, -90, from: radio, at: 0))
            }
        }
    }

    @Test("memory is bounded, and recently heard beacons are remembered")
    func bounded() {
        let judge = Judge(StrongestRadio(capacity: 100))
        for minor in 0..<UInt16(10_000) {
            let stranger = IBeacon(
                identity: BeaconIdentity(uuid: ProximityUUID(high: 0, low: 0), major: 0, minor: minor), measuredPower: 0
            )
            _ = judge.accept(stranger.advertisingData, -60, from: 0, at: 0)
            #expect(judge.accept(beacon.advertisingData, -60, from: 1, at: 0))
            #expect(judge.rule.count <= 200)
        }
        #expect(!judge.accept(beacon.advertisingData, -60, from: 0, at: 0))
    }
}

/// Holds a rule for expressions that cannot mutate a value.
private final class Judge {
    var rule: StrongestRadio

    init(_ rule: StrongestRadio = StrongestRadio()) {
        self.rule = rule
    }

    func accept(_ data: [UInt8], _ rssi: Int8?, from radio: Int, at seconds: Double) -> Bool {
        let time = ScanInstant(nanoseconds: Int64(seconds * 1e9))
        return rule.accept(data.span.bytes, rssi: rssi, from: radio, at: time)
    }
}
