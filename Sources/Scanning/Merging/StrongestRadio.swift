public import Beacons

/// Decides, frame by frame, which of several radios a beacon belongs to: the one that hears it best.
///
/// A value that knows no time but the frames' own. The frames of the other radios are dropped, so that a beacon is counted
/// once and the signal strengths of two places are not mixed. Another radio takes a beacon over when it hears it 6 dB
/// stronger (smoothed, so that a single frame decides nothing), or when the owner has not heard it for 5 s. A frame
/// without a signal strength counts as the weakest.
///
/// Beacons are told apart by what they say (the identity of an iBeacon, the identifier of the other formats), not by
/// their address, which may rotate. Frames of anything else belong to whoever hears them.
public struct StrongestRadio: Sendable {
    /// Which radio, by its place in the list of radios.
    public typealias Radio = Int

    static let margin: Float = 6
    static let recent = Duration.seconds(5)
    /// Share of a new frame in the smoothed strength.
    static let smoothing: Float = 0.3

    enum Key: Hashable {
        case identity(BeaconIdentity)
        case frame(BeaconFrame)
    }

    fileprivate struct Signal {
        let radio: Radio
        var strength: Float
        var heard: ScanInstant

        func isRecent(at time: ScanInstant) -> Bool { heard.duration(to: time) <= StrongestRadio.recent }
    }

    /// How a beacon's radios hear it; the owner comes first.
    fileprivate struct Hearing {
        var signals: [Signal]
    }

    /// Two generations: when the younger is full it becomes the older, and what nobody heard meanwhile is forgotten.
    private var younger: [Key: Hearing] = [:]
    private var older: [Key: Hearing] = [:]
    private let capacity: Int

    /// - Parameter capacity: how many beacons are remembered at least; twice as many at most.
    public init(capacity: Int = 2048) {
        self.capacity = max(1, capacity)
    }

    /// How many beacons are remembered.
    var count: Int { younger.count + older.count }

    /// Takes a frame into account.
    ///
    /// - Returns: whether the frame counts: it is no beacon's, or its radio is the beacon's owner.
    public mutating func accept(_ data: RawSpan, rssi: Int8?, from radio: Radio, at time: ScanInstant) -> Bool {
        guard let key = BeaconFrame(advertisingData: data).map(Key.init) else { return true }
        var hearing = younger[key] ?? older.removeValue(forKey: key) ?? Hearing(signals: [])
        let isOwner = hearing.take(Float(rssi ?? -127), from: radio, at: time)
        if younger.count >= capacity, younger[key] == nil { (older, younger) = (younger, [:]) }
        younger[key] = hearing
        return isOwner
    }

    /// Forgets a radio that is gone: its beacons belong to whoever hears them next.
    public mutating func remove(_ radio: Radio) {
        for key in younger.keys { younger[key]?.remove(radio) }
        for key in older.keys { older[key]?.remove(radio) }
    }
}

extension StrongestRadio.Key {
    fileprivate init(_ frame: BeaconFrame) {
        if case .iBeacon(let beacon) = frame { self = .identity(beacon.identity) } else { self = .frame(frame) }
    }
}

extension StrongestRadio.Hearing {
    /// Returns whether the frame is the owner's.
    fileprivate mutating func take(_ strength: Float, from radio: Int, at time: ScanInstant) -> Bool {
        let index = update(strength, from: radio, at: time)
        guard index > 0 else { return true }
        let owner = signals[0]
        guard
            !owner.isRecent(at: time) || signals[index].strength >= owner.strength + StrongestRadio.margin
        else { return false }
        signals.swapAt(0, index)
        return true
    }

    /// The place of the radio's signal, which is brought up to date.
    private mutating func update(_ strength: Float, from radio: Int, at time: ScanInstant) -> Int {
        guard let index = signals.firstIndex(where: { $0.radio == radio }) else {
            signals.append(StrongestRadio.Signal(radio: radio, strength: strength, heard: time))
            return signals.count - 1
        }
        let share = signals[index].isRecent(at: time) ? StrongestRadio.smoothing : 1
        signals[index].strength += share * (strength - signals[index].strength)
        signals[index].heard = time
        return index
    }

    fileprivate mutating func remove(_ radio: Int) {
        signals.removeAll { $0.radio == radio }
    }
}
