public import Beacons

/// What has become of a visit, with the visit as it stands then.
public struct PresenceEvent: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// A stay begins, and its first visit.
        case entered
        /// The visit goes on, and something new was heard since it was last told of.
        case updated
        /// Silence has ended the visit and its stay.
        case lost
        /// The visit has reached its longest allowed time and ends; ``continued`` follows at once.
        case cut
        /// The next visit of a stay whose visit was cut. No reason for a new alert.
        case continued
        /// The visit ends to make room for another one; its bike may still be there.
        case displaced
        /// The source has ended, and with it the visit.
        case finished

        /// Whether a visit begins with this event.
        public var opensVisit: Bool { self == .entered || self == .continued }
        /// Whether a visit ends with this event; nothing follows for its number.
        public var endsVisit: Bool { self != .updated && !opensVisit }
    }

    public let kind: Kind
    /// The exact time of the deadline or the frame that caused the event, not that of the call that delivered it.
    public let time: ScanInstant
    public let visit: VisitSnapshot

    public init(kind: Kind, time: ScanInstant, visit: VisitSnapshot) {
        self.kind = kind
        self.time = time
        self.visit = visit
    }
}

/// A visit at one moment: everything that a report of it needs.
public struct VisitSnapshot: Hashable, Sendable {
    /// Known to this tracker only; counts from 1, never used twice.
    public var number: UInt64
    /// The number of the stay's first visit. Differs from ``number`` only after a cut.
    public var stay: UInt64
    public var identity: BeaconIdentity
    /// The first frame of the run that opened the visit.
    public var first: ScanInstant
    /// The newest frame.
    public var last: ScanInstant
    /// Frames heard, those before the visit was opened too; at least 1.
    public var frames: Int
    /// Weakest and strongest signal in dBm; nil if no frame had a known one.
    public var rssi: ClosedRange<Int8>?
    /// Smoothed signal strength in dBm; nil if no frame had a known one.
    public var smoothedRSSI: Double?
    /// What most frames claim, in dBm at 1 m; 0 where none makes a plausible claim.
    public var measuredPower: Int8
    /// The nearest band that the visit reached.
    public var nearest: Proximity
    /// The band at the time of the event; unknown after silence.
    public var proximity: Proximity

    public init(
        number: UInt64, stay: UInt64, identity: BeaconIdentity, first: ScanInstant, last: ScanInstant, frames: Int,
        rssi: ClosedRange<Int8>?, smoothedRSSI: Double? = nil, measuredPower: Int8, nearest: Proximity,
        proximity: Proximity = .unknown
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
    }
}
