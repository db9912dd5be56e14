/// The rules for when a beacon counts as present and as lost, and the limits on memory.
public struct PresenceConfiguration: Hashable, Sendable {
    /// The number of frames that open a visit, 1…16. One is enough: a frame's CRC and the exact identity rule out
    /// chance, and a bike that rolls past may be heard only once. Distance bands need more.
    public let enterFrames: Int
    /// The time within which these frames must be heard, from first to last, 1 s to 1 h.
    public let enterWithin: Duration
    /// The silence that ends a visit, from ``enterWithin`` to 24 h.
    ///
    /// Other software waits 10 s to 180 s. The default is the longest of these, Home Assistant's: a visit that ends a
    /// minute late does no harm, but an unstable visit causes a new alert each time.
    public let lostAfter: Duration
    /// The interval between reports of a visit while new frames arrive, 1 s to 24 h.
    public let updateEvery: Duration
    /// The length at which a visit is cut and continued, from ``lostAfter`` to 30 days.
    public let longestVisit: Duration
    /// The maximum number of beacons without enough frames for a visit, 1…1,000,000; beyond it, the one heard longest
    /// ago is dropped.
    ///
    /// At 2,000 frames a second the default keeps every beacon for the whole ten seconds in which it must be heard
    /// again.
    public let candidateCapacity: Int
    /// The maximum number of open visits, 1…1,000,000; beyond it, a less important visit is ended, which is counted.
    public let visitCapacity: Int
    public let ranging: Ranging

    /// - Throws: ``PresenceError/invalid(setting:allowed:)`` if a value is outside the bounds stated at its property.
    public init(
        enterFrames: Int = 1,
        enterWithin: Duration = .seconds(10),
        lostAfter: Duration = .seconds(180),
        updateEvery: Duration = .seconds(300),
        longestVisit: Duration = .seconds(86_400),
        candidateCapacity: Int = 20_000,
        visitCapacity: Int = 4096,
        ranging: Ranging = .standard
    ) throws(PresenceError) {
        try Self.check(enterFrames, "enterFrames", 1...16, "1 to 16")
        try Self.check(enterWithin, "enterWithin", .seconds(1) ... .seconds(3600), "1 s to 1 h")
        try Self.check(lostAfter, "lostAfter", enterWithin ... .seconds(86_400), "enterWithin (\(enterWithin)) to 24 h")
        try Self.check(updateEvery, "updateEvery", .seconds(1) ... .seconds(86_400), "1 s to 24 h")
        try Self.check(
            longestVisit, "longestVisit", lostAfter ... .seconds(30 * 86_400), "lostAfter (\(lostAfter)) to 30 days")
        try Self.check(candidateCapacity, "candidateCapacity", 1...1_000_000, "1 to 1,000,000")
        try Self.check(visitCapacity, "visitCapacity", 1...1_000_000, "1 to 1,000,000")
        self.init(
            unchecked: enterFrames, enterWithin, lostAfter, updateEvery, longestVisit, candidateCapacity,
            visitCapacity, ranging)
    }

    /// The values that stations use unless configured otherwise.
    public static let standard = PresenceConfiguration(
        unchecked: 1, .seconds(10), .seconds(180), .seconds(300), .seconds(86_400), 20_000, 4096, .standard)

    private init(
        unchecked enterFrames: Int, _ enterWithin: Duration, _ lostAfter: Duration, _ updateEvery: Duration,
        _ longestVisit: Duration, _ candidateCapacity: Int, _ visitCapacity: Int, _ ranging: Ranging
    ) {
        self.enterFrames = enterFrames
        self.enterWithin = enterWithin
        self.lostAfter = lostAfter
        self.updateEvery = updateEvery
        self.longestVisit = longestVisit
        self.candidateCapacity = candidateCapacity
        self.visitCapacity = visitCapacity
        self.ranging = ranging
    }

    private static func check<Value: Comparable>(
        _ value: Value, _ setting: String, _ bounds: ClosedRange<Value>, _ allowed: String
    ) throws(PresenceError) {
        guard bounds.contains(value) else { throw .invalid(setting: setting, allowed: allowed) }
    }
}

/// An invalid configuration or restored state.
public enum PresenceError: Error, Hashable, Sendable {
    /// A setting is outside its bounds: its name, and the allowed values.
    case invalid(setting: String, allowed: String)
    /// Visits can be resumed only before the first frame.
    case alreadyStarted
    /// There are more visits to resume than the tracker's capacity.
    case tooManyVisits(count: Int, capacity: Int)
    /// A visit to resume contradicts itself or another visit.
    case inconsistentVisit(number: UInt64, reason: String)
}

extension PresenceError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalid(let setting, let allowed):
            "\(setting) is out of range: it must be \(allowed)"
        case .alreadyStarted:
            "visits can be resumed only before the first frame is observed"
        case .tooManyVisits(let count, let capacity):
            "\(count) visits cannot be resumed: the tracker holds \(capacity); raise visitCapacity"
        case .inconsistentVisit(let number, let reason):
            "visit \(number) cannot be resumed: \(reason)"
        }
    }
}
