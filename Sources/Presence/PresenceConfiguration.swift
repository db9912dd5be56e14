/// When a beacon counts as present and when as lost, and how much may be remembered.
public struct PresenceConfiguration: Hashable, Sendable {
    /// Frames that open a visit, 1…16. One is proof: a frame's CRC and the exact identity leave no room for chance, and
    /// a bike that rolls past may be heard once only. Distance bands ask for more.
    public let enterFrames: Int
    /// The time within which they must be heard, first to last, 1 s to 1 h.
    public let enterWithin: Duration
    /// Silence that ends a visit, from ``enterWithin`` to 24 h.
    ///
    /// Others wait 10 s to 180 s; the longest of these, Home Assistant's, is the default: a visit that ends a minute late
    /// costs nothing, one that flaps costs an alert each time.
    public let lostAfter: Duration
    /// How often a visit is reported while new frames arrive, 1 s to 24 h.
    public let updateEvery: Duration
    /// Length at which a visit is cut and continued, from ``lostAfter`` to 30 days.
    public let longestVisit: Duration
    /// Beacons heard too seldom yet for a visit, 1…1,000,000; beyond, the one heard longest ago is forgotten.
    ///
    /// At 2,000 frames a second the default holds every beacon for the whole ten seconds that it has to be heard again.
    public let candidateCapacity: Int
    /// Visits open at a time, 1…1,000,000; beyond, one that matters less makes room, which is counted.
    public let visitCapacity: Int
    public let ranging: Ranging

    /// - Throws: ``PresenceError/invalid(setting:allowed:)`` for a value outside the bounds that the members state.
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
