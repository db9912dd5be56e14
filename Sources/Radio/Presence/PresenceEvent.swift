public import Beacons

/// An event of a visit, with the visit's state at that time.
public struct PresenceEvent: Hashable, Sendable {
    /// What happened to the visit.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// A stay and its first visit begin.
        case entered
        /// The visit continues, and frames have been heard since its last event.
        case updated
        /// Silence has ended the visit and its stay.
        case lost
        /// The visit has reached the maximum length and ends; ``continued`` follows immediately.
        case cut
        /// The next visit of a stay begins after a cut. It is not a reason for a new alert.
        case continued
        /// The visit ends to make room for another one; its bike may still be present.
        case displaced
        /// The visit ends because the source has ended.
        case finished

        /// Whether a visit begins with this event.
        public var opensVisit: Bool { self == .entered || self == .continued }
        /// Whether a visit ends with this event; no further event has its number.
        public var endsVisit: Bool { self != .updated && !opensVisit }
    }

    public let kind: Kind
    /// The exact time of the deadline or frame that caused the event, not of the call that returned it.
    public let time: ScanInstant
    public let visit: VisitSnapshot

    public init(kind: Kind, time: ScanInstant, visit: VisitSnapshot) {
        self.kind = kind
        self.time = time
        self.visit = visit
    }
}

/// The state of a visit at one moment, with everything needed to report it.
public struct VisitSnapshot: Hashable, Sendable {
    /// A number that is unique within this tracker; counts from 1 and is never reused.
    public var number: UInt64
    /// The number of the stay's first visit. Differs from ``number`` only after a cut.
    public var stay: UInt64
    public var identity: BeaconIdentity
    /// The time of the first frame in the run that opened the visit.
    public var first: ScanInstant
    /// The time of the latest frame.
    public var last: ScanInstant
    /// The number of frames heard, including those before the visit was opened; at least 1.
    public var frames: Int
    /// The weakest and strongest signal in dBm; nil if no frame had a known one.
    public var rssi: ClosedRange<Int8>?
    /// Smoothed signal strength in dBm; nil if no frame had a known one.
    public var smoothedRSSI: Double?
    /// The power claimed by most frames, in dBm at 1 m; 0 if no claim is plausible.
    public var measuredPower: Int8
    /// The nearest proximity band of the visit.
    public var nearest: Proximity
    /// The band at the time of the event; unknown after silence.
    public var proximity: Proximity
    /// The radio that heard the strongest frame; nil if the source does not say.
    public var radio: String?

    public init(
        number: UInt64, stay: UInt64, identity: BeaconIdentity, first: ScanInstant, last: ScanInstant, frames: Int,
        rssi: ClosedRange<Int8>?, smoothedRSSI: Double? = nil, measuredPower: Int8, nearest: Proximity,
        proximity: Proximity = .unknown, radio: String? = nil
    ) {
        self.number = number
        self.stay = stay
        self.identity = identity
        self.first = first
        self.last = last
        self.frames = frames
        self.rssi = rssi
        self.smoothedRSSI = smoothedRSSI
        self.measuredPower = measuredPower
        self.nearest = nearest
        self.proximity = proximity
        self.radio = radio
    }
}
