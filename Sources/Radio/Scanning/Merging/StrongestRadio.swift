public import Beacons

/// Decides, frame by frame, which of several radios a beacon belongs to: the radio that hears it best.
///
/// This is a value type whose only time is that of the frames. Frames from the other radios are dropped, so that a
/// beacon is counted once and signal strengths at two places are not mixed. Another radio takes over a beacon if it
/// hears it 6 dB stronger (smoothed, so that a single frame is not enough), or if the owner has not heard it for 5 s. A
/// frame without a signal strength counts as the weakest.
///
/// Beacons are distinguished by their content (the identity of an iBeacon, the identifier of the other formats), not by
/// their address, which may rotate. All other frames belong to the radio that hears them.
public struct StrongestRadio: Sendable {
    /// The index of a radio in the list of radios.
    public typealias Radio = Int

    /// How much stronger in dB another radio must hear a beacon to take it over.
    static let margin: Float = 6
    /// The time after which a radio no longer counts as hearing a beacon.
    static let recent = Duration.seconds(5)
    /// The weight of a new frame in the smoothed strength.
    static let smoothing: Float = 0.3

    /// What distinguishes beacons.
    enum Key: Hashable {
        case identity(BeaconIdentity)
        case frame(BeaconFrame)
    }

    /// How a radio hears a beacon.
    fileprivate struct Signal {
        let radio: Radio
        /// Smoothed, in dBm.
        var strength: Float
        var heard: ScanInstant

        func isRecent(at time: ScanInstant) -> Bool { heard.duration(to: time) <= StrongestRadio.recent }
    }

    /// The signal of a beacon at each radio; the owner comes first.
    fileprivate struct Hearing {
        var signals: [Signal]
    }

    /// There are two generations: when the younger is full it replaces the older, which drops beacons that were not
    /// heard in the meantime.
    private var younger: [Key: Hearing] = [:]
    private var older: [Key: Hearing] = [:]
    private let capacity: Int

    /// - Parameter capacity: the minimum number of beacons that are remembered; the maximum is twice as many.
    public init(capacity: Int = 2048) {
        self.capacity = max(1, capacity)
    }

    /// The number of beacons that are remembered.
    var count: Int { younger.count + older.count }

    /// Processes a frame.
    ///
    /// - Returns: whether the frame counts, because it is not from a beacon, or because its radio owns the beacon.
    public mutating func accept(_ data: RawSpan, rssi: Int8?, from radio: Radio, at time: ScanInstant) -> Bool {
        guard let key = BeaconFrame(advertisingData: data).map(Key.init) else { return true }
        let strength = Float(rssi ?? -127)
        // In place: a copy would need memory for each frame.
        if let index = younger.index(forKey: key) {
            return younger.values[index].add(strength, from: radio, at: time)
        }
        var hearing = older.removeValue(forKey: key) ?? Hearing(signals: [])
        let isOwner = hearing.add(strength, from: radio, at: time)
        if younger.count >= capacity {
            older = younger
            younger = [:]
        }
        younger[key] = hearing
        return isOwner
    }

    /// Removes a radio that is gone: its beacons belong to the radio that hears them next.
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
    /// Adds a frame; returns whether it is the owner's.
    fileprivate mutating func add(_ strength: Float, from radio: Int, at time: ScanInstant) -> Bool {
        let index = update(strength, from: radio, at: time)
        guard index > 0 else { return true }
        let owner = signals[0]
        guard
            !owner.isRecent(at: time) || signals[index].strength >= owner.strength + StrongestRadio.margin
        else { return false }
        signals.swapAt(0, index)
        return true
    }

    /// Updates the radio's signal, and returns its index.
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
