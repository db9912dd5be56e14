public import RegistryAPI

/// When a sighting is told and how: pure functions of what its owner was told before.
public enum AlertRules {
    /// Metres from the last alert's place beyond which a place is another one.
    public static let samePlace = 500.0
    /// Between two visits at one place that are told as one.
    public static let sameTime = Duration.seconds(600)
    /// How many alerts of one station and one report an owner gets within ``shareWindow``; further sightings are told
    /// together at its end. It counts for each station alone, so that nobody can silence another's.
    public static let share = 6
    public static let shareWindow = Duration.seconds(3600)
    /// How long after its making an alert is worth an update.
    public static let updates = Duration.seconds(86_400)

    /// What was told of a report before a new sighting of it.
    public struct History: Hashable, Sendable {
        /// The last alert; nil where there was none.
        public var last: Told?
        /// The station's alerts in its present window; nil where it never told of the report.
        public var station: StationShare?

        public init(last: Told? = nil, station: StationShare? = nil) {
            self.last = last
            self.station = station
        }
    }

    /// An alert, with the visits that were told as one with it.
    public struct Told: Hashable, Sendable {
        /// Of the first visit.
        public var place: Place
        /// Of the latest visit.
        public var firstSeen: Timestamp
        public var lastSeen: Timestamp
        public var isDoubtful: Bool

        public init(place: Place, firstSeen: Timestamp, lastSeen: Timestamp, isDoubtful: Bool = false) {
            self.place = place
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
            self.isDoubtful = isDoubtful
        }
    }

    /// How many alerts a station has caused since a time.
    public struct StationShare: Hashable, Sendable {
        public var since: Timestamp
        public var count: Int

        public init(since: Timestamp, count: Int) {
            self.since = since
            self.count = count
        }

        /// Whether the window that began then is still open; a clock that was set back opens a new one.
        public func isOpen(at time: Timestamp) -> Bool { (since..<since.advanced(by: shareWindow)).contains(time) }
    }

    /// What happens to a new sighting.
    public enum Decision: Hashable, Sendable {
        /// It gets an alert of its own.
        case alert(isUrgent: Bool)
        /// It is part of what the last alert told.
        case joinsLast
        /// It is told together with others, not before this time.
        case digest(at: Timestamp)
    }

    /// - Parameter isDoubtful: whether it is disputed, or nobody knows who told it. What nobody doubts is never part of
    ///   what somebody does: a false sighting must not hide a true one.
    public static func decision(
        at place: Place, firstSeen: Timestamp, lastSeen: Timestamp, received: Timestamp, isDoubtful: Bool = false,
        after history: History
    ) -> Decision {
        let alert = Decision.alert(isUrgent: !SightingRules.isLate(lastSeen: lastSeen, received: received))
        guard let station = history.station else { return alert }
        if let last = history.last, isDoubtful || !last.isDoubtful, last.place.distance(to: place) <= samePlace,
            last.isWithin(sameTime, of: firstSeen...max(firstSeen, lastSeen))
        {
            return .joinsLast
        }
        guard station.isOpen(at: received), station.count >= share else { return alert }
        return .digest(at: station.since.advanced(by: shareWindow))
    }

    /// Whether a sighting with these reasons may hide no other.
    public static func isDoubtful(_ reasons: some Collection<SightingReason>) -> Bool {
        Plausibility.level(for: reasons) == .disputed || reasons.contains(.unverified)
    }

    /// Whether a level is worth telling to somebody who was told these: support and doubt are, that they are gone is not.
    public static func isNews(_ level: SightingLevel, after told: some Collection<SightingLevel>) -> Bool {
        level != .possible && !told.isEmpty && !told.contains(level)
    }

    /// When a channel gets what is decided.
    ///
    /// - Parameters:
    ///   - wait: minutes that the channel leaves to the others, for somebody to acknowledge; nil for none.
    ///   - quiet: the end of the quiet time that a moment lies in; nil where it lies in none.
    public static func delivery(
        of decision: Decision, at now: Timestamp, wait: Int?, quiet: (Timestamp) -> Timestamp?
    ) -> Delivery? {
        let begin: Timestamp
        var isTogether = false
        switch decision {
        case .joinsLast: return nil
        case .alert: begin = now
        case .digest(let time): (begin, isTogether) = (max(now, time), true)
        }
        let due = begin.advanced(by: .seconds((wait ?? 0) * 60))
        if let end = quiet(due) { return .digest(at: end) }
        return isTogether ? .digest(at: due) : .alone(at: due)
    }

    /// When one channel gets a sighting.
    public enum Delivery: Hashable, Sendable {
        case alone(at: Timestamp)
        case digest(at: Timestamp)
    }
}

extension AlertRules.Told {
    /// Whether so little time lies between these visits and another.
    fileprivate func isWithin(_ gap: Duration, of visit: ClosedRange<Timestamp>) -> Bool {
        visit.lowerBound <= lastSeen.advanced(by: gap) && visit.upperBound >= firstSeen.advanced(by: .zero - gap)
    }
}
